package text

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestSearchWords holds what a search index gets: every character and every spaced word in its place, and compounds over them.
func TestSearchWords(t *testing.T) {
	c := newTestCutter(t)
	for text, want := range map[string]string{
		"The universities of 2019": "the@0 univers@1 of@2 2019@3",
		"世界杯ＡＢＣ":                   "世@0 界@1 杯@2 世界 世界杯 abc@3",
		"張益唐 met A":                "张@0 益@1 唐@2 met@3 a@4",
		"カナ x":                     "カ@0 ナ@1 カナ x@2",
		"":                         "",
		"cafe\u0301 E\u0301COLE":   "café@0 école@1",
		"\u1112\u1161\u11ab":       "한@0",
		"\xff\xfe 中":               "中@0",
	} {
		var got []string
		for _, w := range c.Search(nil, text) {
			if w.Form == Compound {
				if !strings.Contains("张益唐", w.Term) { // what the model makes of a name is its own affair
					got = append(got, w.Term)
				}
				continue
			}
			got = append(got, fmt.Sprintf("%s@%d", w.Term, w.Place))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %s, want %s", text, strings.Join(got, " "), want)
		}
	}
}

// TestSearchWordsWithoutAccents holds that a cutter that takes accents off gives the word without and, over it, the one with them.
func TestSearchWordsWithoutAccents(t *testing.T) {
	c, err := NewCutter(Options{Plain: true, Terms: []string{"ecole", "Größe"}})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"Les Écoles E\u0301":   "les@0 ecol@1 écoles e@2 é",
		"Łódź, smørrebrød":     "lodz@0 łódź smorrebrod@1 smørrebrød",
		"Größe Άνθρωπος":       "gross@0 größe ανθρωπος@1 άνθρωπος",
		"Всё, йод, हिन्दी, がぎ": "все@0 всё йод@1 हिन्दी@2 が@3 ぎ@4 がぎ",
		"thé för the":          "thé@0 för@1 the@2",
		"plain":                "plain@0",
	} {
		var got []string
		for _, w := range c.Search(nil, text) {
			if w.Place < 0 {
				got = append(got, w.Term)
			} else {
				got = append(got, fmt.Sprintf("%s@%d", w.Term, w.Place))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %s, want %s", text, strings.Join(got, " "), want)
		}
	}
	if found := c.Find(nil, "L'École, ecoles, GROSSE und größe"); len(found) != 4 {
		t.Errorf("found %v", found)
	}
}

// TestSearchWordsOfMegabytes: however long a word is, its term is not, and has no torn character; the word keeps its place and its ends,
// and what follows it is cut as ever.
func TestSearchWordsOfMegabytes(t *testing.T) {
	c, err := NewCutter(Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, piece := range []string{"b", "e\u0301", "é", "7", "a.b", "x'y", "가", "ﷺ", "İ", "и"} {
		long := strings.Repeat(piece, 300_000)
		words := c.Search(nil, "solar "+long+" energy")
		for _, w := range words {
			if len(w.Term) > longestTerm*2 || !utf8.ValidString(w.Term) { // a few characters are longer when they are folded
				t.Fatalf("%s: a term has %d bytes", piece, len(w.Term))
			}
		}
		if w := words[1]; w.Place != 1 || w.End-w.Start != len(long) || len(w.Term) < longestTerm/4 {
			t.Errorf("%s: the word is %d bytes long, in place %d, and its term %d", piece, w.End-w.Start, w.Place, len(w.Term))
		}
		if w := words[len(words)-1]; w.Term != "energi" || w.Place != 2 {
			t.Errorf("%s: %q follows in place %d", piece, w.Term, w.Place)
		}
	}
}

// TestSearchWordsStandWhereTheySay holds that characters and spaced words never overlap, and that every word stands where it
// says it does, over generated texts.
func TestSearchWordsStandWhereTheySay(t *testing.T) {
	c := newTestCutter(t)
	for seed := range uint64(10) {
		text := generated(seed, 2000, []string{"張益唐", "Ｃ＋＋", "カナ", "U.S."})
		end, place := 0, 0
		for _, w := range c.Search(nil, text) {
			if w.Form == Compound {
				if Fold(text[w.Start:w.End]) != w.Term {
					t.Fatalf("%q stands as %q", w.Term, text[w.Start:w.End])
				}
				continue
			}
			if w.Start < end || w.Place != place {
				t.Fatalf("%+v overlaps what ends at %d, or is not in place %d", w, end, place)
			}
			end, place = w.End, place+1
		}
	}
}

func newTestCutter(t *testing.T) *Cutter {
	t.Helper()
	c, err := NewCutter(Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
