// Writes the programs that Pulumi generates from examples in YAML: `example-generator SCHEMA FILE.yaml...` prints each
// language's program under the file's name without its extension.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi-java/pkg/codegen/java"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml"
	yamlgen "github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/codegen"
	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/model"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

type generator func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error)

var generators = map[string]generator{
	"typescript": nodejs.GenerateProgram,
	"python":     python.GenerateProgram,
	"go":         gogen.GenerateProgram,
	"csharp":     dotnet.GenerateProgram,
	"java":       javaProgram,
}

func main() {
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(schemaFile string, files []string) error {
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		return err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return err
	}
	programs := map[string]map[string]string{}
	for _, file := range files {
		example, err := inAllLanguages(file, spec)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		programs[strings.TrimSuffix(filepath.Base(file), ".yaml")] = example
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(programs)
}

func inAllLanguages(file string, spec schema.PackageSpec) (map[string]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	programs := map[string]string{}
	for language, generate := range generators {
		template, diagnostics, err := pulumiyaml.LoadYAMLBytes(file, text)
		if err != nil {
			return nil, err
		}
		if diagnostics.HasErrors() {
			return nil, diagnostics
		}
		// The schema is bound again for each language, because a generator leaves its language's names in the package.
		pkg, problems, err := schema.BindSpec(spec, only{}, schema.ValidationOptions{})
		if err != nil {
			return nil, err
		}
		if len(problems) > 0 {
			return nil, problems
		}
		program, problems, err := yamlgen.EjectProgram(template, only{pkg})
		if err != nil {
			return nil, err
		}
		if problems.HasErrors() {
			return nil, problems
		}
		files, problems, err := generate(program)
		if err != nil {
			return nil, err
		}
		if problems.HasErrors() {
			return nil, problems
		}
		for name, content := range files {
			if isProgram(name) {
				programs[language] = string(content)
			}
		}
	}
	return programs, nil
}

// In a map of objects, Java's generator expects plain keys, and panics at the templates that YAML's ejector writes.
func javaProgram(program *pcl.Program) (map[string][]byte, hcl.Diagnostics, error) {
	for _, node := range program.Nodes {
		node.VisitExpressions(model.IdentityVisitor, func(expression model.Expression) (model.Expression, hcl.Diagnostics) {
			if object, ok := expression.(*model.ObjectConsExpression); ok {
				for at, item := range object.Items {
					if key, ok := item.Key.(*model.TemplateExpression); ok && len(key.Parts) == 1 {
						object.Items[at].Key = key.Parts[0]
					}
				}
			}
			return expression, nil
		})
	}
	return java.GenerateProgram(program)
}

// Some generators write a project's other files too.
func isProgram(name string) bool {
	switch filepath.Ext(name) {
	case ".ts", ".py", ".go", ".cs", ".java":
		return true
	}
	return false
}

// A loader that knows only our package.
type only struct{ pkg *schema.Package }

func (one only) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) {
	if one.pkg == nil || name != one.pkg.Name {
		return nil, fmt.Errorf("the examples use no package %s", name)
	}
	return one.pkg, nil
}

func (one only) LoadPackageReference(name string, version *semver.Version) (schema.PackageReference, error) {
	pkg, err := one.LoadPackage(name, version)
	if err != nil {
		return nil, err
	}
	return pkg.Reference(), nil
}

func (one only) LoadPackageV2(_ context.Context, it *schema.PackageDescriptor) (*schema.Package, error) {
	return one.LoadPackage(it.Name, it.Version)
}

func (one only) LoadPackageReferenceV2(
	_ context.Context, it *schema.PackageDescriptor,
) (schema.PackageReference, error) {
	return one.LoadPackageReference(it.Name, it.Version)
}
