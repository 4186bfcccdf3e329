package rank

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"github.com/thresher-crawler/thresher/focus/page"
)

// partsOf says in plain words what nextPart finds quickly.
func partsOf(s string) (parts []string) {
	for _, run := range strings.FieldsFunc(s, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		from, before := 0, false
		for i, c := range run {
			han := unicode.Is(unicode.Han, c)
			if i > from && han != before {
				parts = append(parts, run[from:i])
				from = i
			}
			before = han
		}
		parts = append(parts, run[from:])
	}
	return parts
}

// oddText is text of all kinds of characters, broken ones too.
func oddText(r *rand.Rand) string {
	pieces := []string{"a", "b1", "Courses", "7", "٣", "é", "ＢＢＣ", "课", "程", "々", "〇", "⺀", "の", "ж", " ", "/", ".", "-", "·", "，", "%E8", "\xe8", "\xe8\xaf", "\xff", "\u0301"}
	var b strings.Builder
	for range r.IntN(12) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func TestPartsOfLinks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		s := oddText(r)
		var have []string
		for i := 0; ; {
			p := nextPart(s, i)
			if p.begin == p.end {
				break
			}
			word := s[p.begin:p.end]
			have = append(have, word)
			digits := strings.IndexFunc(word, func(c rune) bool { return !unicode.IsDigit(c) }) < 0
			if p.letters == digits {
				t.Fatalf("%q of %q: letters is %v", word, s, p.letters)
			}
			i = p.end
		}
		if want := partsOf(s); !reflect.DeepEqual(have, want) {
			t.Fatalf("%q has the parts %q, want %q", s, have, want)
		}
	}
}

// What is remembered of links read before changes nothing: their class is that of the words they were trained by.
func TestRememberedLinksHaveTheClassOfTheirWords(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	m := courses(t, "backoff")
	var links []*page.Link
	for i := range 100 {
		l := &page.Link{URL: "http://a.example/" + oddText(r) + fmt.Sprintf("/Lectures%d", i%7), Anchor: oddText(r) + " 课程作业" + oddText(r)}
		m.Add(l, 1+r.IntN(9))
		links = append(links, l)
	}
	ready := m.unigram.Ready()
	for range 3 {
		for _, l := range links {
			var plain []int32
			address, anchor := m.Read(l)
			for _, w := range append(address, anchor...) {
				plain = append(plain, ready.Number(w))
			}
			if have, want := m.Class(l), ready.Class(plain); have != want {
				t.Fatalf("%q %q is in class %d, want %d", l.URL, l.Anchor, have, want)
			}
		}
		links[0].Anchor = strings.Repeat("新闻", 200)
	}
}

// Letters of full width say what those of half width say, to an apprentice too.
func TestWideLettersAreHeardAsLetters(t *testing.T) {
	hear := func(s string) []uint64 {
		var p speaker
		p.text(s)
		return p.raw
	}
	for wide, narrow := range map[string]string{
		"ＢＢＣ新闻，２０２４年 ｉＰｈｏｎｅ15": "BBC新闻，2024年 iPhone15",
		"（ＮＢＡ）":       "(NBA)",
		"，。新闻ＡＢ":      "，。新闻AB",
		"\xef\xbc＊Ａ1": "\xef\xbc＊A1",
	} {
		if have, want := hear(wide), hear(narrow); !reflect.DeepEqual(have, want) || len(want) == 0 {
			t.Errorf("%s is heard as %x, %s as %x", wide, have, narrow, want)
		}
	}
}
