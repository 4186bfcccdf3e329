package main

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/rank"
)

// A run that a program made with a factor of its own is read by the command, which does not know that factor: list, why and
// export show its numbers by its name.
func TestARunOfOwnFactorsIsRead(t *testing.T) {
	factors := rank.NewRegistry().With(rank.Factors)
	rank.Register(factors, "early", "how early on its page a link stands", struct{}{}, func(struct{}) (rank.Factor, error) {
		return rank.Func(func(e *rank.Evidence) float64 { return 1 / float64(1+e.Link.Order) }), nil
	})
	config := focus.Default()
	config.Name, config.Store, config.Web, config.MinFree = "early", filepath.Join(t.TempDir(), "run"), "../../testdata/webs/small", 0
	config.Factors, config.Seeds = factors, []string{"http://daily.example/"}
	config.Topic.Terms = []crawlfile.TermConfig{{Term: "sailing", Weight: 1}, {Term: "boat", Weight: 1}}
	config.Budget.Pages = 60
	var err error
	if config.Strategy, err = crawlfile.InPlace("name: early\nrank: {mix: [{use: early, weight: 2}, {use: relevance}]}"); err != nil {
		t.Fatal(err)
	}
	crawler, err := focus.New(t.Context(), config)
	noError(t, err)
	report, err := crawler.Run(t.Context())
	if err != nil || report.Counts.Kept < 2 {
		t.Fatalf("%d pages were kept, %v", report.Counts.Kept, err)
	}

	for _, what := range []string{"harvest", "frontier", "refused", "sites"} {
		if out := must(t, "list", what, "--run", config.Store); strings.Count(out, "\n") < 2 {
			t.Errorf("list %s prints %q", what, out)
		}
	}
	var last struct {
		URL string
		Why []struct {
			Name  string
			Value float64
		}
	}
	for line := range strings.Lines(must(t, "export", "--run", config.Store)) {
		last.Why = nil
		noError(t, json.Unmarshal([]byte(line), &last))
	}
	if len(last.Why) != 3 || last.Why[1].Name != "early" || last.Why[1].Value <= 0 {
		t.Fatalf("the last page that export prints has the numbers %v", last.Why)
	}
	said := must(t, "why", last.URL, "--run", config.Store)
	if !strings.Contains(said, "  early ×2\n") || strings.Contains(said, "scored by another strategy") {
		t.Errorf("why says\n%s", said)
	}
	var told struct {
		Score []struct {
			Name  string
			Value float64
		}
	}
	noError(t, json.Unmarshal([]byte(must(t, "why", last.URL, "--json", "--run", config.Store)), &told))
	if len(told.Score) != 3 || told.Score[1].Name != "early" || math.Abs(told.Score[1].Value-last.Why[1].Value) > 1e-4 { // the log has four digits
		t.Errorf("why says %v, and the harvest %v", told.Score, last.Why)
	}
}
