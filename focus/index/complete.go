package index

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	bleveindex "github.com/blevesearch/bleve_index_api"

	"github.com/thresher-crawler/thresher/focus/text"
)

// mostEntries is how many words of the index are looked at for one completion, or for one word that none has.
const mostEntries = 5000

// Complete answers how a query that is being written may go on: with its last word completed by words of titles and links,
// those first that stand on most pages.
func Complete(from []*Collection, written string, most int) ([]string, error) {
	written = clippedView(written, 4*longestQuery)
	begin := lastWord(written)
	pages := map[string]int{}
	prefix := text.Typed(written[begin:])
	for prefix != "" {
		for _, c := range from {
			if err := c.complete(prefix, pages); err != nil {
				return nil, err
			}
		}
		first, n := utf8.DecodeRuneInString(written[begin:])
		if len(pages) > 0 || !unicode.Is(unicode.Han, first) {
			break
		}
		begin += n // nothing parts the words of Chinese: one may begin later
		prefix = text.Typed(written[begin:])
	}
	words := make([]string, 0, len(pages))
	for w := range pages {
		if w != prefix {
			words = append(words, w)
		}
	}
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(cmp.Compare(pages[b], pages[a]), cmp.Compare(a, b)) })
	words = words[:min(len(words), most)]
	for i, w := range words {
		words[i] = written[:begin] + w
	}
	return words, nil
}

// lastWord is where the word begins that is being written: behind a space or a mark, or where the script changes.
func lastWord(s string) int {
	for i := len(s); i > 0; {
		r, n := utf8.DecodeLastRuneInString(s[:i])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			return i
		}
		i -= n
		if i > 0 {
			if before, _ := utf8.DecodeLastRuneInString(s[:i]); unicode.Is(unicode.Han, before) != unicode.Is(unicode.Han, r) {
				return i
			}
		}
	}
	return 0
}

func (c *Collection) complete(prefix string, pages map[string]int) error {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.open == nil || c.rewritten() {
		return nil
	}
	dict, err := c.open.reader.FieldDictPrefix(surfaces, []byte(prefix))
	if err != nil {
		return err
	}
	return entries(dict, func(word string, entry *bleveindex.DictEntry) error {
		pages[word] += int(entry.Count)
		return nil
	})
}

// entries visits the words of a dictionary, of very many the first, and closes it.
func entries(dict bleveindex.FieldDict, visit func(word string, entry *bleveindex.DictEntry) error) error {
	defer dict.Close()
	for range mostEntries {
		entry, err := dict.Next()
		if err != nil || entry == nil {
			return err
		}
		if err := visit(strings.Clone(entry.Term), entry); err != nil {
			return err
		}
	}
	return nil
}
