//go:build tools

// Package tools pins the Node and Python language hosts, so that `go build` gets the very version that go.sum vouches for.
package tools

import (
	_ "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs"
	_ "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python"
)
