package topic

import "testing"

func TestScaleIsGuessedFirst(t *testing.T) {
	s := newScale()
	s.refresh(0, false)
	near(t, "lo of a topic of terms", s.lo, .05)
	near(t, "hi of a topic of terms", s.hi, .2)
	s.refresh(.4, true)
	near(t, "hi with examples", s.hi, .4)
	s.refresh(.06, true)
	near(t, "hi with weak examples", s.hi, .1)
	near(t, "lo with weak examples", s.lo, .1/3)
}

func TestRelevanceFollowsWhatIsSeen(t *testing.T) {
	s := newScale()
	for i := range 100 {
		due := s.add(float64(i) / 200)
		if due != (i%10 == 9) {
			t.Errorf("page %d: refresh is %v", i+1, due)
		}
	}
	s.refresh(0, false)
	near(t, "lo is a quarter of hi, which is less than the median", s.lo, 97.0/800)
	near(t, "hi is the mean of the top twentieth", s.hi, 97.0/200)
	s.refresh(.4, true)
	near(t, "half of it the examples'", s.hi, (97.0/200+.4)/2)
	near(t, "relevance", s.relevance(s.lo+(s.hi-s.lo)/4), .25)
	if s.relevance(0) != 0 || s.relevance(1) != 1 {
		t.Error("relevance leaves [0,1]")
	}
}

func TestScaleOfCrawlsThatGoWellAndBadly(t *testing.T) {
	flat := newScale()
	for range 200 {
		flat.add(.3)
	}
	flat.refresh(0, false)
	near(t, "hi of equal pages", flat.hi, .3)
	poor := newScale()
	for i := range 200 {
		poor.add(float64(i/190) / 2)
	}
	poor.refresh(0, false)
	near(t, "lo of a crawl with few good pages is the median", poor.lo, 0)
	near(t, "hi", poor.hi, .5)
	none := newScale()
	for range 50 {
		none.add(0)
	}
	none.refresh(0, false)
	near(t, "hi keeps its distance", none.hi, .02)
}
