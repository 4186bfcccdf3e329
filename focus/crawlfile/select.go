package crawlfile

import (
	"strings"

	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// NoHolding is why some frontiers do not go with some selections.
const NoHolding = "it holds links back and chooses among all of them at once, and a frontier that many machines share cannot; choose best, fifo, lifo or random there, or a run folder"

// selects says what a strategy's selection and the rest of the crawl file have against each other.
func (c *Config) selects(s *rank.Strategy) []strict.Problem {
	if s == nil || !s.Select.Holds() || !strings.HasPrefix(c.Store, "redis://") {
		return nil
	}
	return []strict.Problem{c.At("strategy", "%s selects by %s: %s", s.Name, s.Select.Use, NoHolding)}
}

// roundless warns of a bound on rounds where nothing counts rounds.
func (k *checker) roundless(s *rank.Strategy) {
	if s != nil && k.c.Budget.Rounds > 0 && s.Select.Use != "rounds" && s.Select.Use != "genetic" {
		k.Wrong("budget.rounds", "does not end this crawl: %s selects by %s, which has no rounds", s.Name, s.Select.Use)
	}
}
