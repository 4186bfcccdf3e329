package compare

import (
	"runtime"
	"time"
)

// stopwatch takes the processor time of the one goroutine that works for a cell, so that cells may run side by side. It
// ties that goroutine to its thread at the first lap.
type stopwatch struct {
	tied        bool
	first, last time.Duration
}

// lap is called on that goroutine.
func (s *stopwatch) lap() {
	if !s.tied {
		runtime.LockOSThread()
		s.tied = true
		s.first = threadTime()
	}
	s.last = threadTime()
}

func (s *stopwatch) milliseconds() float64 {
	return float64(s.last-s.first) / float64(time.Millisecond)
}
