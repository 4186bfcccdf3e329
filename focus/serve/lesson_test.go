package serve

import (
	"fmt"
	"testing"
)

// TestALessonInUseIsKept: room is made of lessons that nobody uses.
func TestALessonInUseIsKept(t *testing.T) {
	s := school{lessons: map[string]*lesson{}}
	for i := range mostLessons {
		l := &lesson{dir: fmt.Sprint(i), users: 1}
		l.last.Store(int64(i))
		s.lessons[l.dir] = l
	}
	if s.room(); len(s.lessons) != mostLessons {
		t.Errorf("%d lessons, and all %d were in use", len(s.lessons), mostLessons)
	}
	s.lessons["2"].users = 0
	if s.room(); s.lessons["2"] != nil || len(s.lessons) != mostLessons-1 {
		t.Errorf("%d lessons: want all but the one that nobody uses", len(s.lessons))
	}
}
