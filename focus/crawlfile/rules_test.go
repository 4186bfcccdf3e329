package crawlfile

import (
	"testing"

	"github.com/thresher-crawler/thresher/focus/extract"
)

// TestRulesOfAProgramAreMadeReady: rules that were written in Go find what those of a file find.
func TestRulesOfAProgramAreMadeReady(t *testing.T) {
	config := Default()
	config.Topic.Terms, config.Seeds = []TermConfig{{Term: "solar", Weight: 1}}, []string{"https://a.example/"}
	config.Extract = extract.Rules{"price": {{CSS: ".price", As: "number", Match: `[0-9]+`}}}
	if err := config.Sound(); err != nil {
		t.Fatal(err)
	}
	if values, _ := config.Extract.Values([]byte(`<p class=price>12 EUR</p>`), "https://a.example/"); string(values["price"]) != "12" {
		t.Errorf("values: %s", values)
	}
}
