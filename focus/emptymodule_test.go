package focus_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

// emptyModule is a module of nothing but this one, which it requires by replace, as a program that somebody begins.
func emptyModule(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	here, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	ours, err := os.ReadFile(filepath.Join(here, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(here, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	_, needs, _ := strings.Cut(string(ours), "\n")
	own := "module example.org/begun\n" + needs + "\nrequire " + module + " v0.0.0\n\nreplace " + module + " => " + here + "\n"
	for name, content := range map[string][]byte{"go.mod": []byte(own), "go.sum": sums} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// inModule runs the go command in a module, without a network.
func inModule(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOGC=400")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// programs builds one program of some, each the body of a function, and answers what runs one of them in a folder and says what it
// prints. That they are linked once halves what they cost.
func programs(t *testing.T, bodies map[string]string, imports ...string) (run func(name, dir string) string) {
	t.Helper()
	program := "package main\n\nimport (\n\t\"os\"\n"
	for _, i := range imports {
		program += "\t\"" + i + "\"\n"
	}
	program += ")\n\nfunc main() {\n\tswitch os.Args[1] {\n"
	for name, body := range bodies {
		program += fmt.Sprintf("\tcase %q:\n%s", name, body)
	}
	dir := emptyModule(t)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(program+"\t}\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	inModule(t, dir, "build", "-ldflags=-s -w", "-o", "program", ".")
	return func(name, in string) string {
		cmd := exec.Command(filepath.Join(dir, "program"), name)
		cmd.Dir = in
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		return string(out)
	}
}

// exampleFiles are the files of Examples, by the folder of their package. Every Example stands in one of them, and they need no
// other file of tests, so that they are whole programs for whoever copies them.
func exampleFiles(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != ".."):
			return filepath.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.HasPrefix(d.Name(), "example") {
			found[filepath.Dir(path)] = append(found[filepath.Dir(path)], path)
		} else if bytes.Contains(source, []byte("\nfunc Example")) {
			t.Errorf("%s has an Example: those stand in files that begin with example", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// copyExamples makes an ordinary package of a package's files of Examples, and answers calls of those that say what they print.
func copyExamples(t *testing.T, from string, files []string, to, name string) (calls string) {
	t.Helper()
	if err := os.MkdirAll(to, 0o700); err != nil {
		t.Fatal(err)
	}
	there, err := filepath.Abs(from)
	if err != nil {
		t.Fatal(err)
	}
	set, parsed := token.NewFileSet(), []*ast.File(nil)
	for _, path := range files {
		f, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(f.Name.Name, "_test") {
			t.Errorf("%s is of package %s: an Example sees what its reader sees", path, f.Name.Name)
		}
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		source = bytes.Replace(source, []byte("package "+f.Name.Name+"\n"), []byte("package "+name+"\n"), 1)
		if err := os.WriteFile(filepath.Join(to, strings.TrimSuffix(filepath.Base(path), "_test.go")+".go"), source, 0o600); err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, f)
	}
	for _, e := range doc.Examples(parsed...) {
		if e.Output == "" && !e.EmptyOutput {
			t.Errorf("%s: Example%s does not say what it prints: nobody runs it", from, e.Name)
			continue
		}
		says := "Output:"
		if e.Unordered {
			says = "Unordered output:"
		}
		for line := range strings.Lines(e.Output) {
			says += "\n\t// " + strings.TrimRight(line, "\n")
		}
		calls += fmt.Sprintf("\nfunc Example_%s_%s() {\n\tos.Chdir(%q)\n\t%s.Example%s()\n\t// %s\n}\n", name, e.Name, there, name, e.Name, says)
	}
	return calls
}

// TestExamplesFromAnEmptyModule: each Example compiles in a module that has nothing else, and with THRESHER_BUILD (.ci/long modules)
// prints what it says there, all of them in one program, as it does in its own package.
func TestExamplesFromAnEmptyModule(t *testing.T) {
	files := exampleFiles(t)
	if testing.Short() {
		t.Skip("it builds a program")
	}
	dir := emptyModule(t)
	var folders []string
	for from := range files {
		folders = append(folders, from)
	}
	sort.Strings(folders)
	imports, calls := "", ""
	for i, from := range folders {
		name := fmt.Sprintf("of%d%s", i, filepath.Base(from))
		imports += fmt.Sprintf("\t%q\n", "example.org/begun/"+name)
		calls += copyExamples(t, from, files[from], filepath.Join(dir, name), name)
	}
	want := strings.Count(calls, "\nfunc Example")
	if want < 50 {
		t.Fatalf("there are only %d examples", want)
	}
	if os.Getenv("THRESHER_BUILD") == "" {
		inModule(t, dir, "vet", "-unusedresult", "./...") // types are checked as in a build, and the go command remembers for which files
		return
	}
	all := "package begun\n\nimport (\n\t\"os\"\n\n" + imports + ")\n" + calls
	if err := os.WriteFile(filepath.Join(dir, "all_test.go"), []byte(all), 0o600); err != nil {
		t.Fatal(err)
	}
	out := inModule(t, dir, "test", "-vet=off", "-count=1", "-v", ".")
	if ran := strings.Count(out, "--- PASS: Example_"); ran != want {
		t.Errorf("%d of %d examples passed\n%s", ran, want, out)
	}
}
