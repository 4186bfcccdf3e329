package focus_test

import (
	"testing"
)

// Two processes share a crawl by strategies that learn of links: each understands what the other
// tells, and so does who joins when all is done.
func TestMachinesUnderstandEachOther(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	db := startRedis(t)
	web, seeds := drawWeb(t, 2)
	for _, strategy := range []string{"apprentice", "opic"} {
		t.Run(strategy, func(t *testing.T) {
			s, dir := serveWeb(t, web, 0), t.TempDir()
			told := sharing{Store: db.address("-" + strategy), Web: s.address(), Seeds: seeds,
				Parallel: 2, Strategy: strategy, Judge: "vsm-restricted"}
			for _, w := range s.startWorkers(t, dir, told, 2) {
				w.ends(t)
			}
			if c, n := joins(t, told), len(s.requests()); c.Pages != n || n < 30 {
				t.Errorf("who joins counts %d pages of %d", c.Pages, n)
			}
		})
	}
}
