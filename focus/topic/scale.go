package topic

// bins is how finely the numbers seen so far are kept: their median is right to a ten-thousandth.
const bins = 10_000

// scale turns a judge's number into a relevance in [0,1]: lo is what an ordinary page gets, hi what a good one gets,
// as far as has been seen.
type scale struct {
	lo, hi float64
	guess  float64   // what hi is before anything was seen
	count  []uint32  // of the numbers seen, by size
	sum    []float64 // of the numbers in a bin
	pages  int
}

// newScale starts with a guess of what a good page gets. Over the recorded webs a good page got .12 from a judge of
// terms that had seen nothing yet, and an ordinary one less than .05.
func newScale() scale {
	return scale{guess: .2, count: make([]uint32, bins+1), sum: make([]float64, bins+1)}
}

// relevance places a number between lo and hi.
func (s *scale) relevance(raw float64) float64 {
	return min(max((raw-s.lo)/(s.hi-s.lo), 0), 1)
}

// add takes the number of a judged page, and tells whether it is time to look at the whole again: every 10 pages for
// the first 100, then every 50.
func (s *scale) add(raw float64) bool {
	raw = min(max(raw, 0), 1)
	bin := int(raw * bins)
	s.count[bin]++
	s.sum[bin] += raw
	s.pages++
	return due(s.pages)
}

// due tells whether it is time to look at the whole again after so many pages.
func due(pages int) bool {
	if pages <= 100 {
		return pages%10 == 0
	}
	return pages%50 == 0
}

// refresh sets lo and hi from the numbers seen and from what the examples get (if there is such a number). Before
// there are pages enough, both are guesses. lo is the median, but never more than a quarter of hi: in a crawl that goes
// well most pages are good, and the median is that of good pages.
func (s *scale) refresh(examples float64, have bool) {
	switch {
	case s.pages >= readyPages && have:
		s.hi = s.top()/2 + examples/2
		s.lo = min(s.median(), s.hi/4)
	case s.pages >= readyPages:
		s.hi = s.top()
		s.lo = min(s.median(), s.hi/4)
	case have:
		s.hi = max(s.guess/2, examples)
		s.lo = s.hi / 3
	default:
		s.hi = s.guess
		s.lo = s.hi / 4
	}
	s.hi = max(s.hi, s.lo+.02)
}

// median is the middle of the numbers seen.
func (s *scale) median() float64 {
	half := (s.pages + 1) / 2
	for bin, n := range s.count {
		if half -= int(n); half <= 0 {
			return s.sum[bin] / float64(n)
		}
	}
	return 0
}

// top is the mean of the highest twentieth of the numbers seen.
func (s *scale) top() float64 {
	want := max(1, s.pages/20)
	left, sum := want, 0.0
	for bin := bins; bin >= 0 && left > 0; bin-- {
		n := int(s.count[bin])
		if n == 0 {
			continue
		}
		take := min(n, left)
		sum += s.sum[bin] / float64(n) * float64(take)
		left -= take
	}
	return sum / float64(want)
}

// twentieth is the share of pages that counts as the best.
const twentieth = .05

// from is the number that so great a share of the numbers seen reaches.
func (s *scale) from(share float64) float64 {
	left := max(1, int(float64(s.pages)*share))
	for bin := bins; bin >= 0; bin-- {
		if left -= int(s.count[bin]); left <= 0 {
			return s.sum[bin] / float64(s.count[bin])
		}
	}
	return 0
}
