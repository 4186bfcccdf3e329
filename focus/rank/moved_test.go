package rank

import "testing"

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
