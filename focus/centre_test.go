package focus_test

import (
	"testing"
)

// TestACentreIsMadeOfTheStartPages: the judge that follows a centre has one where the topic is told by words alone, and
// without examples: that of the start pages.
func TestACentreIsMadeOfTheStartPages(t *testing.T) {
	config := solarConfig(t, solarWeb())
	config.Topic.Judge, config.Topic.Calibrate, config.Topic.Threshold = "centroid", "off", .1
	report := crawlWith(t, config)
	if report.Counts.Relevant == 0 {
		t.Errorf("none of %d pages is relevant: there is no centre", report.Counts.Pages)
	}
	if d := report.Drifts; len(d) != 1 || d[0].Examples == 0 || !(d[0].Cosine > 0) {
		t.Errorf("the crawl tells of its centre %+v", d)
	}
}
