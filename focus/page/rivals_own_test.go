//go:build rivals

package page

import (
	"bytes"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/thresher-crawler/thresher/focus/wire/charset"
)

// TestRivalsOverTheirPages compares them over the real pages that the rivals themselves are tested with: some thousand of which a few
// phrases are known that belong to the text or do not, and some hundred of which all of it is known, as one of the rivals has it.
func TestRivalsOverTheirPages(t *testing.T) {
	var phrases [3]verdicts
	var whole [3]tally
	all := rivals()
	for _, p := range phrasedPages(t) {
		for i, r := range all {
			phrases[i].add(p, r.of(p.body, p.address))
		}
	}
	for _, p := range wholePages(t) {
		for i, r := range all {
			whole[i].add(overlap(r.of(p.body, "http://fakehost/test/page.html"), p.text))
		}
	}
	for i, r := range all {
		t.Logf("%-15s phrases of %.0f pages: precision %.3f recall %.3f F1 %.3f   whole text of %d pages: F1 %.3f",
			r.name, phrases[i].pages, phrases[i].precision(), phrases[i].recall(), phrases[i].f1(), whole[i].n, whole[i].mean())
	}
	if phrases[0].f1() < max(phrases[1].f1(), phrases[2].f1()) {
		t.Error("a rival knows better what belongs to the text")
	}
}

// ownPage is a page of which something is known: phrases that belong to its text and phrases that do not, or all of the text.
type ownPage struct {
	address       string
	body          []byte
	with, without []string
	text          string
}

// verdicts count the phrases that are in a text and should be, or should not, and those that are not and should be.
type verdicts struct{ pages, right, wrong, lost float64 }

func (v *verdicts) add(p ownPage, text string) {
	v.pages++
	for _, s := range p.with {
		if strings.Contains(text, s) {
			v.right++
		} else {
			v.lost++
		}
	}
	for _, s := range p.without {
		if strings.Contains(text, s) {
			v.wrong++
		}
	}
}

func (v verdicts) precision() float64 { return v.right / (v.right + v.wrong) }
func (v verdicts) recall() float64    { return v.right / (v.right + v.lost) }
func (v verdicts) f1() float64        { return 2 * v.right / (2*v.right + v.wrong + v.lost) }

// moduleFolder is where the source of a module is, which the test has as a dependency.
func moduleFolder(t *testing.T, module string) string {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// phrasedPages are the pages that go-trafilatura is compared over. What is known of them stands in a program of its own.
func phrasedPages(t *testing.T) (pages []ownPage) {
	dir := moduleFolder(t, "github.com/markusmobius/go-trafilatura")
	file, err := parser.ParseFile(gotoken.NewFileSet(), filepath.Join(dir, "scripts", "comparison", "data.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		entry, ok := n.(*ast.KeyValueExpr)
		if !ok || !strings.HasPrefix(literal(entry.Key), "http") {
			return true
		}
		p := ownPage{address: literal(entry.Key)}
		for _, field := range entry.Value.(*ast.CompositeLit).Elts {
			pair := field.(*ast.KeyValueExpr)
			switch pair.Key.(*ast.Ident).Name {
			case "File":
				p.body = found(t, dir, literal(pair.Value))
			case "With":
				p.with = literals(pair.Value)
			case "Without":
				p.without = literals(pair.Value)
			}
		}
		if p.body != nil {
			pages = append(pages, p)
		}
		return false
	})
	return pages
}

func literals(list ast.Expr) (all []string) {
	for _, e := range list.(*ast.CompositeLit).Elts {
		all = append(all, literal(e))
	}
	return all
}

// literal is what a string literal says.
func literal(e ast.Expr) string {
	if l, ok := e.(*ast.BasicLit); ok {
		s, _ := strconv.Unquote(l.Value)
		return s
	}
	return ""
}

// found reads a page of the comparison, in UTF-8; nil where it is not there.
func found(t *testing.T, dir, name string) []byte {
	for _, folder := range []string{"comparison", "mock", "simple"} {
		body, err := os.ReadFile(filepath.Join(dir, "test-files", folder, name))
		if err == nil {
			body, _ = charset.Decode(body, "")
			return body
		}
	}
	t.Logf("%s is not there", name)
	return nil
}

// wholePages are the pages that go-readability is tested with, and what it takes for their text.
func wholePages(t *testing.T) (pages []ownPage) {
	dirs, err := filepath.Glob(filepath.Join(moduleFolder(t, "codeberg.org/readeck/go-readability/v2"), "test-pages", "*"))
	if err != nil || len(dirs) == 0 {
		t.Fatal("there are no pages", err)
	}
	for _, dir := range dirs {
		body, err := os.ReadFile(filepath.Join(dir, "source.html"))
		known, missing := os.ReadFile(filepath.Join(dir, "expected.html"))
		if err != nil || missing != nil {
			continue
		}
		root, err := html.Parse(bytes.NewReader(known))
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for n := range root.Descendants() {
			if n.Type == html.TextNode {
				text.WriteString(n.Data + " ")
			}
		}
		pages = append(pages, ownPage{body: body, text: text.String()})
	}
	return pages
}

var inWords = regexp.MustCompile(`[\pL\pN_]+`)

// overlap is the F1 of the words of two texts.
func overlap(a, b string) float64 {
	count := func(s string) (words map[string]int, n int) {
		words = map[string]int{}
		for _, w := range inWords.FindAllString(strings.ToLower(s), -1) {
			words[w]++
			n++
		}
		return words, n
	}
	x, n := count(a)
	y, m := count(b)
	both := 0
	for w := range x {
		both += min(x[w], y[w])
	}
	return 2 * float64(both) / float64(max(n+m, 1))
}
