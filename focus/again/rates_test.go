package again

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"
)

const day = 24 * time.Hour

// changing draws pages of templates of hosts that change at rates, by day, with a heavy tail: hosts differ by what hosts do,
// templates within them, and pages within these; or each page by itself.
func changing(random *rand.Rand, grouped bool) (past []Past, perDay []float64) {
	hosts, templates := map[int]float64{}, map[[2]int]float64{}
	draw := func(spread float64) float64 { return spread * random.NormFloat64() }
	for range pages {
		host := random.IntN(12)
		template := [2]int{host, random.IntN(4)}
		if _, ok := hosts[host]; !ok {
			hosts[host] = draw(1)
		}
		if _, ok := templates[template]; !ok {
			templates[template] = draw(1)
		}
		past = append(past, Past{Host: fmt.Sprint(host), Template: fmt.Sprint(template[1])})
		common := hosts[host] + templates[template]
		if !grouped {
			common = draw(math.Sqrt2)
		}
		perDay = append(perDay, math.Exp(math.Log(1./15)+common+draw(1)))
	}
	return past, perDay
}

// life is what happens to pages: when each changes, and how long it has been fresh.
type life struct {
	random *rand.Rand
	rates  []float64 // by day
	seen   []float64 // when it was visited last
	change []float64 // when it changed first since
	dated  bool      // every second page says when it changed last
	fresh  float64   // page days since the days of learning
}

func newLife(seed uint64, rates []float64) *life {
	l := &life{random: rand.New(rand.NewPCG(seed, 1)), rates: rates, seen: make([]float64, len(rates)), change: make([]float64, len(rates))}
	for i := range rates {
		l.change[i] = l.random.ExpFloat64() / rates[i]
	}
	return l
}

// visit answers whether a page has changed.
func (l *life) visit(page int, at float64) bool {
	l.fresh += max(min(l.change[page], at)-max(l.seen[page], learning), 0)
	changed := l.change[page] <= at
	l.seen[page], l.change[page] = at, at+l.random.ExpFloat64()/l.rates[page]
	return changed
}

// share is the share of pages that were fresh, on the mean, after the days of learning.
func (l *life) share() float64 {
	for i := range l.rates {
		l.visit(i, end)
	}
	return l.fresh / float64(len(l.rates)) / (end - learning)
}

// fixed visits each page so often a day, at even distances.
func (l *life) fixed(often []float64) float64 {
	for i := range often {
		if often[i] > 0 {
			for at := l.random.Float64() / often[i]; at < end; at += 1 / often[i] {
				l.visit(i, at)
			}
		}
	}
	return l.share()
}

// optimum is how often each page is to be visited, by those who know the rates: so that one visit more is worth the same for
// each page that is visited (the multiplier is found by bisection, each page's frequency by another).
func optimum(rates []float64, visits float64) []float64 {
	often := make([]float64, len(rates))
	low, high := 0., 1e6
	for range 100 {
		worth, sum := (low+high)/2, 0.
		for i, rate := range rates {
			often[i] = oftenAt(rate, worth)
			sum += often[i]
		}
		if sum > visits {
			low = worth
		} else {
			high = worth
		}
	}
	return often
}

func oftenAt(rate, worth float64) float64 {
	if 1/rate <= worth {
		return 0 // it changes at once again
	}
	low, high := 0., 1e9
	for range 100 {
		apart := (low + high) / 2
		if gainAt(rate, apart) < worth {
			low = apart
		} else {
			high = apart
		}
	}
	return 1 / high
}

// learned visits the best pages each day, by what it has learned until then.
func (l *life) learned(past []Past, visits int) float64 {
	past = slices.Clone(past)
	order := make([]int, len(past))
	gains := make([]float64, len(past))
	for at := 1.; at < end; at++ {
		r := Learn(past)
		for i := range order {
			order[i], gains[i] = i, r.Gain(i, time.Duration((at-l.seen[i])*float64(day)))
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(gains[b], gains[a]) })
		for _, i := range order[:visits] {
			look := Look{After: time.Duration((at - l.seen[i]) * float64(day))}
			since := at - l.change[i]
			if look.Changed = l.visit(i, at); look.Changed && l.dated && i%2 == 0 {
				look.Ago = time.Duration(min(l.random.ExpFloat64()/l.rates[i], since) * float64(day)) // back to the first change no other one, or to the last
			}
			past[i].Looks = append(past[i].Looks, look)
		}
	}
	return l.share()
}

const (
	pages    = 400
	end      = 200 // days
	learning = 50  // of them
)

// policies are what one draw of pages comes to, each the share of pages that are fresh after the days of learning.
type policies struct{ even, proportional, best, learned float64 }

// simulated draws pages and visits them by each policy, so often a day.
func simulated(seed uint64, grouped, dated bool, visits int) (p policies) {
	past, rates := changing(rand.New(rand.NewPCG(seed, 7)), grouped)
	sum := 0.
	for _, r := range rates {
		sum += r
	}
	robin, parts := make([]float64, pages), make([]float64, pages)
	for i := range rates {
		robin[i], parts[i] = float64(visits)/pages, float64(visits)*rates[i]/sum
	}
	of := func(often []float64) float64 { return newLife(seed, rates).fixed(often) }
	p.even, p.proportional, p.best = of(robin), of(parts), of(optimum(rates, float64(visits)))
	l := newLife(seed, rates)
	l.dated = dated
	p.learned = l.learned(past, visits)
	return p
}

// TestSimulation holds what is promised: at equal budget, the share of pages that are fresh is within five percent of that of
// the best fixed policy that knows how often each page changes, while all that the order knows is what its visits found. Where
// there are so few visits that most of what changes is missed whatever is done, it is within ten: a page that has changed at each
// of a few visits may do so once a month or once an hour, and the best policy, which need not find out, never visits the latter.
// Without THRESHER_DRAWS one draw of every second row is made; with it (.ci/long fresh) so many of each, and the worst is told, too.
func TestSimulation(t *testing.T) {
	draws, err := strconv.Atoi(cmp.Or(os.Getenv("THRESHER_DRAWS"), "1"))
	if err != nil || draws < 1 {
		t.Fatalf("THRESHER_DRAWS is %q, want a number", os.Getenv("THRESHER_DRAWS"))
	}
	t.Logf("%d pages, %d days; the share of pages that are fresh after %d days, the mean of %d draws", pages, end, learning, draws)
	t.Logf("%-22s %6s %12s %12s %12s %12s %12s %12s", "", "visits", "round robin", "proportional", "best fixed", "learned", "of the best", "at worst")
	for _, web := range []struct {
		name    string
		grouped bool
		dated   bool // every second page says when it changed last
		visits  int  // a day
		least   float64
		always  bool
	}{
		{"hosts and templates", true, false, 40, .95, true},
		{"the same, half dated", true, true, 40, .95, false},
		{"each page by itself", false, false, 40, .95, false},
		{"the same, half dated", false, true, 40, .95, true},
		{"hosts and templates", true, false, 10, .9, false},
		{"the same, half dated", true, true, 10, .9, true},
	} {
		if !web.always && os.Getenv("THRESHER_DRAWS") == "" {
			continue
		}
		var mean policies
		share, worst := 0., math.Inf(1)
		for draw := range draws {
			p, n := simulated(uint64(3+draw), web.grouped, web.dated, web.visits), float64(draws)
			mean.even, mean.proportional, mean.best, mean.learned = mean.even+p.even/n, mean.proportional+p.proportional/n, mean.best+p.best/n, mean.learned+p.learned/n
			share, worst = share+p.learned/p.best/n, min(worst, p.learned/p.best)
		}
		t.Logf("%-22s %6d %12.3f %12.3f %12.3f %12.3f %12.3f %12.3f", web.name, web.visits, mean.even, mean.proportional, mean.best, mean.learned, share, worst)
		if share < web.least {
			t.Errorf("%s: %.3f of the pages are fresh, the best fixed policy has %.3f", web.name, mean.learned, mean.best)
		}
		if mean.learned <= max(mean.even, mean.proportional) {
			t.Errorf("%s: %.3f of the pages are fresh, and %.3f if all are visited in turn", web.name, mean.learned, mean.even)
		}
	}
}

// TestWhatIsKnownOfOthersCounts: a page that was never visited again is taken for one of its template, a template that is new for
// one of its host, and what a page itself has shown weighs more.
func TestWhatIsKnownOfOthersCounts(t *testing.T) {
	var past []Past
	add := func(host, template string, changed ...bool) int {
		p := Past{Host: host, Template: template}
		for _, c := range changed {
			p.Looks = append(p.Looks, Look{After: day, Changed: c})
		}
		past = append(past, p)
		return len(past) - 1
	}
	for range 5 {
		add("news", "front", true, true, true, true)
		add("news", "article", false, false, false, false)
		add("law", "text", false, false, false, false)
	}
	front, article, other := add("news", "front"), add("news", "article"), add("news", "other")
	law, own := add("law", "other"), add("news", "article", true, true, true, true, true, true)
	r := Learn(past)
	for _, more := range [][2]int{{front, other}, {other, article}, {other, law}, {own, article}} {
		if often, seldom := r.perDay(more[0]), r.perDay(more[1]); often < 1.5*seldom {
			t.Errorf("%+v is expected to change %.3f times a day, %+v %.3f times", past[more[0]], often, past[more[1]], seldom)
		}
	}
}

// perDay is how often a page is expected to change in a day.
func (r *Rates) perDay(page int) (n float64) {
	for k, p := range r.of[page] {
		n += p * perSecond[k] * day.Seconds()
	}
	return n
}

// TestGain: it is the derivative of the share of time that a page is fresh, grows with the time since the last visit, and is the
// less for pages that hardly change, and for those that change at once again.
func TestGain(t *testing.T) {
	fresh := func(rate, often float64) float64 { return often / rate * -math.Expm1(-rate/often) }
	for _, rate := range []float64{1e-6, 1e-5, 1e-4} {
		for _, apart := range []float64{1e3, 1e4, 1e5, 1e6} {
			const step = 1e-4
			often := 1 / apart
			want := (fresh(rate, often*(1+step)) - fresh(rate, often*(1-step))) / (2 * step * often)
			if got := gainAt(rate, apart); math.Abs(got-want) > 1e-3*want+1e-3 {
				t.Errorf("rate %g, every %g s: gain %g, the derivative is %g", rate, apart, got, want)
			}
			if gainAt(rate, 2*apart) < gainAt(rate, apart) {
				t.Errorf("rate %g: a later visit gains less", rate)
			}
		}
	}
	if day := day.Seconds(); gainAt(1/day, day) < gainAt(1e-3/day, day) || gainAt(1/day, day) < gainAt(1e3/day, day) {
		t.Error("a page that changes as often as it is visited must gain most")
	}
}
