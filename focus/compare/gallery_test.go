package compare

import (
	"path/filepath"
	"testing"

	"github.com/thresher-crawler/thresher/focus/replay/drawn"
)

// Where whole sites are of a topic and the crawl starts at a page of pictures that lead to all of them, nothing tells one link from
// another until a site has been tried. What learns stays beside what follows the weight of sites.
func TestTheLearnerGetsAwayFromAGallery(t *testing.T) {
	k := drawn.Small()
	k.Seed, k.Hosts, k.Pages, k.Topics, k.Relevant, k.Noise, k.Gallery = 40, 30, 500, 2, 0.08, 0.5, 30
	dir := filepath.Join(t.TempDir(), "gallery")
	noError(t, drawn.Draw(dir, k))
	r := run(t, Options{Webs: []string{dir}, Strategies: []string{"apprentice", "tunnel", "shark-site"}, OwnJudge: true, Seed: 1})
	learned, simple := map[string]float64{}, map[string]float64{}
	for _, c := range r.Cells {
		if c.Strategy == "apprentice" {
			learned[c.Topic] = c.Focus
		} else {
			simple[c.Topic] = max(simple[c.Topic], c.Focus)
		}
	}
	sum, best := 0.0, 0.0
	for topic, focus := range learned {
		sum, best = sum+focus, best+simple[topic]
		if focus < .85*simple[topic] || simple[topic] < .5 {
			t.Errorf("%s: focus %.3f, and %.3f of the better simple strategy", topic, focus, simple[topic])
		}
	}
	if len(learned) != 4 || sum < .95*best {
		t.Errorf("over %d topics it has %.3f of the focus of the better simple strategy on each, want .95 of 4", len(learned), sum/best)
	}
}
