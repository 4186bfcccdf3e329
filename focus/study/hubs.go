package study

import (
	"errors"
	"fmt"
	"math"

	"github.com/thresher-crawler/thresher/focus/learn"
)

// HubLine is where hubs are parted from pages of text: the threshold that Zhou and Liu (2018, 3.3) take from a training
// set of both. What they compare with it is the text of links by the rest of the text, which is Beta; a crawl compares the
// share of links in all of the text, which is Ratio.
type HubLine struct {
	Ratio float64 `json:"ratio"` // reading.hub_ratio of the crawl file
	Beta  float64 `json:"beta"`
	Gain  float64 `json:"gain"` // what knowing the side tells, in bits
	Hubs  Side    `json:"hubs"`
	Topic Side    `json:"topic"`
}

// Side is how many pages of a kind there were, and how many of them are on their side of the line.
type Side struct {
	Pages int `json:"pages"`
	Right int `json:"right"`
}

// The words of a list that labels pages by their kind.
const (
	labelHub   = "hub"
	labelTopic = "topic"
)

var kinds = [2]string{labelHub, labelTopic}

// FindHubLine learns the line from examples of hubs and of pages of text. Each is a folder, a recorded web or a list, as
// ReadCorpus takes them; a list labels its pages hub or topic.
func FindHubLine(hubs, topics string, more ...*Library) (HubLine, error) {
	var ratios []float64
	var truth []bool
	take := func(path, so string) (int, error) {
		pages, _, err := readSide(path, so, kinds, more)
		if err != nil {
			return 0, err
		}
		for _, p := range pages {
			if p.Bare {
				return 0, fmt.Errorf("hub and topic pages: of %s in %s nothing but the text is known, and links tell a hub: give pages as HTML, or a list of addresses in a recorded web", p.Address, path)
			}
			ratios, truth = append(ratios, p.Anchors), append(truth, so == labelHub)
		}
		return len(pages), nil
	}
	var l HubLine
	var err error
	if l.Hubs.Pages, err = take(hubs, labelHub); err != nil {
		return HubLine{}, err
	}
	if l.Topic.Pages, err = take(topics, labelTopic); err != nil {
		return HubLine{}, err
	}
	return l, l.draw(ratios, truth)
}

// draw puts the line where the side of a page tells most of its kind.
func (l *HubLine) draw(ratios []float64, truth []bool) error {
	if l.Hubs.Pages < 2 || l.Topic.Pages < 2 {
		return fmt.Errorf("hub and topic pages: there are %d hubs and %d topic pages: the line is learned from both, at least 2 of each and better 20", l.Hubs.Pages, l.Topic.Pages)
	}
	var above bool
	switch l.Ratio, l.Gain, above = learn.Split(ratios, truth); {
	case l.Gain == 0:
		return errors.New("hub and topic pages: they have the same share of links in their texts, and cannot be parted by it: give other examples")
	case !above:
		return errors.New("hub and topic pages: the hubs have fewer links in their texts than the topic pages: are the two the wrong way round?")
	}
	l.Ratio = max(math.Round(1e4*l.Ratio), 1) / 1e4 // as it is written into a crawl file
	l.Beta = l.Ratio / (1 - l.Ratio)
	for i, ratio := range ratios {
		switch hub := ratio > l.Ratio; {
		case hub && truth[i]:
			l.Hubs.Right++
		case !hub && !truth[i]:
			l.Topic.Right++
		}
	}
	return nil
}
