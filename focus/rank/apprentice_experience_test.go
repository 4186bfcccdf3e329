package rank

import (
	"bytes"
	"strings"
	"testing"
)

// learned is a memory whose apprentice has seen that courses are good and the press is not.
func learned(s *Strategy) *Memory {
	m := NewMemory()
	m.Serve(s)
	for i := range uint64(30) {
		wordy(m, 100+i, "graduate courses", "press office").follow(s, 100+i, 1000+2*i)
		m.Fetched(1000+2*i, 0.9, true, 0)
		m.Fetched(1001+2*i, 0, false, 0)
	}
	return m
}

func TestAnApprenticeBeginsWithWhatAnotherHasLearned(t *testing.T) {
	s := shipped(t, "apprentice")
	old := learned(s)
	warm, cold := NewMemory(), NewMemory()
	warm.Serve(s)
	if err := warm.Begin(old.Experience(), 0.3); err != nil {
		t.Fatal(err)
	}
	words := []string{"press office", "Graduate Course", "news"}
	have, want := wordy(warm, 99, words...).follow(s, 99, 9000), wordy(cold, 99, words...).follow(s, 99, 9000)
	if !(have[1] > have[2] && have[2] > have[0]) || want[0] != want[1] {
		t.Errorf("warm, the chances of bad, good and unknown words are %v, cold %v", have, want)
	}
	hashed := warm.apprentice.hashed()
	for i, w := range warm.apprentice.chance.Weight[hashed+1<<18:] {
		if w != 0 {
			t.Fatalf("number %d, which belongs to a host or page of the old crawl, weighs %v", i, w)
		}
	}
	near(t, "confidence", float64(warm.apprentice.chance.Moved[0]), float64(old.apprentice.chance.Moved[0]*float32(0.3)))
	near(t, "the bias", float64(warm.apprentice.chance.Weight[0]), float64(old.apprentice.chance.Weight[0]))
}

func TestPartsGoByTheirNames(t *testing.T) {
	one := tree(t, "{apprentice: [{use: anchor, weight: 1}, {use: depth, weight: 2}]}")
	other := tree(t, "{apprentice: [{use: depth, weight: 5}, {use: drought, weight: 7}]}")
	old := learned(one)
	old.apprentice.chance.Weight[2] = 0.75 // depth
	m := NewMemory()
	m.Serve(other)
	if err := m.Begin(old.Experience(), 1); err != nil {
		t.Fatal(err)
	}
	near(t, "depth", float64(m.apprentice.chance.Weight[1]), 0.75)
	near(t, "drought, which the other did not know", float64(m.apprentice.chance.Weight[2]), 7)
}

func TestExperienceThatIsNone(t *testing.T) {
	s := shipped(t, "apprentice")
	good := learned(s).Experience()
	fresh := func(of *Strategy) *Memory {
		m := NewMemory()
		m.Serve(of)
		return m
	}
	if fresh(s).Experience() != nil || fresh(shipped(t, "shark-site")).Experience() != nil {
		t.Error("somebody who has seen nothing has experience")
	}
	for name, test := range map[string]struct {
		of   *Strategy
		text []byte
		want string
	}{
		"empty":           {s, nil, "damaged"},
		"another version": {s, append([]byte{9}, good[1:]...), "a newer thresher wrote it"},
		"cut short":       {s, good[:len(good)/2], "damaged"},
		"too long":        {s, append(bytes.Clone(good), 1), "damaged"},
		"no apprentice":   {shipped(t, "shark-site"), good, "without an apprentice"},
		"other hashes":    {tree(t, "{apprentice: [{use: anchor}], with: {bits: 12}}"), good, "19 bits"},
	} {
		if err := fresh(test.of).Begin(test.text, 0.3); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: err = %v, want %q", name, err, test.want)
		}
	}
}
