package text

import (
	"math/rand/v2"
	"testing"
)

// A word is passed over by its first two letters where no stem of a term begins so: the stem of every word begins as headOf says.
func TestAStemBeginsAsItsWordDoes(t *testing.T) {
	endings := []string{"", "s", "es", "ies", "ied", "ed", "ing", "ly", "'s", "ness", "ational", "ization", "ful", "ement", "y", "eed", "eedly", "bli", "ogi", "iveness"}
	r := rand.New(rand.NewPCG(7, 7))
	looked := 0
	check := func(w string) {
		first, second, ok := headOf(w)
		if !ok {
			return
		}
		looked++
		if stem := wordEntry(w).term; len(stem) > 1 && (stem[0] != first || stem[1] != second) || stem[0] != first {
			t.Errorf("%q: the stem is %q, and the word begins %c%c", w, stem, first, second)
		}
	}
	for _, w := range []string{"dying", "lying", "tying", "skis", "skies", "Idly", "gently", "ugly", "early", "only", "singly", "news", "inning", "outing",
		"canning", "herring", "earring", "proceed", "exceed", "succeed", "general", "communism", "arsenal", "IS", "us", "Ph.D.", "AT&T", "c++", "ab.cd"} {
		check(w)
	}
	for range 300_000 {
		b := make([]byte, 1+r.IntN(6))
		for i := range b {
			b[i] = "abcdefghijklmnopqrstuvwxyzaeiouaeiousstt"[r.IntN(40)]
		}
		check(string(b) + endings[r.IntN(len(endings))])
	}
	if looked < 100_000 {
		t.Errorf("only %d words have been looked at", looked)
	}
}

// FuzzPasses holds that no word is passed over that a term may begin with.
func FuzzPasses(f *testing.F) {
	for _, s := range []string{"Solar s.o.l.a.r. s o, c.", "U.S. us F-16 AT&T at&t", "Ph.D. phd dying died", "C++ c# c", ".NET é étude", "S\xffolar s_ olar"} {
		f.Add(s)
	}
	c := cutter(f, Options{Terms: append([]string{"solar", "U.S.", "c", "Ph.D.", "AT&T", "dying", "étude", "F-16"}, trickyTerms...)})
	f.Fuzz(func(t *testing.T, s string) {
		for i, r := range s {
			if classOf(r) != word {
				continue
			}
			w := s[i:scanWord(s, i)]
			if node := c.terms.words.next[c.lexicon.word(w).term]; node != nil && (c.terms.passes(s, i) || !c.terms.mayBegin(s[i:])) {
				t.Errorf("%q is passed over in %q", w, s)
			}
		}
	})
}

// A term that was copied from a page or a document brings signs along that nobody sees; pages are read without them.
func TestSignsThatNobodySeesAreNoPartOfATerm(t *testing.T) {
	cutter, err := NewCutter(Options{Terms: []string{"普\u200b洱", "photo\u00advoltaic", "\ufeffsolar", "\u0e44\u0e17\u200b\u0e22"}})
	if err != nil {
		t.Fatal(err)
	}
	if keys := cutter.Keys(); keys[0] != "普洱" || keys[1] != Stem("photovoltaic") || keys[2] != "solar" {
		t.Errorf("%q", keys)
	}
	if found := cutter.Find(nil, "普洱 and photovoltaic"); len(found) != 2 {
		t.Errorf("%v", found)
	}
	if thai := "\u0e44\u0e17\u200b\u0e22"; Seen(thai) != thai {
		t.Error("in Thai such a sign parts words")
	}
}
