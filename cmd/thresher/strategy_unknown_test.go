package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAStrategyOfAnotherVersion: a run whose strategy has words that this version does not know is read, searched and looked at again all
// the same. Only the score of a link cannot be taken apart, and why says that; to go on with the crawl takes the strategy.
func TestAStrategyOfAnotherVersion(t *testing.T) {
	dir := quickstartRun(t)
	path := filepath.Join(dir, "strategy.yaml")
	text := strings.Replace(mustRead(t, path), "rank:\n", "wisdom: 7\nrank:\n", 1)
	noError(t, os.WriteFile(path, []byte(text), 0o600))
	const address = "http://daily.test/show.php?cat=sailing&id=236"
	for _, args := range [][]string{
		{"search", dir, "sailing"}, {"list", "harvest", "--run", dir}, {"list", "frontier", "--run", dir}, {"list", "sites", "--run", dir},
		{"export", "--run", dir}, {"card", "--run", dir}, {"suggest", dir}, {"winnow", "--run", dir}, {"why", address, "--json", "--run", dir},
	} {
		if out := must(t, args...); out == "" {
			t.Errorf("%s says nothing", strings.Join(args[:2], " "))
		}
	}
	out := must(t, "why", address, "--run", dir)
	for _, want := range []string{"how we got there", "its score cannot be taken apart: run folder " + dir + ": another version of thresher wrote its strategy: " + path + ":", "wisdom", "what became of it"} {
		if !strings.Contains(out, want) {
			t.Errorf("why has no %q:\n%s", want, out)
		}
	}
}
