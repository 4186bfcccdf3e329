package winnow

import (
	"cmp"
	"math"
	"slices"
	"strconv"
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

// signs numbers what pages have. Number 0 is the constant.
type signs map[string]uint32

func (s signs) number(kind, sign string) uint32 {
	key := kind + sign
	n, ok := s[key]
	if !ok {
		n = uint32(len(s) + 1)
		s[key] = n
	}
	return n
}

// atOnce is how many pages are cut into words side by side.
const atOnce = 512

// read makes the vectors of all pages.
func (l *look) read(o *Options) error {
	cutter, err := text.NewCutter(text.Options{UserDict: o.UserDict})
	if err != nil {
		return err
	}
	limit := cmp.Or(o.Limit, text.DefaultLimit)
	anchors, lists := l.leading(cutter)
	known := signs{}
	l.x = make([]learn.Vector, len(l.pages))
	type cut struct{ title, body []string }
	words := make([]cut, atOnce)
	for from := 0; from < len(l.pages); from += atOnce { // the words of all pages take more room than their numbers
		some := l.pages[from:min(from+atOnce, len(l.pages))]
		learn.Each(len(some), func(i int) {
			words[i] = cut{wordsOf(cutter, some[i].Title), wordsOf(cutter, within(some[i].Text, limit))}
		})
		for i := range some {
			v := vector{known: known}
			v.group("w ", append(words[i].body, words[i].title...), ofText)
			v.group("t ", words[i].title, ofTitle)
			v.group("a ", wordsOfAddress(some[i].URL), ofAddress)
			v.group("d ", directories(some[i].URL), ofPlace)
			v.group("i ", anchors[from+i], ofAnchors)
			v.group("l ", lists[from+i], ofLists)
			l.x[from+i] = v.done()
			anchors[from+i], lists[from+i] = nil, nil
		}
	}
	l.size = len(known) + 1
	return nil
}

// leading are the words of the links to each page, and the lists (page and block) in which these stand.
func (l *look) leading(cutter *text.Cutter) (anchors, lists [][]string) {
	at := map[uint64]int{}
	for i := range l.pages {
		for _, k := range l.pages[i].Keys {
			if _, twice := at[k]; !twice {
				at[k] = i
			}
		}
	}
	anchors, lists = make([][]string, len(l.pages)), make([][]string, len(l.pages))
	known := map[string][]string{}
	for from := range l.pages {
		for _, link := range l.pages[from].Links {
			to, ok := at[link.To]
			if !ok || to == from {
				continue
			}
			words, ok := known[link.Anchor]
			if !ok {
				words = wordsOf(cutter, link.Anchor)
				known[link.Anchor] = words
			}
			anchors[to] = append(anchors[to], words...)
			lists[to] = append(lists[to], strconv.Itoa(from)+"/"+strconv.Itoa(int(link.Block)))
		}
	}
	return anchors, lists
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

// vector is a page's vector in the making.
type vector struct {
	known signs
	x     learn.Vector
}

// group adds signs of one kind, each with the logarithm of how often it is there.
func (v *vector) group(kind string, all []string, weight float64) {
	count := make(map[uint32]float64, len(all))
	order := make([]uint32, 0, len(all))
	for _, sign := range all {
		n := v.known.number(kind, sign)
		if count[n] == 0 {
			order = append(order, n)
		}
		count[n]++
	}
	norm := 0.0
	for _, n := range order {
		norm += math.Log1p(count[n]) * math.Log1p(count[n])
	}
	norm = math.Sqrt(norm)
	for _, n := range order {
		v.x.Index = append(v.x.Index, n)
		v.x.Value = append(v.x.Value, float32(weight*math.Log1p(count[n])/norm))
	}
}

func (v *vector) done() learn.Vector {
	v.x.Index, v.x.Value = append(v.x.Index, 0), append(v.x.Value, 1)
	return v.x
}
