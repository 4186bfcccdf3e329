package drawn

import (
	_ "embed" // the words
	"strings"
)

//go:embed words/en.txt
var english string

//go:embed words/zh.txt
var chinese string

// lexicon holds the words of one subject, and its articles.
type lexicon struct {
	name    string
	words   map[string][]string // by kind: terms, channel, sites …
	stories []story
}

// tongue is a language of a drawn web.
type tongue struct {
	code    string // en or zh
	general *lexicon
	topics  []*lexicon
}

// say chooses between two wordings of the same.
func (t *tongue) say(en, zh string) string {
	if t.code == "zh" {
		return zh
	}
	return en
}

// readWords reads a file of words: [name] opens a lexicon, "kind: a | b | c" adds to it; general is the first. Its kind
// articles names the files of what is written about it.
func readWords(code, text string) *tongue {
	t := &tongue{code: code}
	var open *lexicon
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "["); ok {
			open = &lexicon{name: strings.TrimSuffix(name, "]"), words: map[string][]string{}}
			if t.general == nil {
				t.general = open
			} else {
				t.topics = append(t.topics, open)
			}
			continue
		}
		kind, list, ok := strings.Cut(line, ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		open.words[kind] = strings.Split(list, " | ")
		if kind == "articles" {
			for _, file := range open.words[kind] {
				open.stories = append(open.stories, readStories(code, file)...)
			}
		}
	}
	return t
}
