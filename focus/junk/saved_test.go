package junk

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/pack"
)

// What was seen comes back from an older state and the lessons since, to the byte, and then answers the same.
func TestWhatWasSeenComesBack(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	addresses, bodies := make([]string, 300), make([][]byte, 300)
	for i := range addresses {
		addresses[i] = fmt.Sprintf("http://h%d.example/a/%d?%s=%d", random.IntN(3), random.IntN(400), string('a'+rune(random.IntN(5))), i)
		var b strings.Builder
		subject := random.IntN(60)
		for w := range 60 {
			fmt.Fprintf(&b, "word%d ", subject*1000+w)
		}
		bodies[i] = []byte(b.String())
	}
	type learner interface {
		Record()
		Lesson() []byte
		Relearn([]byte) error
		State() []byte
		Restore([]byte) error
	}
	for name, make := range map[string]func() (learner, func(i int) string){
		"traps": func() (learner, func(int) string) {
			w := NewTrapWatch(TrapConfig{Paths: 20, Queries: 20, Remember: 64})
			return w, func(i int) string { return w.Check(addresses[i]) }
		},
		"duplicates": func() (learner, func(int) string) {
			d := NewDuplicates(40)
			return d, func(i int) string {
				_, why := d.Find(addresses[i], bodies[i], string(bodies[i][:len(bodies[i])/2]))
				return why
			}
		},
	} {
		one, ask := make()
		one.Record()
		state, lessons, said := one.State(), [][]byte(nil), 0
		for i := range 200 {
			if i == 77 {
				one.Lesson()
				state, lessons = one.State(), nil
			}
			if ask(i) != "" {
				said++
			}
			lessons = append(lessons, one.Lesson())
		}
		two, askTwo := make()
		if err := two.Restore(state); err != nil {
			t.Fatal(name, err)
		}
		for _, l := range lessons {
			if err := two.Relearn(l); err != nil {
				t.Fatal(name, err)
			}
		}
		if !bytes.Equal(one.State(), two.State()) {
			t.Errorf("%s: another state came back", name)
		}
		for i := 200; i < 300; i++ {
			a, b := ask(i), askTwo(i)
			if a != b {
				t.Errorf("%s: %s is %q, after coming back %q", name, addresses[i], a, b)
			}
			if a != "" {
				said++
			}
		}
		if said == 0 {
			t.Errorf("%s: nothing was ever said: the test sees nothing", name)
		}
		for n := range state {
			if two.Restore(state[:n]) == nil {
				t.Errorf("%s: a state cut to %d of %d bytes was taken", name, n, len(state))
			}
		}
	}
}

// A count that no watch can have reached is no count: it would be one below zero, and the trap never called one.
func TestACountBelowZeroIsDamage(t *testing.T) {
	var s pack.Writer
	s.Count(1)
	s.Fixed64(7)
	s.Number(1 << 63)
	if err := NewTrapWatch(TrapConfig{}).Restore(s); err == nil {
		t.Error("it was taken")
	}
}
