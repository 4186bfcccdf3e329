package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestMessagesNameNoGo: who uses the command hears nothing of packages, types and functions. Messages that begin with the call
// they are about, and those of package focus, which tell a Go program what it did with its collector, are for its author.
func TestMessagesNameNoGo(t *testing.T) {
	name := regexp.MustCompile(`\b(focus|extensions|colly|crawlfile|strconv|json|http|sink|topic|rank|run|replay|wire|ground|study|winnow)\.[A-Z][a-z]\w*`)
	seen := 0
	for _, root := range []string{".", filepath.Join("..", "..", "focus")} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			ours := filepath.Dir(path) == filepath.Join("..", "..", "focus") || strings.HasSuffix(path, filepath.Join("run", "own.go")) // sinks of a program
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || ours {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
					seen++
					if at := name.FindStringIndex(literal.Value); at != nil && at[0] > 1 {
						t.Errorf("%s: %s", path, literal.Value)
					}
				}
				return true
			})
			return nil
		})
		noError(t, err)
	}
	if seen < 5000 {
		t.Errorf("only %d literals were seen", seen)
	}
}

// TestMessagesOfTheDecoderAreInPlainWords: the decoder of JSON names types of the program.
func TestMessagesOfTheDecoderAreInPlainWords(t *testing.T) {
	var record struct{ Title string }
	err := json.Unmarshal([]byte(`{"Title": 5}`), &record)
	if have := shown("line 3: " + err.Error()); have != "line 3: a number does not belong there: Title" {
		t.Errorf("%s", have)
	}
}

// TestAFileInOneLanguageForAWebInTheOther: both find what they look for, by the labels of the web, and leave the rest.
func TestAFileInOneLanguageForAWebInTheOther(t *testing.T) {
	root, _ := filepath.Abs(filepath.Join("..", ".."))
	labels := mustRead(t, filepath.Join(root, "testdata", "webs", "quickstart", "labels.tsv"))
	address := regexp.MustCompile(`"url":"([^"]+)"`)
	files(t)
	for name, topic := range map[string]string{"chinese-web": "tea", "english-web": "beekeeping"} {
		must(t, "crawl", filepath.Join(root, "configs", name+".yaml"), "--budget", "120", "--quiet")
		kept, right := keptPages(t, filepath.Join("runs", name)), 0
		for _, page := range kept {
			if strings.Contains(labels, "\n"+address.FindStringSubmatch(page)[1]+"\t"+topic+"\t") {
				right++
			}
		}
		if len(kept) < 30 || 10*right < 9*len(kept) {
			t.Errorf("%s: %d of the %d pages it keeps are about %s", name, right, len(kept), topic)
		}
	}
}
