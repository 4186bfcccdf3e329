package again

import (
	"math"
	"time"
)

// Gain is what a visit is worth to the share of pages that are fresh, in seconds, so long after the last one: how much less
// time the page would be stale if it were visited this often. A page that hardly changes gains little, and so does one that
// changes at once again. Pages that are each visited when their gain has come to the same number are fresh for as much of the
// time as so many visits can make them (Cho and Garcia-Molina, Effective page refresh policies, 2003, 4.3): the number is the
// multiplier there, and what a visit costs.
func (b *belief) gain(since time.Duration) (gain float64) {
	for k, p := range b {
		gain += p * gainAt(perSecond[k], since.Seconds())
	}
	return gain
}

// gainAt is the derivative of the share of time that a page is fresh by how often it is visited, at a visit each t seconds. After a
// visit the page is still fresh u seconds later with a probability of exp(-rate·u), so that share is (1 - exp(-rate·t)) / (rate·t);
// with f = 1/t visits a second its derivative by f is (1 - exp(-rate·t))/rate - t·exp(-rate·t).
func gainAt(rate, t float64) float64 {
	if rate*t < 1e-4 {
		return rate * t * t / 2 // of the next line nothing would be left but what it was rounded by
	}
	return -math.Expm1(-rate*t)/rate - t*math.Exp(-rate*t)
}

// changed is how likely it is that a page has changed since.
func (b *belief) changed(since time.Duration) (likely float64) {
	for k, p := range b {
		likely -= p * math.Expm1(-perSecond[k]*since.Seconds())
	}
	return likely
}

// teaches is how much more of the time the page would be fresh, what visits cost taken off, for what a visit tells: whether it is to be
// visited more often from then on, or less. Without that a page that was found changed at each of a few visits, once a month or once an
// hour, would never be asked which.
func (b *belief) teaches(since time.Duration, cost float64) float64 {
	// Two worlds may follow from a visit, one in which the page has changed and one in which it has not. In each the page will be
	// visited as is best there; the visit is worth what that is more, on the mean, than going on as is best by what is known now.
	changed, same := *b, *b
	likely, t := 0., max(since.Seconds(), 1)
	for k, rate := range perSecond {
		stays := math.Exp(-rate * t)
		same[k] *= stays
		changed[k] *= 1 - stays
		likely += changed[k]
	}
	changed, same = changed.whole(), same.whole()
	return max(likely*changed.surplus(cost)+(1-likely)*same.surplus(cost)-b.surplus(cost), 0)
}

// surplus is the share of time that the page is fresh at the best even distances, less what its visits cost.
func (b *belief) surplus(cost float64) (best float64) {
	for i := range freshIn { // a visit each 1/perSecond[i]: the distances to choose from are those of the rates themselves
		fresh := -cost
		for k, p := range b {
			fresh += p * freshIn[i][k]
		}
		best = max(best, fresh*perSecond[i])
	}
	return best
}

// freshIn is how long a page is fresh after a visit, of so long as each rate has between two changes, by how often it changes.
var freshIn = func() (all [steps]belief) {
	for i, each := range perSecond {
		for k, rate := range perSecond {
			all[i][k] = -math.Expm1(-rate/each) / rate
		}
	}
	return all
}()
