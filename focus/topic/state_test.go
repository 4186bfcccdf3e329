package topic

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/text"
)

// pages draws pages, a third of them of the topic.
func pages(n int) []*text.Doc {
	random := rand.New(rand.NewPCG(3, 3))
	on := strings.Fields("football league goal keeper striker cup coach match")
	off := strings.Fields("weather market stock cooking recipe garden music opera film price travel hotel")
	var out []*text.Doc
	for i := range n {
		var words []string
		for range 30 {
			w := off[random.IntN(len(off))]
			if i%3 == 0 && random.IntN(2) == 0 {
				w = on[random.IntN(len(on))]
			}
			words = append(words, w, fmt.Sprint("w", random.IntN(500)))
		}
		out = append(out, doc(strings.Join(words, " ")))
	}
	return out
}

func specs() map[string]Spec {
	examples := []*text.Doc{doc("football league goal"), doc("goal keeper striker football"), doc("cup match coach football")}
	return map[string]Spec{
		"terms":      {Terms: terms("football", "league:.5", "goal")},
		"both":       {Terms: terms("football"), Examples: examples},
		"restricted": {Judge: "vsm-restricted", Terms: terms("football", "league:.5", "goal")},
		"centroid":   {Judge: "centroid", Examples: examples},
		"bm25":       {Judge: "bm25", Terms: terms("football", "league:.5", "goal"), Examples: examples},
	}
}

func TestLearnedStateComesBackWhole(t *testing.T) {
	for name, s := range specs() {
		one, two := mustNew(t, s), mustNew(t, s)
		all := pages(157)
		for _, d := range all[:93] {
			one.Learn(d, one.Judge(d))
		}
		state := one.State()
		if err := two.Restore(state); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(state, two.State()) {
			t.Errorf("%s: state is another after it was restored", name)
		}
		for i, d := range all[93:] {
			a, b := one.Judge(d), two.Judge(d)
			if a.Raw != b.Raw || a.Relevance != b.Relevance || one.Sim("goal football") != two.Sim("goal football") {
				t.Fatalf("%s: page %d is judged %v, after restoring %v", name, i, a, b)
			}
			one.Learn(d, a)
			two.Learn(d, b)
		}
		if !bytes.Equal(one.State(), two.State()) {
			t.Errorf("%s: learning goes another way after restoring", name)
		}
	}
}

func TestDamagedStateIsRefused(t *testing.T) {
	one := mustNew(t, specs()["both"])
	state := one.State()
	for n := range state {
		if err := one.Restore(state[:n]); err == nil {
			t.Fatalf("a state cut to %d of %d bytes was taken", n, len(state))
		}
	}
	for i := range state {
		bad := bytes.Clone(state)
		bad[i] ^= 0x40
		if err := one.Restore(bad); err == nil || !strings.HasPrefix(err.Error(), "restore the topic: ") {
			t.Fatalf("a state with byte %d turned was taken: %v", i, err)
		}
	}
}

func TestVocabularyIsBounded(t *testing.T) {
	v := newVocabulary()
	v.protect([]string{"own"})
	v.limit = 100
	b := newBag()
	for i := range 1000 {
		b.reset(nil)
		b.add("often", 1)
		b.add(fmt.Sprint("rare", i), 1)
		v.add(b)
	}
	if len(v.list) > 100 || len(v.ids) != len(v.list) {
		t.Errorf("%d words, %d numbers", len(v.list), len(v.ids))
	}
	if v.df[v.ids["often"]] != 1000 || v.ids["own"] != 0 {
		t.Error("a frequent word, or one of the topic's own, was forgotten")
	}
}
