package junk

import (
	"slices"
	"strings"
	"testing"
)

// shared is how many of the passages of a stand in b.
func shared(a, b []uint64) (n int) {
	for _, p := range a {
		if _, found := slices.BinarySearch(b, p); found {
			n++
		}
	}
	return n
}

func TestPassagesOfWhatTwoTextsSay(t *testing.T) {
	words := prose(1, 400)
	text := strings.Join(words, " ")
	all := Passages(text)
	if n := len(all); n < 60 || n > 140 || !slices.IsSorted(all) {
		t.Fatalf("%d passages of 400 words, want about one in %d, in order", n, passageSample)
	}
	piece := strings.ToUpper(strings.Join(words[100:200], ", "))
	if part := Passages(piece); len(part) == 0 || shared(part, all) != len(part) {
		t.Errorf("%d of %d passages of a piece, in capitals and with commas, stand in the whole", shared(part, all), len(part))
	}
	if twice := Passages(text, text); !slices.Equal(twice, all) {
		t.Errorf("what is said twice has %d passages, want %d", len(twice), len(all))
	}
	if other := Passages(strings.Join(prose(2, 400), " ")); shared(other, all) > 0 {
		t.Errorf("another text shares %d passages", shared(other, all))
	}
	slices.Reverse(words)
	if back := Passages(strings.Join(words, " ")); shared(back, all) > 0 {
		t.Errorf("the same words in another order share %d passages", shared(back, all))
	}
}

// A short line is a passage by itself, so that a title is found in a list of titles; a word or two are none.
func TestAShortLineIsAPassage(t *testing.T) {
	var titles []string
	for i := range 200 {
		titles = append(titles, strings.Join(prose(uint64(i+10), 5), " "))
	}
	list := Passages(strings.Join(titles, "\n"))
	found := 0
	for _, title := range titles {
		own := Passages(title)
		if found += len(own); shared(own, list) != len(own) {
			t.Errorf("%q is not found in the list", title)
		}
	}
	if found != len(list) || found < 30 || found > 75 {
		t.Errorf("%d passages of 200 titles, %d of their list", found, len(list))
	}
	if few := Passages("go on", "next", "", "<b>"); len(few) > 0 {
		t.Errorf("a word or two are %d passages", len(few))
	}
	if han := Passages(strings.Repeat("港口的潮汐与缆绳航海俱乐部今年举办三次比赛", 3)); len(han) == 0 {
		t.Error("a Chinese sentence has no passage")
	}
}
