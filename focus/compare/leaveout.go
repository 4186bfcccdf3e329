package compare

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/thresher-crawler/thresher/focus/measure"
	"github.com/thresher-crawler/thresher/focus/replay"
)

// LeftOut is how a strategy fares when one term of a topic is left out, each in turn: a user's words are never complete.
type LeftOut struct {
	Terms  int     `json:"terms"`  // how many were left out, over all topics
	Focus  float64 `json:"focus"`  // the mean of the topics' means
	Median float64 `json:"median"` // of what focus gains or loses by it
	Worst  Without `json:"worst"`  // the term that was missed most
}

// Without is a strategy on a topic without one of its terms.
type Without struct {
	Strategy string  `json:"-"`
	Web      string  `json:"web"`
	Topic    string  `json:"topic"`
	Term     string  `json:"term"`
	Focus    float64 `json:"focus"`
	Change   float64 `json:"change"` // beside all terms
}

// leaveOut measures all variants on a topic again, each time without another of its terms.
func (r *runner) leaveOut(ctx context.Context, g *graph, t replay.Topic, all []Cell) error {
	if len(t.Terms) < 2 {
		return nil
	}
	for i, term := range t.Terms {
		less := t
		less.Terms = slices.Delete(slices.Clone(t.Terms), i, i+1)
		r.Say(fmt.Sprintf("%s %s without %s", g.web.Name(), t.Name, term))
		cells, err := r.topic(ctx, g, less)
		if err != nil {
			return err
		}
		for _, c := range cells {
			at := slices.IndexFunc(all, func(with Cell) bool { return with.Strategy == c.Strategy })
			if at >= 0 {
				r.result.without = append(r.result.without, Without{c.Strategy, c.Web, c.Topic, term, c.Focus, c.Focus - all[at].Focus})
			}
		}
	}
	return nil
}

// leftOut sums up what leaving out terms did to a strategy; nil where none was left out.
func (r *Result) leftOut(strategy string) *LeftOut {
	var change []float64
	byTopic := map[string][]float64{}
	var topics []string
	var l LeftOut
	for _, w := range r.without {
		if w.Strategy != strategy {
			continue
		}
		if len(change) == 0 || w.Change < l.Worst.Change {
			l.Worst = w
		}
		topic := w.Web + "\t" + w.Topic
		if byTopic[topic] == nil {
			topics = append(topics, topic)
		}
		change, byTopic[topic] = append(change, w.Change), append(byTopic[topic], w.Focus)
	}
	if len(change) == 0 {
		return nil
	}
	var means []float64
	for _, topic := range topics {
		means = append(means, measure.Mean(byTopic[topic]))
	}
	slices.Sort(change)
	l.Terms, l.Focus = len(change), measure.Mean(means)
	l.Median = (change[(len(change)-1)/2] + change[len(change)/2]) / 2
	return &l
}

// leftOutSection tells the same in the report for people.
func (r *Result) leftOutSection() measure.Section {
	t := &measure.Table{Head: r.sayAll("strategy", "focus", "terms left out", "median", "worst", "topic", "term")}
	for _, m := range r.Means {
		if l := m.LeftOut; l != nil {
			t.Rows = append(t.Rows, []string{m.Strategy, three(l.Focus), strconv.Itoa(l.Terms), fmt.Sprintf("%+.3f", l.Median),
				fmt.Sprintf("%+.3f", l.Worst.Change), l.Worst.Topic, l.Worst.Term})
		}
	}
	return measure.Section{Title: r.say("One term left out, each in turn"), Table: t}
}

// leftOutText tells how the strategies fare without one of the terms.
func (r *Result) leftOutText(w io.Writer) {
	var lines []string
	for _, m := range r.Means {
		if l := m.LeftOut; l != nil {
			lines = append(lines, fmt.Sprintf("%s: focus %.3f over %d of them, the median %+.3f, the worst %+.3f (%s without %s)",
				m.Strategy, l.Focus, l.Terms, l.Median, l.Worst.Change, l.Worst.Topic, l.Worst.Term))
		}
	}
	if len(lines) > 0 {
		fmt.Fprintf(w, "\none term left out, each in turn\n\n%s\n", strings.Join(lines, "\n"))
	}
}
