package index

import (
	"strings"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// field is a part of a page that is searched.
type field uint8

const (
	title field = iota
	headings
	body
	inlinks
	address
	fieldCount
)

// fieldNames are the fields in weights, in explanations, and in bleve.
var fieldNames = [fieldCount]string{"title", "headings", "text", "links", "address"}

// placed are the fields in which phrases are looked for.
var placed = []field{title, headings, body}

// compounds is the name in bleve of the field with a field's words of several characters.
func (f field) compounds() string { return fieldNames[f] + ".words" }

// surfaces is the name in bleve of the field with the words that a person may be typing, as they are written.
const surfaces = "surfaces"

// longestField is how much of a field is indexed. What is beyond is a book, and is found by its beginning.
const longestField = 2 << 20

// writing is what a page is to be found by.
type writing [fieldCount]string

// writingOf is what a page is found by. linked are the words of its in-links. The title element is among the headings where it is not
// the title: whatever a judge may have kept the page for is found.
func writingOf(r *sink.Record, s *sheet, linked string) writing {
	w := writing{title: r.Title, headings: s.Headings, body: r.Text, inlinks: linked, address: addressWords(answered(r))}
	if w[headings] == "" {
		w[headings] = headingsOf(r.Markdown)
	}
	if !strings.Contains(r.Title, s.Title) {
		w[headings] = s.Title + "\n" + w[headings]
	}
	if r.Description != "" {
		w[body] += "\n" + r.Description
	}
	for f := range w {
		w[f] = clippedView(w[f], longestField)
	}
	return w
}

func clippedView(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}

// headingsOf are the headings of a page as its Markdown has them: what there is where its bytes are gone.
func headingsOf(markdown string) string {
	var b strings.Builder
	for line := range strings.Lines(markdown) {
		if heading := strings.TrimLeft(line, "#"); len(heading) < len(line) && strings.HasPrefix(heading, " ") {
			b.WriteString(heading)
		}
	}
	return b.String()
}
