package measure

import (
	"regexp"
	"strings"
)

var figure = regexp.MustCompile(`\d+`)

// In puts a report into another language: every name, head, axis and cell that stands among the words is said by its
// word there. A word may have figures in it, which stand as # on both sides, in the same order.
func (r *Report) In(language string, words map[string]string) {
	say := func(s *string) { *s = said(*s, words) }
	r.Language = language
	say(&r.Title)
	for i := range r.Facts {
		say(&r.Facts[i].Name)
		say(&r.Facts[i].Value)
	}
	for i := range r.Sections {
		s := &r.Sections[i]
		say(&s.Title)
		say(&s.Text)
		if c := s.Chart; c != nil {
			say(&c.X)
			say(&c.Y)
			for i := range c.Lines {
				say(&c.Lines[i].Name)
			}
		}
		if t := s.Table; t != nil {
			for i := range t.Head {
				say(&t.Head[i])
			}
			for _, row := range t.Rows {
				for i := range row {
					say(&row[i])
				}
			}
		}
	}
}

// said is a text by the words, or as it is where they do not have it.
func said(text string, words map[string]string) string {
	if word, ok := words[text]; ok {
		return word
	}
	word, ok := words[figure.ReplaceAllString(text, "#")]
	if !ok {
		return text
	}
	for _, f := range figure.FindAllString(text, -1) {
		word = strings.Replace(word, "#", f, 1)
	}
	return word
}
