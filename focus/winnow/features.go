package winnow

import (
	"cmp"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/text"
)

// A page is a sparse vector of six groups of signs, each made one long and then weighed: its words, those of its title, of
// its address and of the links to it, where it stands, and which lists of links it stands in. No sign of a page is taken
// from its verdict.
const (
	ofText    = 1.0
	ofTitle   = .5
	ofAddress = .75
	ofPlace   = .75
	ofAnchors = .5
	ofLists   = 1.0
)

// kinds are the groups, in their order, and what each weighs.
var kinds = [...]struct {
	name   byte
	weight float64
}{{'w', ofText}, {'t', ofTitle}, {'a', ofAddress}, {'d', ofPlace}, {ofLinks, ofAnchors}, {'l', ofLists}}

// The first of them are of what a page itself has, the others of what links to it say.
const (
	ofItself = 4   // kinds
	ofLinks  = 'i' // words of links
)

// read makes the vectors of all pages.
func (l *look) read(o *Options) error {
	cutter, err := text.NewCutter(text.Options{UserDict: o.UserDict})
	if err != nil {
		return err
	}
	limit := cmp.Or(o.Limit, text.DefaultLimit)
	known := &lexicon{}
	known.fresh() // number 0 is the constant
	leads := l.leading(cutter, known)
	l.x = make([]packed, len(l.pages))
	room := &packing{known: known}
	has := make([][ofItself][]count[string], atOnce)
	err = l.someAtOnce(func(k, i int, said string) {
		p := &l.pages[i]
		title := wordsOf(cutter, p.Title)
		has[k] = [...][]count[string]{counted(append(wordsOf(cutter, within(said, limit)), title...)), counted(title), counted(wordsOfAddress(p.URL)), counted(directories(p.URL))}
	}, func(k, i int) {
		anchors, lists := leads.to(i)
		l.x[i] = room.pack(&has[k], anchors, lists)
	})
	l.size = len(known.starts)
	return err
}

// leads are what links say of the pages they lead to: their words, and the lists (page and block) in which these stand, by number.
type leads struct {
	ends     []int // by page
	said     []uint32
	list     []uint32
	wordEnds []int // by what is said
	words    []uint32
}

// to are the words of the links to a page, and their lists.
func (l *leads) to(page int) (words, lists []uint32) {
	said := ended(l.said, l.ends, page)
	for _, s := range said {
		words = append(words, ended(l.words, l.wordEnds, int(s))...)
	}
	return words, ended(l.list, l.ends, page)
}

// ended is one of several lists that stand one behind another.
func ended(all []uint32, ends []int, n int) []uint32 {
	from := 0
	if n > 0 {
		from = ends[n-1]
	}
	return all[from:ends[n]]
}

// leading finds them.
func (l *look) leading(cutter *text.Cutter, known *lexicon) *leads {
	at := l.places(len(l.pages), func(i int) *Page { return &l.pages[i] })
	next := make([]int, len(l.pages)+1) // where what leads to a page goes on
	each := func(visit func(from, to int, link *link)) {
		for from := range l.links {
			for i := range l.links[from] {
				if to := at[l.links[from][i].to]; to != nowhere && int(to) != from {
					visit(from, int(to), &l.links[from][i])
				}
			}
		}
	}
	each(func(_, to int, _ *link) { next[to+1]++ })
	for i := 1; i < len(next); i++ {
		next[i] += next[i-1]
	}
	all := next[len(next)-1]
	found := &leads{said: make([]uint32, all), list: make([]uint32, all)}
	lists, of := map[int32]uint32{}, -1
	each(func(from, to int, link *link) {
		if from != of {
			clear(lists)
			of = from
		}
		n, ok := lists[link.block]
		if !ok {
			n = known.fresh()
			lists[link.block] = n
		}
		found.said[next[to]], found.list[next[to]] = link.said, n
		next[to]++
	})
	found.ends = next[:len(l.pages)]
	found.call(cutter, known, &l.wordings)
	l.wordings = lexicon{} // nobody asks for them again
	return found
}

// call cuts what links say into words.
func (l *leads) call(cutter *text.Cutter, known, wordings *lexicon) {
	words := make([][]string, atOnce)
	l.wordEnds = make([]int, 0, len(wordings.starts))
	for from := 0; from < len(wordings.starts); from += atOnce {
		some := words[:min(atOnce, len(wordings.starts)-from)]
		learn.Each(len(some), func(k int) {
			_, said := wordings.at(uint32(from + k))
			some[k] = wordsOf(cutter, string(said))
		})
		for _, said := range some {
			for _, w := range said {
				l.words = append(l.words, known.number(ofLinks, w))
			}
			l.wordEnds = append(l.wordEnds, len(l.words))
		}
	}
}

func wordsOf(c *text.Cutter, s string) []string {
	tokens := c.Cut(nil, s)
	words := make([]string, len(tokens))
	for i, t := range tokens {
		words[i] = t.Term
	}
	return words
}

// within is the beginning of a text, as many bytes as are cut; less than 0 is all of it.
func within(s string, limit int) string {
	if limit < 0 || len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "")
}

// wordsOfAddress are the runs of letters of an address, single ones left out.
func wordsOfAddress(address string) []string {
	_, rest, _ := strings.Cut(address, "://")
	words := strings.FieldsFunc(strings.ToLower(rest), func(r rune) bool { return r < 'a' || r > 'z' })
	return slices.DeleteFunc(words, func(w string) bool { return len(w) < 2 })
}

// directories are the ways to a page that its address names: its host, and three levels below it.
func directories(address string) []string {
	_, rest, ok := strings.Cut(address, "://")
	if !ok {
		rest = address
	}
	rest, _, _ = strings.Cut(rest, "?")
	var all []string
	for at := 0; len(all) < 4; {
		next := strings.IndexByte(rest[at:], '/')
		if next < 0 {
			if len(all) == 0 {
				all = append(all, rest)
			}
			break
		}
		all = append(all, rest[:at+next])
		at += next + 1
	}
	return all
}
