package outlet

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// Chunk says how long chunks are, in characters.
type Chunk struct {
	Least   int // shorter sections are joined to the next
	Most    int
	Overlap int // of a chunk with the one before it, within a section
}

// UsualChunk are the usual lengths.
var UsualChunk = Chunk{Least: 200, Most: 1200, Overlap: 150}

// Piece is one chunk: a stretch of a page's Markdown, found there again by its place.
type Piece struct {
	ID        uint64   `json:"id"` // of the page, with the chunk's number below
	Chunk     int      `json:"chunk"`
	Chunks    int      `json:"chunks"` // of the page
	URL       string   `json:"url"`
	Title     string   `json:"title"`
	Headings  []string `json:"headings"` // those that it stands under, the highest first
	Text      string   `json:"text"`
	At        int      `json:"at"` // bytes of the page's Markdown before it
	Language  string   `json:"language"`
	Date      string   `json:"date"`
	Relevance *float64 `json:"relevance"` // null where the record has none
	Cluster   uint64   `json:"cluster"`
	Gone      string   `json:"gone"` // when the page was found out; "" while it is there, so that all lines have the same fields
}

// chunks writes chunks, an object a line.
type chunks struct {
	out *json.Encoder
	Chunk
}

func newChunks(w io.Writer, c Chunk) (*chunks, error) {
	if c == (Chunk{}) {
		c = UsualChunk
	}
	if c.Most < 50 || c.Least < 0 || c.Least > c.Most || c.Overlap < 0 || c.Overlap > c.Most/2 {
		return nil, fmt.Errorf("chunks of %d to %d characters that overlap by %d cannot be made: want at least 50 at the most, and an overlap of half of that", c.Least, c.Most, c.Overlap)
	}
	out := sink.JSONTo(w)
	out.SetEscapeHTML(false) // an address reads as in every other form
	return &chunks{out, c}, nil
}

func (c *chunks) Encode(r *sink.Record) error {
	pieces := c.of(r)
	for i := range pieces {
		pieces[i].Chunk, pieces[i].Chunks = i, len(pieces)
		if err := c.out.Encode(&pieces[i]); err != nil {
			return err
		}
	}
	return nil
}

// of are the chunks of a page.
func (c *chunks) of(r *sink.Record) (pieces []Piece) {
	whole := r.Markdown
	if strings.TrimSpace(whole) == "" {
		whole = r.Text
	}
	var relevance *float64
	if x := r.Relevant(); x == x {
		relevance = &x
	}
	for _, s := range c.sections(whole) {
		for _, at := range c.cuts(whole[s.from:s.to]) {
			text := whole[s.from+at[0] : s.from+at[1]]
			left := len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace))
			if text = strings.TrimSpace(text); text == "" {
				continue
			}
			pieces = append(pieces, Piece{ID: r.ID, URL: r.FinalURL, Title: r.Title, Headings: s.under, Text: text, At: s.from + at[0] + left,
				Language: r.Language, Date: r.Date, Relevance: relevance, Cluster: r.Cluster, Gone: r.Gone})
		}
	}
	return pieces
}

// section is what stands under a heading, the heading with it.
type section struct {
	from, to int
	under    []string
}

// sections parts a text at its headings. A section that is too short is joined to the next one.
func (c *chunks) sections(whole string) []section {
	all := []section{{under: []string{}}}
	levels := []int{}
	under := []string{}
	fence := 0 // how many marks the block of code began with that the line stands in
	at := 0
	for line := range strings.Lines(whole) {
		bare := unsigned(line)
		fence = fenced(fence, bare)
		if level, title := heading(bare); level > 0 && fence == 0 {
			for len(levels) > 0 && levels[len(levels)-1] >= level {
				levels, under = levels[:len(levels)-1], under[:len(under)-1]
			}
			levels, under = append(levels, level), append(slices.Clone(under), title)
			last := &all[len(all)-1]
			if last.to = at; utf8.RuneCountInString(strings.TrimSpace(whole[last.from:at])) >= c.Least {
				all = append(all, section{from: at, under: under})
			} else if strings.TrimSpace(whole[last.from:at]) == "" {
				last.under = under
			}
		}
		at += len(line)
	}
	all[len(all)-1].to = len(whole)
	return all
}

// signs begin the lines of quotations and items of lists, in which headings and blocks of code may stand, too.
var signs = regexp.MustCompile(`^(?: *(?:>|-|[0-9]+\.) )* *`)

// unsigned is a line without such signs.
func unsigned(line string) string {
	line = strings.TrimSpace(line)
	return line[len(signs.FindString(line)):]
}

// fenced is how many marks the block of code began with in which what follows a line stands, 0 where it stands in none. A block ends
// where at least as many stand alone.
func fenced(before int, line string) int {
	rest := strings.TrimLeft(line, "`")
	switch marks := len(line) - len(rest); {
	case before == 0 && marks >= 3 && !strings.Contains(rest, "`"): // else it is code in a line
		return marks
	case before > 0 && marks >= before && rest == "":
		return 0
	}
	return before
}

// heading is the level of a heading, 0 of another line, and what it says.
func heading(line string) (level int, title string) {
	rest := strings.TrimLeft(line, "#")
	if level = len(line) - len(rest); level == 0 || level > 6 || !strings.HasPrefix(rest, " ") {
		return 0, ""
	}
	return level, strings.TrimSpace(rest)
}

// cuts are the chunks of a section, from where to where. Each begins after the one before it does.
func (c *chunks) cuts(s string) (cuts [][2]int) {
	for from := 0; ; {
		from = len(s) - len(strings.TrimLeftFunc(s[from:], unicode.IsSpace))
		most := from + runes(s[from:], c.Most)
		if most >= len(s) {
			return append(cuts, [2]int{from, len(s)})
		}
		to := from + breakIn(s[from:most])
		cuts = append(cuts, [2]int{from, to})
		from = c.back(s, from, to)
	}
}

// back is where the chunk after one begins: so many characters before its end, at the beginning of a word.
func (c *chunks) back(s string, from, to int) int {
	_, first := utf8.DecodeRuneInString(s[from:])
	at := to
	for range c.Overlap {
		_, n := utf8.DecodeLastRuneInString(s[from+first : at])
		at -= n
	}
	for i, r := range s[at:to] {
		if unicode.IsSpace(r) || unicode.Is(unicode.Han, r) {
			return at + i
		}
	}
	return to
}

// runes is how many bytes so many characters at the beginning of a text take.
func runes(s string, n int) int {
	for at := range s {
		if n == 0 {
			return at
		}
		n--
	}
	return len(s)
}

// ends are what a chunk ends with at best, the best first.
var ends = []string{"\n\n", "\n", "。", "！", "？", ". ", "! ", "? ", "；", "; ", "，", ", ", " "}

// breakIn is where in its second half a text is best cut in two.
func breakIn(s string) int {
	half := runes(s, utf8.RuneCountInString(s)/2)
	for _, end := range ends {
		if at := strings.LastIndex(s[half:], end); at >= 0 {
			return half + at + len(end)
		}
	}
	return len(s)
}
