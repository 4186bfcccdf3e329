package topic

import (
	"bytes"
	"testing"
)

// A topic that takes back an older state and is told the lessons since is the one that learned, to the byte, wherever the
// state was taken and however the lessons were cut.
func TestLessonsAreLearnedAgain(t *testing.T) {
	for name, s := range specs() {
		for _, at := range []int{0, 1, 29, 93, 157} {
			one, two := mustNew(t, s), mustNew(t, s)
			one.words.limit, two.words.limit = 300, 300 // words are forgotten on the way
			one.Record()
			all := pages(200)
			state := one.State()
			var lessons [][]byte
			for i, d := range all {
				if i == at {
					one.Lesson()
					state, lessons = one.State(), nil
				}
				one.Learn(d, one.Judge(d))
				if i%3 == 0 {
					lessons = append(lessons, one.Lesson())
				}
			}
			lessons = append(lessons, one.Lesson())
			if err := two.Restore(state); err != nil {
				t.Fatal(err)
			}
			two.words.limit = 300
			for _, l := range lessons {
				if err := two.Relearn(l); err != nil {
					t.Fatalf("%s from page %d: %v", name, at, err)
				}
			}
			if !bytes.Equal(one.State(), two.State()) {
				t.Errorf("%s from page %d: another topic has learned", name, at)
			}
			if d := all[7]; one.Judge(d).Raw != two.Judge(d).Raw || one.Judge(d).Relevance != two.Judge(d).Relevance {
				t.Errorf("%s from page %d: pages are judged otherwise", name, at)
			}
		}
	}
}

func TestLessonsAreWrittenOnlyWhereWanted(t *testing.T) {
	one := mustNew(t, specs()["terms"])
	for _, d := range pages(3) {
		one.Learn(d, one.Judge(d))
	}
	if l := one.Lesson(); l != nil {
		t.Errorf("a lesson of %d bytes that nobody asked for", len(l))
	}
}

// A lesson that was cut or changed is refused, or at least learned without a panic.
func TestDamagedLessonsAreRefused(t *testing.T) {
	one := mustNew(t, specs()["centroid"])
	state := one.State()
	one.Record()
	for _, d := range pages(3) {
		one.Learn(d, one.Judge(d))
	}
	whole := one.Lesson()
	refused := 0
	for n := 1; n < len(whole); n++ {
		two := mustNew(t, specs()["centroid"])
		if err := two.Restore(state); err != nil {
			t.Fatal(err)
		}
		if two.Relearn(whole[:n]) != nil {
			refused++
		}
		bad := bytes.Clone(whole)
		bad[n] ^= 0x55
		two.Relearn(bad)
	}
	if refused < len(whole)-4 { // it may end after each of its pages
		t.Errorf("of %d lessons that were cut short %d were refused", len(whole)-1, refused)
	}
}
