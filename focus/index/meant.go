package index

import (
	"context"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	bleveindex "github.com/blevesearch/bleve_index_api"

	"github.com/thresher-crawler/thresher/focus/text"
)

// meant is the query with words that pages have in the place of those that none has; empty where no word is near to one of these.
func (s *seeker) meant(ctx context.Context) (string, error) {
	query := s.q.written
	for _, word := range s.strange {
		near, err := s.near(ctx, text.Typed(word))
		if err != nil {
			return "", err
		}
		if near != "" {
			query = swapped(query, word, near)
		}
	}
	if query == s.q.written {
		return "", nil
	}
	return query, nil
}

// swapped is a query with another word in the place of one, where that is a word of its own that is looked for: not a part of a longer
// one, and not in a phrase, a filter or what is not wanted. Where there is no such place it is the query as it was.
func swapped(query, word, by string) string {
	was := ParseQuery(query)
	for at := 0; ; {
		i := strings.Index(query[at:], word)
		if i < 0 {
			return query
		}
		begin := at + i
		at = begin + len(word)
		before, _ := utf8.DecodeLastRuneInString(query[:begin])
		if isSpelt(before) || isSpelt(firstOf(query[at:])) {
			continue
		}
		now := ParseQuery(query[:begin] + by + query[at:])
		swapped := now.written
		if now.Words, now.written = was.Words, was.written; reflect.DeepEqual(now, was) {
			return swapped
		}
	}
}

// isSpelt tells what words consist of that blanks part.
func isSpelt(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.Is(unicode.Han, r)
}

// near is the word of titles and links that is written most like one that no page has, and of such the one on most pages; empty where
// none is near. Short words are near to too many, and what has digits in it is a name of which each letter counts.
func (s *seeker) near(ctx context.Context, word string) (string, error) {
	letters := utf8.RuneCountInString(word)
	if letters < 4 || letters > longestMeant || strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }) {
		return "", nil
	}
	edits := 1
	if letters >= 8 {
		edits = 2
	}
	nearest := uint8(edits)
	pages := map[string]uint64{}
	for _, p := range s.places {
		err := p.g.written(word, edits, func(near string, far uint8) error {
			if far > nearest {
				return nil
			}
			on, err := newPostings(ctx, p.g.reader, surfaces, near, false)
			if err != nil {
				return err
			}
			if n := on.count(); n > 0 { // else the pages that had it are gone
				if far < nearest {
					nearest = far
					clear(pages)
				}
				pages[near] += n
			}
			return on.close()
		})
		if err != nil {
			return "", err
		}
	}
	best := ""
	for near, n := range pages {
		if best == "" || n > pages[best] || n == pages[best] && near < best {
			best = near
		}
	}
	return best, nil
}

// written visits the words of titles and links that differ from one in so many letters at most.
func (g *generation) written(like string, edits int, visit func(word string, far uint8) error) error {
	in, ok := g.reader.(bleveindex.IndexReaderFuzzy)
	if !ok {
		return nil
	}
	dict, err := in.FieldDictFuzzy(surfaces, like, edits, "")
	if err != nil {
		return err
	}
	return entries(dict, func(word string, entry *bleveindex.DictEntry) error { return visit(word, entry.EditDistance) })
}

// longestMeant is how many letters a word may have that others are looked for in the place of.
const longestMeant = 30
