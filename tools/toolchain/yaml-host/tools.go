//go:build tools

// Package tools pins the YAML language host, so that `go build` gets the very version that go.sum vouches for.
package tools

import _ "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"
