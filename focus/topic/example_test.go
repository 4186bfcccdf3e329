package topic_test

import (
	"fmt"

	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// A topic is stated as weighted terms. It judges pages and short texts, and says which terms made it think so.
func Example() {
	t, err := topic.New(topic.Spec{
		Terms:     []topic.Term{{Term: "足球", Weight: 1}, {Term: "中超", Weight: .8}, {Term: "office hours", Weight: .5}},
		Threshold: .3,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	page := &text.Doc{Segments: []text.Segment{{Text: "中超足球新闻，足球评论"}}}
	j := t.Judge(page)
	fmt.Printf("relevant: %v\n", j.Relevant)
	for _, e := range j.Terms {
		fmt.Printf("%s ×%d %.2f\n", e.Term, e.Count, e.Added)
	}
	fmt.Printf("anchor: %.2f %v\n", t.Sim("中超足球"), t.Matches("中超足球"))
	// Output:
	// relevant: true
	// 中超 ×1 0.33
	// 足球 ×2 0.26
	// anchor: 0.93 [中超 足球]
}
