// Writes the packages that Pulumi generates from a schema: `code-generator SCHEMA FOLDER` makes FOLDER/nodejs,
// FOLDER/python and FOLDER/go. The language hosts of this version do the same when the CLI asks them to.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"

	// Generated Go packages import this package too, so they compile if this program builds.
	_ "github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

// The schema refers to no other package, so any request to load one is a bug and panics.
type noOther struct{ schema.ReferenceLoader }

const tool = "pulumi-language-host"

var generators = map[string]func(*schema.Package) (map[string][]byte, error){
	"nodejs": func(pkg *schema.Package) (map[string][]byte, error) {
		return nodejs.GeneratePackage(tool, pkg, nil, nil, true, noOther{})
	},
	"python": func(pkg *schema.Package) (map[string][]byte, error) {
		return python.GeneratePackage(tool, pkg, nil, noOther{})
	},
	"go": func(pkg *schema.Package) (map[string][]byte, error) {
		return gogen.GeneratePackage(tool, pkg, nil)
	},
}

func main() {
	if err := generate(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate(schemaFile, folder string) error {
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		return err
	}
	for language, generator := range generators {
		// The schema is bound again for each language, because a generator leaves its language's names in the package.
		pkg, err := bound(text)
		if err != nil {
			return err
		}
		files, err := generator(pkg)
		if err != nil {
			return fmt.Errorf("%s: %w", language, err)
		}
		if err := write(filepath.Join(folder, language), files); err != nil {
			return err
		}
	}
	return nil
}

// A warning is an error here.
func bound(text []byte) (*schema.Package, error) {
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	pkg, diagnostics, err := schema.BindSpec(spec, noOther{}, schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	if len(diagnostics) > 0 {
		return nil, diagnostics
	}
	return pkg, nil
}

func write(folder string, files map[string][]byte) error {
	for name, content := range files {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
