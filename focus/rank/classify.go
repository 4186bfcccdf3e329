package rank

import (
	"strings"
	"sync"

	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/page"
)

// classifier tells the classes of links by the words of a model. Links say the same few words again and again, and whole
// anchors in Chinese: it remembers the numbers the model gives them, so that such a link costs a look-up for each. It may be
// used by many goroutines at once.
type classifier struct {
	mu     sync.Mutex
	reader *linkReader
	model  *learn.Ready
	words  map[string]int32   // by a word as it is written; -1 for one that says nothing
	runs   map[string][]int32 // by a run of Chinese: the words it is cut into
	link   []int32            // the words of the link that is read
	run    []int32
}

// What is remembered: so many words of at most longWord bytes, and so many runs of at most longRun.
const (
	mostWords = 1 << 16
	mostRuns  = 1 << 14
	longRun   = 192
)

func newClassifier(model *learn.Ready, reader *linkReader) *classifier {
	return &classifier{model: model, reader: reader, words: map[string]int32{}, runs: map[string][]int32{}}
}

// class is the class of a link, the smallest of equals; the last where the model knows none of the words.
func (c *classifier) class(l *page.Link) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.link = c.link[:0]
	c.read(l.URL)
	c.read(l.Anchor)
	return c.model.Class(c.link)
}

// read adds the words of a text to those of the link.
func (c *classifier) read(s string) {
	for i := 0; ; {
		p := nextPart(s, i)
		switch i = p.end; {
		case p.begin == p.end:
			return
		case p.han:
			c.link = append(c.link, c.chinese(s[p.begin:p.end])...)
		case p.counts():
			if n := c.word(s[p.begin:p.end]); n >= 0 {
				c.link = append(c.link, n)
			}
		}
	}
}

func (c *classifier) word(w string) int32 {
	n, known := c.words[w]
	if known {
		return n
	}
	n = -1
	if said := stem(w); said != "" {
		n = c.model.Number(said)
	}
	if len(w) <= longWord {
		if len(c.words) >= mostWords {
			clear(c.words)
		}
		c.words[strings.Clone(w)] = n
	}
	return n
}

// chinese are the words of a run that the model knows. They are good until the next call.
func (c *classifier) chinese(run string) []int32 {
	numbers, known := c.runs[run]
	if known {
		return numbers
	}
	c.run = c.run[:0]
	for _, w := range c.reader.chinese(nil, run) {
		if n := c.model.Number(w); n >= 0 {
			c.run = append(c.run, n)
		}
	}
	if len(run) <= longRun {
		if len(c.runs) >= mostRuns {
			clear(c.runs)
		}
		c.runs[strings.Clone(run)] = append([]int32(nil), c.run...)
	}
	return c.run
}
