//go:build tools

// Package tools pins the Pulumi CLI, so that `go build` gets the very version that go.sum vouches for.
package tools

import _ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
