package rank

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"
)

// retold is a memory that was restored from the state after step from, and told the lessons of all later steps.
func retold(t *testing.T, s *Strategy, limit int, states, lessons [][]byte, from int) *Memory {
	t.Helper()
	m := NewMemory()
	m.Bound(limit)
	m.Serve(s)
	if err := m.Restore(states[from]); err != nil {
		t.Fatal(err)
	}
	for _, told := range lessons[from+1:] {
		if err := m.Relearn(told); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func TestLessonsRetoldGiveTheSameMemory(t *testing.T) {
	strategies := append(allStrategies(t), everyMemory(t), everyGraph(t))
	for _, s := range strategies {
		for _, limit := range []int{1 << 20, 40} {
			const steps = 60
			m := NewMemory()
			m.Bound(limit)
			m.Serve(s)
			m.Record()
			var states, lessons [][]byte
			sizes := 0
			for step := range steps {
				crawl(s, m, 3, step, step+1)
				states, lessons = append(states, m.State()), append(lessons, m.Lesson())
				sizes += len(lessons[step])
			}
			if s.recalls && sizes == 0 {
				t.Errorf("%s learned nothing", s.Name)
			}
			want := m.State()
			for _, from := range []int{0, 1, rand.New(rand.NewPCG(1, 2)).IntN(steps), steps - 2, steps - 1} {
				again := retold(t, s, limit, states, lessons, from)
				if !bytes.Equal(again.State(), want) {
					t.Fatalf("%s: restored after step %d of %d and told the rest, it is another memory", s.Name, from, steps)
				}
				if m2 := retold(t, s, limit, states, lessons, from); !reflect.DeepEqual(crawl(s, again, 3, steps, steps+20), crawl(s, m2, 3, steps, steps+20)) {
					t.Errorf("%s: told the same it goes on differently", s.Name)
				}
			}
			goesOn := retold(t, s, limit, states, lessons, 0)
			if have, whole := crawl(s, goesOn, 3, steps, steps+20), crawl(s, m, 3, steps, steps+20); !reflect.DeepEqual(have, whole) {
				t.Errorf("%s: it went on differently from the one that was not interrupted", s.Name)
			}
		}
	}
}

func TestNobodyAskedNothingIsWrittenDown(t *testing.T) {
	s := everyMemory(t)
	m := NewMemory()
	crawl(s, m, 3, 0, 20)
	if told := m.Lesson(); told != nil {
		t.Errorf("%d bytes of lessons nobody wanted", len(told))
	}
	m.Record()
	crawl(s, m, 3, 20, 21)
	if len(m.Lesson()) == 0 || m.Lesson() != nil {
		t.Error("a lesson is told once, when it was asked for")
	}
	var none *Memory
	none.Record()
	if none.Lesson() != nil || none.Relearn([]byte{1}) != nil {
		t.Error("a nil memory learned something")
	}
}

// A lesson is what was told of one page and its links, not what is known of them.
func TestLessonsAreSmall(t *testing.T) {
	for name, most := range map[string]int{"shark-site": 40, "block-shark": 60, "apprentice": 260} {
		s, p := shipped(t, name), eightyLinks()
		p.memory.Serve(s)
		p.memory.Record()
		p.rank(s)
		if size := len(p.memory.Lesson()) / len(p.page.Links); size > most || size == 0 {
			t.Errorf("%s learns a link in %d bytes, want at most %d", name, size, most)
		}
	}
}

func TestALessonThatIsDamagedIsRefused(t *testing.T) {
	s := everyGraph(t)
	m := NewMemory()
	m.Serve(s)
	m.Record()
	crawl(s, m, 3, 0, 5)
	told := m.Lesson()
	fresh := func() *Memory {
		m := NewMemory()
		m.Serve(s)
		return m
	}
	if err := fresh().Relearn(told); err != nil {
		t.Fatal(err)
	}
	if err := NewMemory().Relearn(told); err == nil {
		t.Error("a memory that serves nobody relearns")
	}
	if err := fresh().Relearn(append([]byte{99}, told[1:]...)); err == nil {
		t.Error("a lesson of another version is taken")
	}
	if err := fresh().Relearn(append(bytes.Clone(told), 200)); err == nil {
		t.Error("a lesson with something behind it is taken")
	}
}

func FuzzRelearn(f *testing.F) {
	small := tree(f, "{apprentice: [{use: anchor, over: max}, {use: yield}], with: {bits: 8}}")
	everything := []*Strategy{everyMemory(f), everyGraph(f), small}
	for _, s := range everything {
		m := NewMemory()
		m.Serve(s)
		m.Record()
		crawl(s, m, 5, 0, 3)
		f.Add(m.Lesson())
	}
	f.Fuzz(func(t *testing.T, told []byte) {
		for _, s := range everything {
			m := NewMemory()
			m.Serve(s)
			crawl(s, m, 5, 0, 2)
			if m.Relearn(told) == nil {
				crawl(s, m, 5, 2, 4)
				m.State()
			}
		}
	})
}
