package rank

import (
	"fmt"
	"testing"
)

func TestWhatMovedIsHopedOfAsBefore(t *testing.T) {
	s := shipped(t, "apprentice")
	p := tellPage(3, linkTold{2, 0.9, 0.5}, linkTold{2, 0.1, 0})
	p.rank(s)
	before, ok := s.Rescore(10, p.memory)
	if !ok {
		t.Fatal("item 10 cannot be scored")
	}
	fetched := p.memory.all
	p.memory.Moved(10, 99)
	after, ok := s.Rescore(99, p.memory)
	if !ok || after[0] != before[0] {
		t.Errorf("its new address scores %v, the old one scored %v", after, before[0])
	}
	if _, ok := s.Rescore(10, p.memory); ok || p.memory.all != fetched {
		t.Error("the old address waits still, or counts as an outcome")
	}
	told := p.memory.Fetched(99, 0.8, true, 256)
	if len(told) != 1 || told[0] != 11 {
		t.Errorf("the outcome of the new address touches %v, want the link beside the old one", told)
	}
	numbers, _ := s.Rescore(11, p.memory)
	for i, n := range s.Nodes() {
		if n.Name == "siblings" && !(numbers[i] > 0.3) {
			t.Errorf("the link beside it hears of siblings %v", numbers[i])
		}
	}
}

func TestWhatMovesToAKnownAddressIsGone(t *testing.T) {
	s := shipped(t, "block-shark")
	p := tellPage(3, linkTold{2, 0.9, 0.5}, linkTold{2, 0.1, 0})
	p.rank(s)
	want, _ := s.Rescore(11, p.memory)
	p.memory.Moved(10, 11)
	p.memory.Moved(10, 11)
	p.memory.Moved(77, 11) // nobody knows it
	if have, ok := s.Rescore(11, p.memory); !ok || have[0] != want[0] {
		t.Errorf("what was known already scores %v, before %v", have, want)
	}
	var none *Memory
	none.Moved(1, 2)
}

// Other pages go on linking to the old address: that is a link to the new one, whose outcome counts beside it.
func TestALinkToWhatMovedIsALinkToItsNewAddress(t *testing.T) {
	s := tree(t, "{mix: [{use: yield, with: {of: page}}, {use: in-degree, weight: 0}]}")
	m := NewMemory()
	follow := func(page uint64, items ...uint64) {
		p := tellPage(3, linkTold{2, 0.9, 0.5}, linkTold{2, 0.1, 0})
		p.memory = m
		for i, item := range items {
			e := p.link(i)
			e.Parent = page
			s.Score(e, nil)
			m.Linked(item, e)
		}
	}
	beside := func(item uint64) float64 {
		numbers, ok := s.Rescore(item, m)
		if !ok {
			t.Fatalf("item %d cannot be scored again", item)
		}
		return float64(numbers[1])
	}
	follow(1, 10, 11)
	m.Moved(10, 99)
	follow(2, 10, 21)
	if v := beside(21); v == v {
		t.Errorf("beside a link to what moved, and was not read yet, stands %v", v)
	}
	m.Fetched(99, 0.8, true, 256)
	follow(3, 10, 31)
	for _, item := range []uint64{11, 21, 31} {
		near(t, fmt.Sprintf("beside link %d", item), beside(item), 0.8)
	}
	m.Moved(11, 21)
	m.Moved(21, 11) // in a circle
	follow(4, 11, 41)
	if v := beside(41); v == v {
		t.Errorf("beside a link that leads in a circle stands %v", v)
	}
	again := NewMemory()
	again.Serve(s)
	if err := again.Restore(m.State()); err != nil {
		t.Fatal(err)
	}
	m = again
	follow(5, 10, 51)
	near(t, "after it was saved", beside(51), 0.8)
}
