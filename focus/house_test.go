package focus_test

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"
)

// steps are the methods of a page's journey, in their order.
var steps = []string{"pop", "fetch", "read", "judge", "keep", "learn", "admit", "rank", "push"}

// A bound is what something of the house may measure today, and what it is to come down to. The first is lowered whenever
// the house has been cut smaller, and is not raised because there was no better place for something.
type bound struct{ most, aim int }

var (
	hallFiles  = bound{25, 30}     // of package focus
	hallCode   = bound{4700, 4000} // lines of all of it that are no comments: whoever explains more must not build less for it
	fileLines  = bound{400, 400}   // of one file of any package, comments and all
	fields     = bound{25, 25}     // of a struct of any package
	hallNames  = bound{28, 60}     // exported by package focus
	hallDoc    = bound{90, 100}    // lines of go doc ./focus: two screens of fifty
	stepsReach = bound{9, 15}      // files of package focus that the steps' own calls lead to, with the one they stand in
	stepLines  = bound{25, 25}     // of a step: it fits a screen
)

// TestHouse measures the rooms of the house and holds their size. Arrows are held by TestLayers too, name by name.
func TestHouse(t *testing.T) {
	imports, _ := ourImports(t, "..")
	wrong := violations(imports)
	t.Logf("arrows: %d between packages of ours, %d of them forbidden", countArrows(imports), len(wrong))
	for _, w := range wrong {
		t.Error(w)
	}
	h := measureHouse(t, "..")
	var rooms []string
	for dir := range h.lines {
		rooms = append(rooms, dir)
	}
	sort.Strings(rooms)
	all, comments := 0, 0
	for _, dir := range rooms {
		t.Logf("%6d lines in %s, %d of them comments", h.lines[dir], dir, h.comments[dir])
		all, comments = all+h.lines[dir], comments+h.comments[dir]
	}
	t.Logf("%6d lines in all, %d of them comments, without tests; they were 72386 before the house was cut anew", all, comments)
	hall := readHall(t)
	for _, m := range []struct {
		what string
		have int
		bound
	}{
		{"files of package focus", len(hall.lines), hallFiles},
		{"lines of package focus that are no comments", h.lines["focus"] - h.comments["focus"], hallCode},
		{"lines of its longest file, " + hall.longest, hall.lines[hall.longest], fileLines},
		{"lines of the longest file of all, " + h.longest, h.inFile, fileLines},
		{"fields of the widest struct, " + h.widest, h.fields, fields},
		{"exported names of package focus", hall.exported, hallNames},
		{"lines of go doc ./focus", hall.doc, hallDoc},
		{"files that the steps' own calls lead to", len(hall.reached), stepsReach},
		{"lines of the longest step, " + hall.wordiest, hall.stepLines[hall.wordiest], stepLines},
	} {
		t.Logf("%6d %s; there may be %d, and the aim is %d", m.have, m.what, m.most, m.aim)
		if m.have > m.most {
			t.Errorf("%d %s: there may be %d", m.have, m.what, m.most)
		}
	}
	t.Logf("the steps' own calls lead to %s; their lines: %v", strings.Join(hall.reached, " "), hall.stepLines)
	if len(hall.stepLines) != len(steps) {
		t.Errorf("steps of the journey that were found: %v, want %v", hall.stepLines, steps)
	}
}

func countArrows(imports []imported) int {
	arrows := map[string]bool{}
	for _, i := range imports {
		if strings.HasPrefix(i.path, module+"/") {
			arrows[i.dir+" "+i.path] = true
		}
	}
	return len(arrows)
}

// house is what of all packages is measured.
type house struct {
	lines    map[string]int // by package
	comments map[string]int // those of them on which nothing else stands
	longest  string         // of all files
	inFile   int            // lines of it
	widest   string
	fields   int
}

func measureHouse(t *testing.T, root string) *house {
	t.Helper()
	h := &house{lines: map[string]int{}, comments: map[string]int{}}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && name != root) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		dir = filepath.ToSlash(dir)
		lines := bytes.Count(source, []byte{'\n'})
		for line := range bytes.Lines(source) {
			if bytes.HasPrefix(bytes.TrimSpace(line), []byte("//")) {
				h.comments[dir]++
			}
		}
		if h.lines[dir] += lines; lines > h.inFile {
			h.longest, h.inFile = path.Join(dir, d.Name()), lines
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		h.widen(dir, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// widen counts the fields of a file's structs; an embedded one counts as one.
func (h *house) widen(dir string, file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		named, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		if s, ok := named.Type.(*ast.StructType); ok {
			// A Config has one field for each key of the file; its parts are structs of their own.
			if fields := s.Fields.NumFields(); fields > h.fields && named.Name.Name != "Config" {
				h.widest, h.fields = path.Base(dir)+"."+named.Name.Name, fields
			}
		}
		return true
	})
}

// hall is what of package focus is measured.
type hall struct {
	lines     map[string]int // by file
	longest   string
	exported  int            // types, functions, constants and variables; methods and fields are counted with their type
	doc       int            // lines that go doc shows of the package: what it says, and a line for each name
	stepLines map[string]int // of the journey's steps, as they stand in journey.go
	wordiest  string         // the longest of them
	reached   []string       // files that what they call stands in
}

func readHall(t *testing.T) *hall {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	h, set := &hall{lines: map[string]int{}, stepLines: map[string]int{}}, token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
		h.doc += bytes.Count(new(doc.Package).Text(file.Doc.Text()), []byte{'\n'})
		if h.lines[name] = set.File(file.Pos()).LineCount() - 1; h.longest == "" || h.lines[name] > h.lines[h.longest] {
			h.longest = name
		}
	}
	// Other packages are not read: what of them is called leads out of this one.
	check := types.Config{Importer: nowhere{}, Error: func(error) {}}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg, _ := check.Check(module+"/focus", set, files, info)
	for _, name := range pkg.Scope().Names() {
		if token.IsExported(name) {
			h.exported++
		}
	}
	h.doc += h.exported
	h.follow(set, files, info, pkg)
	return h
}

// follow finds the files of the package in which that stands what the steps themselves call.
func (h *hall) follow(set *token.FileSet, files []*ast.File, info *types.Info, pkg *types.Package) {
	reached := map[string]bool{}
	for _, file := range files {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if name := set.Position(d.Pos()).Filename; !ok || name != "journey.go" || f.Recv == nil || !slices.Contains(steps, f.Name.Name) {
				continue
			}
			reached["journey.go"] = true
			h.stepLines[f.Name.Name] = set.Position(d.End()).Line - set.Position(d.Pos()).Line + 1
			if h.stepLines[f.Name.Name] > h.stepLines[h.wordiest] {
				h.wordiest = f.Name.Name
			}
			ast.Inspect(f.Body, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					if called, ok := info.Uses[id].(*types.Func); ok && called.Pkg() == pkg {
						reached[set.Position(called.Pos()).Filename] = true
					}
				}
				return true
			})
		}
	}
	for name := range reached {
		h.reached = append(h.reached, name)
	}
	sort.Strings(h.reached)
}

// nowhere finds no package.
type nowhere struct{}

func (nowhere) Import(path string) (*types.Package, error) {
	return nil, fmt.Errorf("%s: %w", path, errors.ErrUnsupported)
}
