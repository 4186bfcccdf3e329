package focus_test

import (
	"slices"
	"testing"

	"github.com/thresher-crawler/thresher/focus/admit"
)

// TestAPageThatLeadsOn: what leads on by itself, by its head or by a script, is followed and not kept, whatever its title says.
func TestAPageThatLeadsOn(t *testing.T) {
	w := &web{pages: map[string]answer{}}
	for at, body := range map[string]string{
		"/":                `<title>Welcome</title><script>window.location.href = "/solar/";</script>`,
		"/solar/":          `<title>Solar</title><p>Solar energy from a solar panel. <a href=/old/solar-panel>Solar panel</a>`,
		"/old/solar-panel": `<title>http://a.example/solar-panel</title><link rel=canonical href=/solar-panel><meta http-equiv=refresh content="0; url=/solar-panel">`,
		"/solar-panel":     `<title>Solar panel</title><p>A panel makes power of the light of the sun: solar energy for a house.`,
	} {
		w.pages["http://a.example"+at] = answer{status: 200, body: body}
	}
	config := solarConfig(t, w)
	report := crawlWith(t, config)
	var kept []string
	for _, r := range harvest(t, config) {
		kept = append(kept, r.URL)
	}
	if slices.Sort(kept); !slices.Equal(kept, []string{"http://a.example/solar-panel", "http://a.example/solar/"}) {
		t.Errorf("kept are %v", kept)
	}
	if report.Counts.Relevant != 2 || report.Counts.Dropped[admit.RefusedDuplicate] != 1 {
		t.Errorf("%d relevant pages, not kept are %v; want two, and one that repeats where it leads", report.Counts.Relevant, report.Counts.Dropped)
	}
}
