package crawlfile

import (
	"path/filepath"
	"strings"

	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// Judged is the config with the judge, the content rule and the threshold that count: what somebody chose, else what the
// strategy of the crawl file brings along, and for a trained judge the threshold it was trained to. Another strategy that
// was given in its place (--strategy) changes the order of the visits, and not what is kept.
func (c Config) Judged(strategy *rank.Strategy) Config {
	if strategy == nil {
		return c // it could not be read
	}
	strategy = c.written(strategy)
	if own := strategy.Judge; own != "" && own != "none" && !c.SameJudge && !c.Says("topic.judge") {
		c.Topic.Judge = topic.JudgeName(own)
	}
	if own := strategy.Content; own != "" && !c.SameJudge && !c.Says("topic.content") {
		c.Topic.Content = own
	}
	if c.Topic.Trained() && !c.Says("topic.threshold") {
		c.Topic.Threshold = 0
	}
	c.find()
	c.Topic.Find = "" // the threshold says it
	return c
}

// find puts the threshold for which topic.find stands in its place, unless what counts more than the word says a number.
func (c *Config) find() {
	if at, ok := topic.ThresholdOf(c.Topic.Find); ok && c.layer("topic.find") >= c.layer("topic.threshold") {
		c.Topic.Threshold = at
	}
}

// layer is how much counts what says a key: 2 environment and overrides, 1 the file; 0 nothing does.
func (c *Config) layer(key string) int {
	if _, ok := c.given[key]; ok {
		return 2
	}
	group, name, _ := strings.Cut(key, ".")
	if n, ok := c.source.Get(group); ok {
		if _, ok := n.Get(name); ok {
			return 1
		}
	}
	return 0
}

// written is the strategy that the crawl file names, where another one was given in its place.
func (c Config) written(given *rank.Strategy) *rank.Strategy {
	if _, replaced := c.given["strategy"]; !replaced {
		return given
	}
	c.Strategy = Default().Strategy
	if n, ok := c.source.Get("strategy"); ok && len(n.Decode(&c.Strategy)) > 0 {
		return given
	}
	if isPath(c.Strategy.Name) && !filepath.IsAbs(c.Strategy.Name) {
		c.Strategy.Name = filepath.Join(filepath.Dir(c.File), c.Strategy.Name)
	}
	own, err := c.LoadStrategy(c.Factors)
	if err != nil {
		return given // the file's own strategy is not what runs: its mistakes do not matter here
	}
	return own
}

// Trained tells whether the judge is learned from labelled pages.
func (t *TopicConfig) Trained() bool { return topic.TraitsOf(string(t.Judge)).Trained }

// Wrong is an error that shows where in the crawl file it comes from, one problem for each line of it.
func (c *Config) Wrong(path string, err error) error {
	if _, ok := strict.Problems(err); ok {
		return err
	}
	var problems []strict.Problem
	for line := range strings.Lines(err.Error()) {
		problems = append(problems, c.At(path, "%s", strings.TrimSpace(line)))
	}
	return strict.Err(problems)
}

// Says tells whether somebody chose the value of a key: the file, the environment, a flag, or a program that made the
// config in Go and changed what it found.
func (c *Config) Says(key string) bool {
	if c.layer(key) > 0 {
		return true
	}
	group, _, _ := strings.Cut(key, ".")
	if _, ok := c.source.Get(group); ok {
		return false
	}
	return strict.Value(*c, key) != strict.Value(Default(), key)
}

// TopicIsSeeds tells whether nothing but the start pages says what the topic is: nothing else does, or only words, of which
// the judge can make no centre.
func (c Config) TopicIsSeeds(s *rank.Strategy) bool {
	t := c.Judged(s).Topic
	words := (len(t.Terms) > 0 || t.About != "") && !topic.TraitsOf(string(t.Judge)).Pages
	return len(t.Examples) == 0 && !words && t.Corpus.Relevant == "" && t.Corpus.Other == "" && !t.Trained()
}
