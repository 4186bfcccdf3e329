package again

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// TestWhateverWasSeenHasAWorth: looks that contradict each other, clocks that stand still and times out of all measure come to numbers.
func TestWhateverWasSeenHasAWorth(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	anyTime := func() time.Duration { return time.Duration(math.Exp(random.Float64() * 43)) }
	for round := range 200 {
		past := make([]Past, 1+random.IntN(60))
		for i := range past {
			past[i] = Past{Host: fmt.Sprint(random.IntN(3)), Template: fmt.Sprint(random.IntN(3))}
			for range random.IntN(mostLooks + 1) {
				l := Look{After: anyTime(), Changed: random.IntN(2) == 0}
				if round%3 == 0 {
					l.Changed = i%2 == 0
				}
				if l.Changed && random.IntN(2) == 0 {
					l.Ago = anyTime()
				}
				past[i].Looks = append(past[i].Looks, l)
			}
		}
		rates := Learn(past)
		for i := range past {
			is := rates.of(i)
			for _, since := range []time.Duration{0, time.Nanosecond, anyTime(), math.MaxInt64} {
				for _, cost := range []float64{0, 1, 1e9} {
					if worth := is.gain(since) + is.teaches(since, cost) + is.changed(since); !(worth >= 0 && worth < math.MaxFloat64) {
						t.Fatalf("round %d, page %d: %g after %v at %g: %+v", round, i, worth, since, cost, past[i])
					}
				}
			}
		}
	}
}
