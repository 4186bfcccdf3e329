package focus_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// mostFields is how many fields a struct of this package may have, and mostLines how long a step of the journey may be:
// what is larger cannot be taken in at a glance, and is cut. Config is the crawl file, and has a field for each of its keys.
const (
	mostFields = 25
	mostLines  = 25
)

// steps are the journey, in its order.
var steps = []string{"pop", "fetch", "read", "judge", "keep", "learn", "admit", "rank", "push"}

// TestHouseIsOneThatOneCanLiveIn holds that no struct grows into an object that knows everything, and that the journey can be
// read in one file.
func TestHouseIsOneThatOneCanLiveIn(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var journey []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.TypeSpec); ok {
				if st, ok := s.Type.(*ast.StructType); ok && s.Name.Name != "Config" && st.Fields.NumFields() > mostFields {
					t.Errorf("%s: %s has %d fields, more than %d", name, s.Name.Name, st.Fields.NumFields(), mostFields)
				}
			}
			if f, ok := n.(*ast.FuncDecl); ok && name == "journey.go" && f.Recv != nil {
				if lines := fset.Position(f.End()).Line - fset.Position(f.Pos()).Line + 1; isStep(f.Name.Name) {
					journey = append(journey, f.Name.Name)
					if lines > mostLines+2 { // its head and its brace
						t.Errorf("%s has %d lines, more than %d", f.Name.Name, lines-2, mostLines)
					}
				}
			}
			return true
		})
	}
	if strings.Join(journey, " ") != strings.Join(steps, " ") {
		t.Errorf("journey.go has the steps %v, want %v", journey, steps)
	}
}

func isStep(name string) bool {
	for _, s := range steps {
		if s == name {
			return true
		}
	}
	return false
}
