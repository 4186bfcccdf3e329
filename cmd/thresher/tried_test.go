package main

import (
	"encoding/pem"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
)

// tried says why a line that somebody is told to try is none: a command that the program does not know, or would refuse as it is
// written, or a line that no crawl file may have. Every test that runs a command asks this of all that was proposed (thresher).
func tried(t *testing.T, line string) error {
	t.Helper()
	if !strings.HasPrefix(line, "thresher") {
		return triedInAFile(t, line)
	}
	root := newRoot()
	root.InitDefaultHelpFlag()
	root.InitDefaultHelpCmd()
	command, rest, err := root.Find(shellWords(line)[1:])
	if err != nil {
		return err
	}
	command.InitDefaultHelpFlag()
	if err := command.ParseFlags(rest); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			return nil
		}
		return err
	}
	if help, err := command.Flags().GetBool("help"); err == nil && help {
		return nil
	}
	if strings.Contains(command.Use, "RUN") { // whether the runs of a proposal are there is another question
		return nil
	}
	return command.ValidateArgs(command.Flags().Args())
}

// triedInAFile says why a line may not stand in a crawl file.
func triedInAFile(t *testing.T, line string) error {
	t.Helper()
	dir := t.TempDir()
	file, text := filepath.Join(dir, "tried.yaml"), "topic: {terms: [tea]}\n"+line+"\n"
	if !strings.HasPrefix(line, "seeds:") {
		text += "seeds: [https://www.example.org/]\n"
	}
	if strings.Contains(line, "LOGINS") {
		noError(t, os.WriteFile(filepath.Join(dir, "LOGINS"), []byte("https://NAME:PASSWORD@www.example.org/\n"), 0o600))
	}
	if strings.Contains(line, "FILE") { // one of certificates
		server := httptest.NewTLSServer(nil)
		defer server.Close()
		writeCertificate(t, filepath.Join(dir, "FILE"), server)
	}
	noError(t, os.WriteFile(file, []byte(text), 0o600))
	_, err := crawlfile.Load(file)
	return err
}

// writeCertificate writes that of a server into a file.
func writeCertificate(t *testing.T, file string, server *httptest.Server) {
	t.Helper()
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	noError(t, os.WriteFile(file, block, 0o600))
}

// A line that nobody can type is found.
func TestALineThatIsNoneIsFound(t *testing.T) {
	for _, line := range []string{"thresher crwl x.yaml", "thresher crawl x.yaml --budgte 5", "thresher crawl", "thresher list harvest --top many", "fetch: {prviate: [a]}",
		"look at how the names are written"} {
		if err := tried(t, line); err == nil {
			t.Errorf("%q passes", line)
		}
	}
	for _, line := range []string{"thresher --help", "thresher crawl configs/quickstart.yaml", "thresher why https://www.example.org/ --run runs/x", "fetch: {private: [127.0.0.1]}"} {
		if err := tried(t, line); err != nil {
			t.Errorf("%q: %v", line, err)
		}
	}
}

// TestWhatMistakesProposeCanBeTyped: the line that stands beside each mistake in the source, where it is made of constants.
func TestWhatMistakesProposeCanBeTyped(t *testing.T) {
	names, err := filepath.Glob("*.go")
	noError(t, err)
	set, constants := token.NewFileSet(), map[string]ast.Expr{}
	var proposed []ast.Expr
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		noError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, value := range n.Values {
					constants[n.Names[i].Name] = value
				}
			case *ast.CompositeLit:
				if kind, ok := n.Type.(*ast.Ident); ok && kind.Name == "usageError" && len(n.Elts) == 2 {
					proposed = append(proposed, n.Elts[1])
				}
			}
			return true
		})
	}
	known := 0
	for _, expr := range proposed {
		line, ok := constantText(expr, constants)
		if !ok {
			continue
		}
		known++
		if err := tried(t, line); err != nil {
			t.Errorf("%v: %q: %v", set.Position(expr.Pos()), line, err)
		}
	}
	if t.Logf("%d of %d proposals are constants", known, len(proposed)); known < len(proposed)/2 {
		t.Error("fewer than half are looked at")
	}
}

// TestWhatIsProposedInTheUsersOwnWordsCanBeTyped: the lines that are made of names which somebody has given, also of such as a shell
// would part. The one of a crawl on Redis is asked for by TestASharedCrawlIsSpokenTo; thresher parses every line.
func TestWhatIsProposedInTheUsersOwnWordsCanBeTyped(t *testing.T) {
	web := filepath.Join(home, "testdata", "webs", "quickstart")
	files(t, "a file.yaml", goodFile, "it's.yaml", goodFile, "no seeds.yaml", "topic: {terms: [tea]}\nseeds: []\npolite: {contact: you@example.org}\n")
	must(t, "crawl", filepath.Join(home, "configs", "quickstart.yaml"), "--web", web, "--store", "two machines/m 1", "--budget", "40", "--quiet")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"crawl", "a file.yaml", "--compare", "my strategy"}, "thresher crawl configs/quickstart.yaml --compare 'my strategy'"},
		{[]string{"repair", "--run", "two machines"}, "thresher list harvest --run 'two machines/m 1'"},
		{[]string{"init", "a file", "--terms", "tea"}, "thresher check 'a file.yaml'"},
		{[]string{"init", "it's", "--terms", "tea"}, `thresher check 'it'\''s.yaml'`},
		{[]string{"judge", "a page.html"}, "thresher judge configs/quickstart.yaml 'a page.html'"},
		{[]string{"list", "frontier", "--top", "-1"}, "thresher list frontier --top 20"},
		{[]string{"list", "refused", "--reason", "none", "--run", "two machines/m 1"}, "thresher list refused --reason "},
		{[]string{"crawl", "--budgte", "5"}, "thresher crawl configs/quickstart.yaml"},
		{[]string{"crwl"}, "thresher --help"},
		{[]string{"seeds", "a file.yaml"}, "thresher seeds 'a file.yaml' --yes --top 10"},
		{[]string{"seeds", "no seeds.yaml", "--yes"}, "thresher seeds 'no seeds.yaml' "},
		{[]string{"train", "judge", "--topic", "tea pots"}, "--topic 'tea pots'"},
		{[]string{"train", "judge", "--web", "my web", "--topic", "tea pots", "--relevant", "x"}, "thresher train judge --web 'my web' --topic 'tea pots'"},
	} {
		code, _, errs := thresher(t, c.args...)
		_, try, ok := strings.Cut(errs, "\n  try: ")
		if code != exitMisuse || !ok || !strings.Contains(try, c.want) {
			t.Errorf("%q: exit %d, it proposes %q, want %q", c.args, code, try, c.want)
		}
	}
}

// constantText is what an expression of texts and constants comes to.
func constantText(expr ast.Expr, constants map[string]ast.Expr) (string, bool) {
	switch e := expr.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.Ident:
		value, ok := constants[e.Name]
		if !ok {
			return "", false
		}
		return constantText(value, constants)
	case *ast.BinaryExpr:
		left, ok := constantText(e.X, constants)
		right, also := constantText(e.Y, constants)
		return left + right, ok && also && e.Op == token.ADD
	}
	return "", false
}
