//go:build tools

// Package tools pins the YAML and Java language hosts, so that `go build` gets the very versions that go.sum vouches for.
package tools

import (
	_ "github.com/pulumi/pulumi-java/pkg/cmd/pulumi-language-java"
	_ "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"
)
