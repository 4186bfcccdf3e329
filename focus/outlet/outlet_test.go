package outlet

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/warc"
)

const article = `# 茶

绿茶是不发酵茶。` + "它的香气清新，产地很多。它的香气清新，产地很多。它的香气清新，产地很多。它的香气清新，产地很多。" + `

## Brewing

Water of 80 degrees, and two minutes. More makes it bitter.

` + "````\n```" + `
# no heading, but code
` + "````" + `

### In a pot

One spoon a cup.

- ### In a cup

  1. ` + "```\n     # one spoon\n     ```" + `

> ## 储存
>
> 干燥，避光。
`

// noError ends the test where something has failed that it only needs.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func piecesOf(t testing.TB, c Chunk, r *sink.Record) (pieces []Piece) {
	t.Helper()
	var out bytes.Buffer
	form, err := New("chunks", &out, Options{Chunk: c})
	noError(t, err)
	noError(t, form.Encode(r))
	for line := range bytes.Lines(out.Bytes()) {
		var p Piece
		if err := json.Unmarshal(line, &p); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		pieces = append(pieces, p)
	}
	return pieces
}

// held says what is wrong with the chunks of a text: they are stretches of it, in order, as long as they may be, and nothing of it is
// missing.
func held(whole string, most int, pieces []Piece) string {
	covered := 0
	for i, p := range pieces {
		switch {
		case p.At < 0 || p.At+len(p.Text) > len(whole) || whole[p.At:p.At+len(p.Text)] != p.Text:
			return fmt.Sprintf("chunk %d does not stand at %d: %q", i, p.At, p.Text)
		case utf8.RuneCountInString(p.Text) > most || p.Chunk != i || p.Chunks != len(pieces):
			return fmt.Sprintf("chunk %d of %d has %d characters", p.Chunk, p.Chunks, utf8.RuneCountInString(p.Text))
		case i > 0 && p.At <= pieces[i-1].At:
			return fmt.Sprintf("chunk %d begins at %d, after one at %d", i, p.At, pieces[i-1].At)
		}
		if p.At > covered && strings.TrimSpace(whole[covered:p.At]) != "" {
			return fmt.Sprintf("%q is in no chunk", whole[covered:p.At])
		}
		covered = max(covered, p.At+len(p.Text))
	}
	if rest := strings.TrimSpace(whole[covered:]); rest != "" {
		return fmt.Sprintf("%q is in no chunk", rest)
	}
	return ""
}

// TestAnArchiveOfNoPageIsOfToday: no harvest was made in the year 1.
func TestAnArchiveOfNoPageIsOfToday(t *testing.T) {
	var out bytes.Buffer
	noError(t, newArchive(&out, nil).Close())
	in, err := warc.NewReader(&out)
	noError(t, err)
	if about, err := in.Next(); err != nil || about.Type != "warcinfo" || about.Date.Year() < 2020 {
		t.Errorf("%v: %+v", err, about)
	}
}

func TestChunks(t *testing.T) {
	r := &sink.Record{ID: 7, FinalURL: "http://tea.example/", Title: "Tea", Markdown: article, Relevance: .5, Again: sink.Again{Cluster: 7}}
	pieces := piecesOf(t, Chunk{Least: 0, Most: 60, Overlap: 10}, r)
	if wrong := held(article, 60, pieces); wrong != "" {
		t.Error(wrong)
	}
	under := map[string]bool{}
	for _, p := range pieces {
		under[strings.Join(p.Headings, " > ")] = true
		if p.ID != 7 || p.URL != r.FinalURL || p.Title != "Tea" || p.Relevance == nil || *p.Relevance != .5 || p.Cluster != 7 {
			t.Errorf("%+v", p)
		}
	}
	for _, want := range []string{"茶", "茶 > Brewing", "茶 > Brewing > In a pot", "茶 > Brewing > In a cup", "茶 > 储存"} {
		if !under[want] {
			t.Errorf("no chunk stands under %q, but under %v", want, under)
		}
	}
	if len(under) != 5 {
		t.Errorf("chunks stand under %v", under)
	}
	overlapping := 0
	for i := 1; i < len(pieces); i++ {
		if pieces[i].At < pieces[i-1].At+len(pieces[i-1].Text) {
			overlapping++
		}
	}
	if overlapping == 0 {
		t.Error("no chunk begins with what the one before it ends with")
	}
	if joined := piecesOf(t, Chunk{Least: 1000, Most: 1200, Overlap: 0}, r); len(joined) != 1 || held(article, 1200, joined) != "" {
		t.Errorf("short sections are not joined: %d", len(joined))
	}
	if none := piecesOf(t, Chunk{}, &sink.Record{Title: "empty"}); len(none) > 0 {
		t.Errorf("of nothing: %+v", none)
	}
	for _, c := range []Chunk{{Most: 10}, {Most: 100, Least: 200}, {Most: 100, Overlap: 60}, {Most: 100, Overlap: -1}} {
		if _, err := New("chunks", nil, Options{Chunk: c}); err == nil {
			t.Errorf("%+v was taken", c)
		}
	}
}

// TestChunksHaveTheSameFields: readers of lines take the fields of the first ones for all, and lose or refuse what comes later.
func TestChunksHaveTheSameFields(t *testing.T) {
	fields := func(r *sink.Record) []string {
		t.Helper()
		var out bytes.Buffer
		form, err := New("chunks", &out, Options{})
		noError(t, err)
		var line map[string]any
		noError(t, errors.Join(form.Encode(r), json.Unmarshal(out.Bytes(), &line)))
		return slices.Sorted(maps.Keys(line))
	}
	there := fields(&sink.Record{ID: 1, Text: "tea"})
	if gone := fields(&sink.Record{ID: 2, Text: "tea", Again: sink.Again{Visits: sink.Visits{Gone: "2026-01-02T03:04:05Z"}}}); !slices.Equal(there, gone) {
		t.Errorf("a page that is there has %v, one that is gone %v", there, gone)
	}
}

func FuzzChunks(f *testing.F) {
	f.Add(article, 60, 10, 20)
	f.Add("# a\n# b\n## c\n"+strings.Repeat("word ", 100), 50, 25, 0)
	f.Add(strings.Repeat("蜂", 300), 50, 20, 5)
	f.Add(" 的香气清新，"+strings.Repeat("0", 17)+"! "+strings.Repeat("0", 34)+"储", 60, 25, 20) // cut where less than the overlap stands before
	f.Fuzz(func(t *testing.T, text string, most, overlap, least int) {
		c := Chunk{Least: least, Most: most, Overlap: overlap}
		if _, err := newChunks(nil, c); err != nil || !utf8.ValidString(text) {
			t.Skip()
		}
		if c == (Chunk{}) {
			c = UsualChunk
		}
		pieces := piecesOf(t, c, &sink.Record{ID: 1, Markdown: text})
		if wrong := held(text, c.Most, pieces); wrong != "" && strings.TrimSpace(text) != "" {
			t.Errorf("%+v: %s", c, wrong)
		}
	})
}

// A page's file has what is known of it at its head, whatever its title tries, and a name that every system takes.
func TestMarkdownFiles(t *testing.T) {
	dir := t.TempDir()
	p := Pages{dir}
	for i, r := range []*sink.Record{
		{Title: "Tea: \"green\"\n---\nurl: http://evil.example/", Markdown: "# Tea\n\nIt is *green*.", Text: "It is green.", Imprint: sink.Imprint{Author: "Ann", Date: "2024-05-01"}, Language: "en", Relevance: .75, Digest: "sha256:1"},
		{Title: "绿茶 / 红茶", Text: "茶。", Relevance: .5},
		{Title: "../../etc/passwd", Text: "x"},
		{Title: strings.Repeat("长", 300)},
	} {
		r.ID, r.FinalURL, r.Time, r.Cluster = uint64(i+1), fmt.Sprintf("http://tea.example/%d", i), time.Unix(1e9, 0), 1
		noError(t, p.Encode(r))
	}
	files, err := os.ReadDir(dir)
	noError(t, err)
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
		if len(f.Name()) > 200 || strings.ContainsFunc(f.Name(), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '-' && c != '.' }) {
			t.Errorf("a file is called %q", f.Name())
		}
	}
	if want := []string{"000001-tea-green-url-http-evil-example.md", "000002-绿茶-红茶.md", "000003-etc-passwd.md", "000004-" + strings.Repeat("长", mostSlug) + ".md"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	raw, err := os.ReadFile(filepath.Join(dir, names[0]))
	want := "---\ntitle: \"Tea: \\\"green\\\" --- url: http://evil.example/\"\nurl: \"http://tea.example/0\"\nauthor: \"Ann\"\ndate: \"2024-05-01\"\n" +
		"fetched: 2001-09-09T01:46:40Z\nlanguage: \"en\"\nrelevance: 0.7500\ncluster: 1\ndigest: \"sha256:1\"\n---\n\n# Tea\n\nIt is *green*.\n"
	if err != nil || string(raw) != want {
		t.Errorf("%v: %s", err, raw)
	}
}

// Near duplicates have one number, that of the first of them.
func TestClusters(t *testing.T) {
	say := func(of string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%[1]s%[2]d says %[1]s%[3]d < %[1]s%[4]d things of its own. ", of, i, i*i, i*7)
		}
		return b.String()
	}
	c := NewClusters()
	var got []uint64
	for i, text := range []string{say("sail", 80), say("tea", 80), say("sail", 80) + "Edited.", say("bee", 80), say("tea", 80), "short", "short enough",
		say("a", 20) + "<" + say("b", 60) + ">", say("a", 20) + "<" + say("c", 60) + ">"} {
		got = append(got, c.Add(&sink.Record{ID: uint64(i + 1), FinalURL: fmt.Sprintf("http://a.example/%d", i), Text: text}))
	}
	if want := []uint64{1, 2, 1, 4, 2, 6, 7, 8, 9}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A site is on one side, with all of its hosts, and of many sites about the share that was asked for is.
func TestSplit(t *testing.T) {
	in := 0
	for i := range 2000 {
		site := fmt.Sprintf("site%d.co.uk", i)
		train := Train("www."+site, .8)
		if train {
			in++
		}
		for _, host := range []string{site, "shop." + site, "www." + site + ":8080"} {
			if Train(host, .8) != train {
				t.Errorf("%s is not where www.%s is", host, site)
			}
		}
	}
	if in < 1520 || in > 1680 {
		t.Errorf("%d of 2000 sites", in)
	}
}
