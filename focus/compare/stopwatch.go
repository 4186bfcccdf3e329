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
	spared      time.Duration
}

// lap is called on that goroutine. What it was spared since the last lap, because another cell had done it, is added:
// each cell is to cost what it would cost alone.
func (s *stopwatch) lap(spared time.Duration) {
	if !s.tied {
		runtime.LockOSThread()
		s.tied = true
		s.first, spared = threadTime(), 0
	}
	s.last = threadTime()
	s.spared += spared
}

func (s *stopwatch) milliseconds() float64 {
	return float64(s.last-s.first+s.spared) / float64(time.Millisecond)
}
