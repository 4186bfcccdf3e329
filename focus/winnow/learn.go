package winnow

import (
	"cmp"
	"math"
	"slices"

	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// look is a second look under way.
type look struct {
	*material
	hash  []uint64  // of each page's address
	first []float64 // log-odds by the first look
	side  []int8    // 1 sure, -1 foreign, 0 neither
	said  []bool    // somebody said so
	near  []bool    // clearly foreign by the first look, and there because its site gives much
	most  int       // pages of each side that are learned from
	x     []packed
	size  int
}

func newLook(m *material) *look {
	n := len(m.pages)
	l := &look{material: m, hash: make([]uint64, n), side: make([]int8, n), said: make([]bool, n), near: make([]bool, n), most: mostTaught}
	for i := range m.pages {
		l.hash[i] = sink.Key(m.pages[i].URL)
	}
	return l
}

func lookOf(m *material, o *Options) *look {
	examples := make(map[string]bool, len(o.Examples))
	for _, address := range o.Examples {
		examples[address] = true
	}
	l := newLook(m)
	l.most = cmp.Or(o.most, mostTaught)
	l.first = make([]float64, len(m.pages))
	for i := range m.pages {
		p := &m.pages[i]
		l.first[i] = oddsOf(p.Relevance, o.Threshold)
		if p.Near {
			l.first[i] = max(l.first[i], nearLeast)
		}
		l.near[i] = p.Near && sink.Foreign(p.Relevance, o.Threshold) && !sink.Sampled(p.URL)
		said, ok := o.Labels[p.URL]
		if !ok && examples[p.URL] {
			said, ok = true, true
		}
		if l.said[i] = ok; ok {
			l.side[i] = sideOf(said)
		}
	}
	l.divide(l.first, nil, 0)
	if _, foreign := l.sides(); foreign < leastSure { // there is nothing else to learn from
		clear(l.near)
		l.divide(l.first, nil, 0)
	}
	return l
}

func sideOf(relevant bool) int8 {
	if relevant {
		return 1
	}
	return -1
}

// divide says by their log-odds which pages are sure and which are foreign. What somebody said of a page stands. One that what was
// learned does not put below so much is not foreign for having few of the topic's terms, nor is one with next to none that is there because
// its site gives much: the others would be told from it what they are not.
func (l *look) divide(odds, learned []float64, below float64) {
	sure, foreign := steepness*math.Log(sureFrom), steepness*math.Log(foreignBelow)
	for i := range l.side {
		switch {
		case l.said[i]:
		case odds[i] >= sure:
			l.side[i] = 1
		case odds[i] < foreign && !l.near[i] && (learned == nil || learned[i] < below):
			l.side[i] = -1
		default:
			l.side[i] = 0
		}
	}
}

// together are the log-odds of both looks; trust is the part of the second.
func (l *look) together(learned []float64, trust float64) []float64 {
	odds := make([]float64, len(learned))
	for i := range odds {
		odds[i] = (1-trust)*l.first[i] + trust*learned[i]
	}
	return odds
}

// again learns from what the pages have become by what was learned: a page of the topic that has few of its terms is sure by
// now, and one that has them by chance is foreign, where what was learned is certain of that: of the pages of a site that is of the topic
// as a whole most have few terms, and would be learned from as what it is not. The more there was to learn from the more its doubt
// counts. It ends where one side has too few pages to learn from.
func (l *look) again(learned []float64, sure int) []float64 {
	below := -certain * max(0, float64(sure-doubt)/float64(sure+doubt))
	for range rounds {
		l.divide(l.together(learned, .5), learned, below)
		if sure, foreign := l.sides(); sure < leastSure || foreign < leastSure {
			break
		}
		learned = l.learn()
	}
	return learned
}

func (l *look) sides() (sure, foreign int) {
	for _, s := range l.side {
		switch s {
		case 1:
			sure++
		case -1:
			foreign++
		}
	}
	return sure, foreign
}

// learn is the log-odds of every page by a judge that has not learned from it. Which part a page is of hangs on its address,
// so that the answer does not hang on which pages stand before it.
func (l *look) learn() []float64 {
	odds := make([]float64, len(l.pages))
	taught, each := l.taught()
	x := make([]learn.Vector, len(taught))
	learn.Each(len(taught), func(k int) { x[k] = (&unpacking{}).of(l.x[taught[k]]) })
	learn.Each(parts, func(part int) {
		var set learn.Labelled
		for k, i := range taught {
			if l.part(i) == part {
				continue
			}
			times := 1
			if l.said[i] {
				times = saidCounts
			}
			for range times {
				set.X, set.Y = append(set.X, x[k]), append(set.Y, l.side[i] > 0)
			}
		}
		w := learn.Logistic(set, learn.Training{Size: l.size, Epochs: 15, Cost: 1.5 * each, Seed: uint64(part)})
		var page unpacking
		for i := range l.pages {
			if l.part(i) == part {
				odds[i] = page.of(l.x[i]).Dot(w)
			}
		}
	})
	return odds
}

func (l *look) part(i int) int { return int(l.hash[i] % parts) }

// taught are the pages that are learned from, in their order: of a side that has many more, those of which somebody said so, and a
// sample. Their addresses alone say which, so that the answer does not hang on what stands before them. each is for how many pages one of
// them stands.
func (l *look) taught() (all []int, each float64) {
	known := 0
	for _, side := range [...]int8{1, -1} {
		from, drawn := len(all), 0
		for i, s := range l.side {
			if s == side {
				all = append(all, i)
				if !l.said[i] {
					drawn++
				}
			}
		}
		if known += len(all) - from; drawn <= l.most {
			continue
		}
		lot := func(i int) uint64 { // the hash itself says of what part a page is, and which of the foreign ones are there
			if l.said[i] {
				return 0
			}
			h := (l.hash[i] ^ l.hash[i]>>33) * 0xff51afd7ed558ccd
			return h ^ h>>33
		}
		slices.SortStableFunc(all[from:], func(a, b int) int { return cmp.Compare(lot(a), lot(b)) })
		all = all[:len(all)-(drawn-l.most)]
	}
	slices.Sort(all)
	return all, float64(known) / float64(len(all))
}

// agreement is the share of the pairs of a sure and a foreign page in which the sure one has the higher odds.
func (l *look) agreement(odds []float64) float64 {
	type told struct {
		odds float64
		sure bool
	}
	var all []told
	sure, foreign := 0.0, 0.0
	for i, s := range l.side {
		if s != 0 {
			all = append(all, told{odds[i], s > 0})
		}
	}
	slices.SortStableFunc(all, func(a, b told) int { return cmp.Compare(a.odds, b.odds) })
	before := 0.0
	for i := 0; i < len(all); {
		j, in, out := i, 0.0, 0.0
		for ; j < len(all) && all[j].odds == all[i].odds; j++ {
			if all[j].sure {
				in++
			} else {
				out++
			}
		}
		before += in * (foreign + out/2)
		sure, foreign, i = sure+in, foreign+out, j
	}
	return before / (sure * foreign)
}
