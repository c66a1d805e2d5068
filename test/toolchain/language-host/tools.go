//go:build tools

// Package tools pins the Node language host, so that `go build` gets the very version that go.sum vouches for.
package tools

import _ "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs"
