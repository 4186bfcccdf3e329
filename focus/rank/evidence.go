package rank

import (
	"math"

	"github.com/thresher-crawler/thresher/focus/page"
)

// none is what "no evidence" looks like.
var none = math.NaN()

// known is what was worked out already, so that several factors share it. It notices by itself when the link is
// another one.
type known struct {
	link   *page.Link
	anchor answer
	around answer
	window int
	keys   [reaches]uint64 // what its outcome is counted under,
	keyed  uint32          // as far as it was asked
	host   string          // of the address it leads to
	path   string
	sheet  sheet  // where there is no memory to keep it
	leans  *leans // while it is scored

	score   float32           // the score as a whole
	numbers []float32         // and its explanation, if the strategy may want to score the link again
	raw     [maxOvers]float32 // what the nodes said of this link that are taken over all links
}

// answer is a number that was worked out, or was not yet.
type answer struct {
	value float64
	ready bool
}

// Reset forgets what was worked out. It is needed only where a Link or a Page was changed in place, or where the
// topic has learned since.
func (e *Evidence) Reset() {
	*e.sheet() = sheet{}
	e.known = known{}
}

// turn forgets what belongs to another link.
func (e *Evidence) turn() {
	if k := &e.known; k.link != e.Link {
		k.link, k.anchor, k.around, k.keyed, k.host = e.Link, answer{}, answer{}, 0, ""
	}
}

// AnchorSim is how near the anchor comes to the topic. NaN means that the link has no words of its own.
func (e *Evidence) AnchorSim() float64 {
	e.turn()
	if a := &e.known.anchor; !a.ready {
		*a = answer{e.sheet().anchor(e, e.Link), true}
	}
	return e.known.anchor.value
}

// ContextSim is how near the words around the link come to the topic, window of them on each side. NaN means that
// there are none.
func (e *Evidence) ContextSim(window int) float64 {
	e.turn()
	if a := &e.known.around; !a.ready || e.known.window != window {
		*a, e.known.window = answer{none, true}, window
		if e.Link != nil {
			a.value = aroundSim(e, e.Link, window)
		}
	}
	return e.known.around.value
}

func aroundSim(e *Evidence, l *page.Link, window int) float64 {
	if e.Topic == nil || blank(l.Before) && blank(l.After) {
		return none
	}
	return unit(e.Topic.SimAround(l.Before, l.After, window))
}

// unit holds a number in [0,1]; NaN stays NaN.
func unit(x float64) float64 {
	switch {
	case x < 0:
		return 0
	case x > 1:
		return 1
	}
	return x
}

// orZero is x, or 0 where there is no evidence.
func orZero(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return x
}
