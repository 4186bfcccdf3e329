package drawn

import (
	"embed"
	"slices"
	"strings"
	"unicode/utf8"
)

// articles holds what drawn pages say: a file per language and subject. An article is a line "# Title", its paragraphs, a
// line each, and what readers wrote under it, a line "> " each.
//
//go:embed articles
var articles embed.FS

// story is an article as it was written.
type story struct {
	title      string
	paragraphs []string
	comments   []string
}

// readStories reads the articles of a subject.
func readStories(code, name string) []story {
	text, err := articles.ReadFile("articles/" + code + "/" + name + ".txt")
	if err != nil {
		panic(err) // the files are built in
	}
	var list []story
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if title, ok := strings.CutPrefix(line, "# "); ok {
			list = append(list, story{title: title})
			continue
		}
		if line == "" {
			continue
		}
		s := &list[len(list)-1]
		if comment, ok := strings.CutPrefix(line, "> "); ok {
			s.comments = append(s.comments, comment)
		} else {
			s.paragraphs = append(s.paragraphs, line)
		}
	}
	return list
}

// telling is what one page says.
type telling struct {
	title      string
	paragraphs []string
}

// tellings are all that the articles of a subject give before anything is said again: each whole, one paragraph of each as
// an item of news, all its paragraphs beside those of others, and what readers wrote. No two say so much of the same that one
// would pass for a copy of the other.
func (t *tongue) tellings(d *dice, about *lexicon) []telling {
	var all []telling
	for i, s := range about.stories {
		item := s.paragraphs[i%len(s.paragraphs)]
		other := about.stories[(i+1)%len(about.stories)]
		all = append(all,
			telling{s.title, s.paragraphs},
			telling{t.newsTitle(s, item), []string{item, t.say("From: ", "摘自：") + s.title}},
			telling{t.say("Letters: ", "来信：") + s.title, slices.Concat(t.letters(s), t.letters(other))},
			t.digest(d, about, s, t.say("In brief: ", "简讯：")), t.digest(d, about, s, t.say("This week: ", "本周：")))
	}
	return all
}

// letters are what readers wrote about an article, whose beginning stands before them.
func (t *tongue) letters(s story) []string {
	return append([]string{s.title + t.say(": ", "：") + opening(s.paragraphs[0])}, s.comments...)
}

// digest is a paragraph of an article, and one each of two others.
func (t *tongue) digest(d *dice, about *lexicon, first story, kind string) telling {
	told := telling{title: kind + first.title}
	rest := slices.DeleteFunc(some(d, about.stories, 3), func(s story) bool { return s.title == first.title })
	for _, s := range append([]story{first}, rest[:2]...) {
		told.paragraphs = append(told.paragraphs, s.title+t.say(". ", "。")+pick(d, s.paragraphs))
	}
	return told
}

// tell hands out what the next page of a subject says; about is nil for a page of no topic.
func (w *drawing) tell(t *tongue, about *lexicon) telling {
	if about == nil {
		about = t.general
	}
	left, begun := w.untold[about]
	if !begun {
		left = t.tellings(w.d, about)
		shuffle(w.d, left)
	}
	if len(left) == 0 {
		w.untold[about] = left
		return t.digest(w.d, about, pick(w.d, about.stories), t.say("Once more: ", "再说："))
	}
	w.untold[about] = left[1:]
	return left[0]
}

// opening is the first sentence of a text.
func opening(text string) string {
	end := len(text)
	for _, stop := range []string{". ", "? ", "! ", "。", "？", "！"} {
		if i := strings.Index(text, stop); i >= 0 {
			end = min(end, i+len(strings.TrimSpace(stop)))
		}
	}
	return text[:end]
}

// headlineWidth is the most that a headline has in columns, of which a Chinese character takes two.
const headlineWidth = 64

// newsTitle is what an item of news is called: how it begins, below the article's title where that alone would say little.
func (t *tongue) newsTitle(s story, item string) string {
	title, width := headline(item)
	if width < headlineWidth/3 {
		return s.title + t.say(": ", "：") + title
	}
	return title
}

// headline makes a title of a text's first sentence: as much of it as fits, to a comma where there is one far enough.
func headline(text string) (title string, width int) {
	s := strings.TrimRight(opening(text), ".。")
	comma, fits := 0, 0
	for i, r := range s {
		if width += min(2, utf8.RuneLen(r)); width > headlineWidth {
			if comma > 0 {
				return s[:comma], width
			}
			return s[:fits] + "…", width
		}
		switch {
		case strings.ContainsRune(",:;，：；", r) && width > headlineWidth/3:
			comma = i
		case r == ' ' || r > 0x2e80:
			fits = i
		}
	}
	return s, width
}
