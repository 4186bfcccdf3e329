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
	stretch
	fresh, counted float64 // page days, since the first day, and in the stretch that counts
}

// stretch is the days that count, and after which all is over.
type stretch struct{ from, until float64 }

func newLife(seed uint64, rates []float64, days stretch) *life {
	l := &life{random: rand.New(rand.NewPCG(seed, 1)), rates: rates, seen: make([]float64, len(rates)), change: make([]float64, len(rates)), stretch: days}
	for i := range rates {
		l.change[i] = l.random.ExpFloat64() / rates[i]
	}
	return l
}

// visit answers whether a page has changed.
func (l *life) visit(page int, at float64) bool {
	stale := min(l.change[page], at) // since then
	l.fresh, l.counted = l.fresh+stale-l.seen[page], l.counted+max(stale-max(l.seen[page], l.from), 0)
	changed := l.change[page] <= at
	l.seen[page], l.change[page] = at, at+l.random.ExpFloat64()/l.rates[page]
	return changed
}

// shares are the shares of pages that were fresh, on the mean: in the days that count, and since the first day.
func (l *life) shares() (s shares) {
	for i := range l.rates {
		l.visit(i, l.until)
	}
	n := float64(len(l.rates))
	return shares{l.counted / n / (l.until - l.from), l.fresh / n / l.until}
}

type shares struct{ counted, all float64 }

// fixed visits each page so often a day, at even distances.
func (l *life) fixed(often []float64) shares {
	for i := range often {
		if often[i] > 0 {
			for at := l.random.Float64() / often[i]; at < l.until; at += 1 / often[i] {
				l.visit(i, at)
			}
		}
	}
	return l.shares()
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

func (l *life) isDated(page int) bool { return l.dated && page%2 == 0 }

// order is in which order pages are visited in a round, as far as there is budget.
type order func(known []Candidate, now time.Time, visits int) []int

// law is how changing draws its groups, in doublings from ten minutes on: by somebody who knows it, nothing is to be learned but the
// rates themselves.
func law(known []Candidate, now time.Time, _ int) []int {
	const variance = 1 / math.Ln2 / math.Ln2
	past := make([]Past, len(known))
	for i := range known {
		past[i] = known[i].Past
	}
	rates := learn(past, spread{math.Log2(15 * float64(day) / float64(fastest)), variance, variance, variance}, 0)
	turns := make([]turn, len(known))
	for i := range known {
		is := rates.of(i)
		turns[i] = turn{page: i, gain: is.gain(now.Sub(known[i].Seen))}
	}
	slices.SortStableFunc(turns, first)
	places := make([]int, len(turns))
	for i := range turns {
		places[i] = turns[i].page
	}
	return places
}

// learned visits the first pages of an order in each round, so many days apart, by what it has learned until then.
func (l *life) learned(past []Past, visits int, apart float64, by order) shares {
	known := make([]Candidate, len(past))
	began := time.Unix(0, 0)
	on := func(at float64) time.Time { return began.Add(time.Duration(at * float64(day))) }
	for i := range past {
		known[i] = Candidate{Past: past[i], Worth: 1, Seen: began}
		if l.isDated(i) { // the first crawl has heard it, too
			known[i].Looks = []Look{{Changed: true, Ago: time.Duration(l.random.ExpFloat64() / l.rates[i] * float64(day))}}
		}
	}
	for at := apart; at < l.until; at += apart {
		for _, i := range by(known, on(at), visits)[:visits] {
			look := Look{After: on(at).Sub(known[i].Seen)}
			since := at - l.change[i]
			if look.Changed = l.visit(i, at); look.Changed && l.isDated(i) {
				look.Ago = time.Duration(min(l.random.ExpFloat64()/l.rates[i], since) * float64(day)) // back to the first change no other one, or to the last
			}
			known[i].Seen, known[i].Looks = on(at), append(known[i].Looks, look)
		}
	}
	return l.shares()
}

const pages = 400

// web is a row of the simulation.
type web struct {
	name    string
	grouped bool
	dated   bool // every second page says when it changed last
	visits  int  // a day
	apart   int  // days between rounds
	days    stretch
	law     bool // it is held against who knows how the pages are drawn, too
	least   float64
}

// policies are what one draw of pages comes to.
type policies struct{ even, proportional, best, learned, law shares }

// simulated draws pages and visits them by each policy.
func (w *web) simulated(seed uint64) (p policies) {
	past, rates := changing(rand.New(rand.NewPCG(seed, 7)), w.grouped)
	sum := 0.
	for _, r := range rates {
		sum += r
	}
	robin, parts := make([]float64, pages), make([]float64, pages)
	for i := range rates {
		robin[i], parts[i] = float64(w.visits)/pages, float64(w.visits)*rates[i]/sum
	}
	of := func(often []float64) shares { return newLife(seed, rates, w.days).fixed(often) }
	p.even, p.proportional, p.best = of(robin), of(parts), of(optimum(rates, float64(w.visits)))
	by := func(o order) shares {
		l := newLife(seed, rates, w.days)
		l.dated = w.dated
		return l.learned(past, w.visits*w.apart, float64(w.apart), o)
	}
	p.learned = by(Turns)
	if w.law {
		p.law = by(law)
	}
	return p
}

// TestSimulation holds what is promised: at equal budget, the share of pages that are fresh is within five percent of that of
// the best fixed policy that knows how often each page changes, while all that the order knows is what its visits found. What counts
// is the time after each page was visited five times, on the mean, and the share since the first day is told beside it. At 10 visits
// a day that are 200 days, and the first of them count by themselves, too, after only one visit to each page. There five percent
// is more than can be promised: one who knows the very law that the pages are drawn by has hardly more.
// A round of the order is every other day, or every fourth where few are visited: seldomer than the best fixed policy may come.
// THRESHER_DRAWS draws the pages so often, with a round each day, and tells the worst draw, too.
func TestSimulation(t *testing.T) {
	draws, err := strconv.Atoi(cmp.Or(os.Getenv("THRESHER_DRAWS"), "1"))
	if err != nil || draws < 1 {
		t.Fatalf("THRESHER_DRAWS is %q, want a number", os.Getenv("THRESHER_DRAWS"))
	}
	early, late := stretch{50, 200}, stretch{200, 800}
	webs := []web{
		{"hosts and templates", true, false, 40, 2, early, false, .95},
		{"each page by itself", false, false, 40, 2, early, false, .95},
		{"hosts and templates", true, false, 10, 4, late, false, .95},
		{"hosts and templates", true, false, 10, 4, early, true, .9},
	}
	if draws > 1 {
		webs = append(webs, web{"the same, half dated", true, true, 40, 2, early, false, .95}, web{"each page by itself, half dated", false, true, 40, 2, early, false, .95},
			web{"the same, half dated", true, true, 10, 4, early, true, .95}, web{"the same, half dated", true, true, 10, 4, late, false, .95},
			web{"each page by itself", false, false, 10, 4, late, false, .92})
	}
	for i := range webs {
		if draws > 1 {
			webs[i].apart = 1
		}
	}
	t.Logf("%d pages; the share that is fresh, the mean of %d draws", pages, draws)
	t.Logf("%-22s %6s %10s %12s %12s %12s %12s %12s %12s %12s", "", "visits", "days", "round robin", "proportional", "best fixed", "learned", "of the best", "at worst", "from day 0")
	for _, w := range webs {
		var mean policies
		share, all, known, worst, n := 0., 0., 0., math.Inf(1), float64(draws)
		for draw := range draws {
			p := w.simulated(uint64(3 + draw))
			mean.even.counted, mean.proportional.counted = mean.even.counted+p.even.counted/n, mean.proportional.counted+p.proportional.counted/n
			mean.best.counted, mean.learned.counted = mean.best.counted+p.best.counted/n, mean.learned.counted+p.learned.counted/n
			of := p.learned.counted / p.best.counted
			share, all, worst = share+of/n, all+p.learned.all/p.best.all/n, min(worst, of)
			known += p.law.counted / p.best.counted / n
		}
		t.Logf("%-22s %6d %10s %12.3f %12.3f %12.3f %12.3f %12.3f %12.3f %12.3f", w.name, w.visits, fmt.Sprintf("%g to %g", w.days.from, w.days.until),
			mean.even.counted, mean.proportional.counted, mean.best.counted, mean.learned.counted, share, worst, all)
		if w.law {
			t.Logf("%48s who knows the law that the pages are drawn by comes to %.3f of the best", "", known)
		}
		if w.law && share < known-.03 {
			t.Errorf("%s: %.3f of the best, and %.3f by who knows the law that the pages are drawn by", w.name, share, known)
		}
		if share < w.least {
			t.Errorf("%s: %.3f of the pages are fresh, the best fixed policy has %.3f", w.name, mean.learned.counted, mean.best.counted)
		}
		if mean.learned.counted <= max(mean.even.counted, mean.proportional.counted) {
			t.Errorf("%s: %.3f of the pages are fresh, and %.3f if all are visited in turn", w.name, mean.learned.counted, mean.even.counted)
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

// perDay is how often a page is expected to change in a day, by the middle of what is believed, on a scale of doublings.
func (r *Rates) perDay(page int) float64 {
	n := 0.
	for k, p := range r.of(page) {
		n += p * math.Log(perSecond[k]*day.Seconds())
	}
	return math.Exp(n)
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
