package strict

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestWhatCannotBeRead(t *testing.T) {
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 9; i++ {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	ladder := "a0: &a0 [x]\n"
	for i := 1; i < 100; i++ {
		ladder += fmt.Sprintf("a%d: &a%d [*a%d]\n", i, i, i-1)
	}
	for _, c := range []struct{ name, file, want string }{
		{"syntax", "a: [1, 2\nb: 3\n", "x.yaml:2:1: not YAML: "},
		{"tab", "a:\n\tb: 1\n", "x.yaml:2:1: not YAML: found character '\t' that cannot start any token; indent with spaces"},
		{"no colon", "a: 1\nb 2\nc: 3\n", "x.yaml:"},
		{"no blank behind a colon", "a:1\nb: 2\n", "x.yaml:1:1: not YAML: unexpected key name; is a colon missing, the blank behind a colon or a dash, or the indentation off?"},
		{"no blank behind a dash", "a:\n  b:\n  -x\n  -y\nc: 1\n", "x.yaml:4:3: not YAML: non-map value is specified; is a colon missing, the blank behind a colon or a dash, or the indentation off?"},
		{"wide colon before a list", "a: {b：[x]}\n", "x.yaml:1:5: not YAML: could not find flow map content; on this line stands ：, and YAML knows but : , [ ] { } \" ' # - and a plain blank"},
		{"wide colons", "name: a\ntopic：\n  terms：[绿茶，红茶]\nseeds: []\n", "x.yaml:2:1: not YAML: non-map value is specified; on this line stands ：, and YAML knows but"},
		{"a wide colon on the line before", "name：绿茶\n# which\n\ntopic:\n  terms: [绿茶]\n", "x.yaml:4:1: not YAML: value is not allowed in this context; on line 1 stands ：, and YAML knows but"},
		{"a wide colon in what is read", "name: 茶：绿茶\nb 2\nc: 3\n", "x.yaml:2:1: not YAML: non-map value is specified; is a colon missing"},
		{"wide dashes", "a:\n  b:\n  － x\n  － y\nc: 1\n", "x.yaml:4:3: not YAML: non-map value is specified; on this line stands －, and"},
		{"wide braces", "a:\n  - ｛term: x, weight: 0.5｝\n", "x.yaml:2:12: not YAML: mapping value is not allowed in this context; on this line stands ｛, ｝, and"},
		{"wide quotes", "a: \"b”\nc: d\n", "x.yaml:1:4: not YAML: could not find end character of double-quoted text; on this line stands ”, and"},
		{"a path of Windows", "a: \"C:\\crawls\"\n", "x.yaml:1:8: not YAML: found unknown escape character 'c'; in double quotes a backslash begins an escape: write a path with /, or in single quotes"},
		{"a tab beside wide signs", "a:\n\tb: 茶，绿茶\n", "x.yaml:2:1: not YAML: found character '\t' that cannot start any token; indent with spaces"},
		{"an escape beside wide signs", "a: \"茶，\\c\"\n", "x.yaml:1:8: not YAML: found unknown escape character 'c'; in double quotes a backslash"},
		{"a reserved sign beside wide ones", "a: @茶，绿茶\n", "x.yaml:1:4: not YAML: '@' is a reserved character; write what begins with it in quotation marks"},
		{"two documents", "a: 1\n---\nb: 2\n", "x.yaml:3:1: a second document; a file holds one"},
		{"unknown alias", "a: *b\n", "x.yaml:1:4: a: no anchor &b before this alias"},
		{"pattern", "hosts: [*.edu.cn]\n", `x.yaml:1:9: hosts[0]: no anchor &.edu.cn before this alias; a pattern that begins with * stands in quotation marks: "*.edu.cn"`},
		{"circle", "a: &a [*a]\n", "x.yaml:1:8: a[0]: an alias inside its own anchor &a, which would contain itself without end; write out what belongs here, or put the anchor on a part beside it"},
		{"bomb", bomb, "x.yaml:1:1: 100001 values when its aliases are written out, at most 100000 are read"},
		{"ladder", ladder, "x.yaml:64:12: a63[0]: more than 64 levels deep"},
		{"brackets", strings.Repeat("[", 1000), "x.yaml:1:65: more than 64 brackets open at once"},
		{"dashes", strings.Repeat("- ", 1000) + "x", "x.yaml:1:1: more than 64 levels on one line"},
		{"tag", "a: !!str 5\n", "x.yaml:1:4: a: a tag (!!str); write the value without it"},
		{"latin-1", "name: caf\xe9\n", "x.yaml:1:10: not UTF-8; save the file as UTF-8"},
		{"NUL", "name: a\x00b\n", "x.yaml:1:8: a NUL byte; is this a text file?"},
		{"too long", strings.Repeat("# long\n", 200_000), "x.yaml: longer than 1048576 bytes; is this the right file? A long list of start pages is a file of its own (thresher inject)"},
		{"key", "~: 1\n", "x.yaml:1:1: a key must be a word"},
		{"merge", "a:\n  <<: 5\n", "x.yaml:2:7: a.<<: want an alias of a mapping, such as *base"},
	} {
		n, err := Parse("x.yaml", []byte(c.file))
		if err == nil {
			t.Errorf("%s: read as %s", c.name, Flow(n))
			continue
		}
		if first, _, _ := strings.Cut(err.Error(), "\n"); !strings.HasPrefix(first, c.want) {
			t.Errorf("%s:\nhave %s\nwant %s", c.name, err, c.want)
		}
	}
}

func TestNodesTellKeysKindsAndPlaces(t *testing.T) {
	n, err := Parse("s.yaml", []byte(`# a strategy
base: &base {decay: 0.5, window: 10}
rank:
  mix:
    - {use: inherited, with: {<<: *base, decay: 0.8}}
    - {use: "5", on: no, off: null, empty: , flag: true}
other: *base
text: |
  two
  lines
`))
	if err != nil {
		t.Fatal(err)
	}
	if have := n.Keys(); !slices.Equal(have, []string{"base", "rank", "other", "text"}) {
		t.Errorf("keys %v", have)
	}
	rank, _ := n.Get("rank")
	mix, _ := rank.Get("mix")
	if mix.Kind() != List || len(mix.Items()) != 2 {
		t.Fatalf("mix is %v", mix.Kind())
	}
	with, _ := mix.Items()[0].Get("with")
	if line, column := with.At(); line != 5 || column != 30 || with.Path() != "rank.mix[0].with" {
		t.Errorf("with at %d:%d %s", line, column, with.Path())
	}
	if have := Flow(with); have != "{decay: 0.8, window: 10}" {
		t.Errorf("with is %s", have)
	}
	if have := Flow(mix.Items()[1]); have != `{use: "5", on: no, off: null, empty: null, flag: true}` {
		t.Errorf("second is %s", have)
	}
	other, _ := n.Get("other")
	if line, _ := other.At(); line != 7 || Flow(other) != "{decay: 0.5, window: 10}" {
		t.Errorf("other at line %d: %s", line, Flow(other))
	}
	if text, _ := n.Get("text"); text.Text() != "two\nlines\n" || text.Kind() != Text {
		t.Errorf("text is %q", text.Text())
	}
	if none, ok := n.Get("none"); ok || none.Kind() != Absent || none.Path() != "none" {
		t.Errorf("none is %v", none)
	}
}

func TestAnEmptyFileIsEmpty(t *testing.T) {
	for _, file := range []string{"", "\n", "# nothing\n", "---\n"} {
		n, err := Parse("x.yaml", []byte(file))
		if err != nil || n.Kind() != Null {
			t.Errorf("%q: %v, %v", file, n.Kind(), err)
		}
	}
}

// TestAColonAlonePartsNothing: nothing is a pair whose colon has no space behind it, whatever brackets are around.
func TestAColonAlonePartsNothing(t *testing.T) {
	for _, c := range []struct{ file, list string }{
		{"a: [http://a.example:3128, socks5://b.example:1080/]\n", "a"},
		{"{a: [http://a.example:3128, socks5://b.example:1080/]}\n", "a"},
		{"{a: [ http://a.example:3128 ,\n    socks5://b.example:1080/ ], b: {c: d}}\n", "a"},
		{"{b: {a: [\"http://a.example:3128\", 'socks5://b.example:1080/']}}\n", "b.a"},
	} {
		n, err := Parse("x.yaml", []byte(c.file))
		if err != nil {
			t.Errorf("%s%v", c.file, err)
			continue
		}
		for key := range strings.SplitSeq(c.list, ".") {
			n, _ = n.Get(key)
		}
		if have := Flow(n); !strings.Contains(have, "http://a.example:3128") || !strings.Contains(have, "socks5://b.example:1080/") || strings.Contains(have, "{") {
			t.Errorf("%sis read as %s", c.file, have)
		}
	}
	for _, pair := range []string{"{a: [b: 1]}", "{a: [{b: 1}]}", "{a: [\"b\":1]}"} {
		if n, err := Parse("x.yaml", []byte(pair)); err != nil || Flow(n) != "{a: [{b: 1}]}" {
			t.Errorf("%s is read as %s (%v)", pair, Flow(n), err)
		}
	}
}

// TestWhatIsParsedAgainIsAsItWas: a document that was parsed before is not parsed anew, and what was made of it meanwhile has not
// changed it. It belongs to the file it was read from.
func TestWhatIsParsedAgainIsAsItWas(t *testing.T) {
	text := []byte("a: &x {b: 1, c: two}\nd: [*x, {e: 3}]\n")
	first, err := Parse("one.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	said := Flow(first)
	below, _ := first.Get("a")
	other, err := Parse("two.yaml", text)
	if err != nil || other.File() != "two.yaml" {
		t.Errorf("it is of %s (%v)", other.File(), err)
	}
	for _, changed := range []Node{
		first.Without("a"), first.With("a", "changed"), below.Over(first), first.Over(below), first.Rename("elsewhere"),
		first.Rewrite(func(string, Node) string { return "changed" }),
	} {
		if changed.Kind() != Map {
			t.Error("it is no mapping")
		}
	}
	again, err := Parse("one.yaml", text)
	if err != nil || again.value != first.value || Flow(again) != said {
		t.Errorf("it is %s (%v), want %s as before", Flow(again), err, said)
	}
	for range 2 {
		if _, err := Parse("bad.yaml", []byte("a: [")); err == nil {
			t.Error("what is wrong is told once only")
		}
	}
}
