package topic

import (
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/text"
)

// portal is a Chinese page of about 20 KB of text, cut already: the benchmarks are of judging.
func portal() *text.Doc {
	d := &text.Doc{Segments: []text.Segment{{Text: "中超联赛第三轮：北京国安主场战胜上海申花", Position: title}}}
	sentences := []string{
		"北京国安队昨晚在工人体育场以二比一战胜上海申花队，主教练赛后表示球员发挥出色", "财经频道股票基金银行证券投资市场",
		"教育部公布高考招生计划，多所大学增加名额", "The league announced a new schedule for the season", "汽车新车上市报价试驾评测",
		"天气预报显示本周末有雨，市民出行请注意安全", "电影票房再创新高，导演与演员出席首映礼",
	}
	for i := range 180 {
		p := body
		if i%4 == 0 {
			p = anchor
		}
		d.Segments = append(d.Segments, text.Segment{Text: strings.Repeat(sentences[i%7], 1+i%2), Position: p, Block: int32(i / 8)})
	}
	return d
}

func benchTopics(b *testing.B) map[string]*Topic {
	zh := terms("体育", "足球", "篮球", "NBA", "中超", "比赛", "球队", "球员", "冠军", "联赛", "奥运", "教练", "排球", "网球")
	examples := []*text.Doc{portal(), doc("中超联赛 球员 教练 射门 进球 比分"), doc("篮球比赛 冠军 决赛 球队 得分")}
	return map[string]*Topic{
		"terms":      mustNew(b, Spec{Terms: zh}),
		"examples":   mustNew(b, Spec{Terms: zh, Examples: examples}),
		"restricted": mustNew(b, Spec{Terms: zh, Judge: "vsm-restricted"}),
		"bm25":       mustNew(b, Spec{Terms: zh, Examples: examples, Judge: "bm25"}),
		"centroid":   mustNew(b, Spec{Examples: examples, Judge: "centroid"}),
	}
}

// BenchmarkJudge is judging beyond cutting: the page's words are there already.
func BenchmarkJudge(b *testing.B) {
	for name, t := range benchTopics(b) {
		d := portal()
		t.Learn(d, t.Judge(d))
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				t.Judge(d)
			}
		})
	}
}

func BenchmarkLearn(b *testing.B) {
	for name, t := range benchTopics(b) {
		d := portal()
		j := t.Judge(d)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				t.Learn(d, j)
			}
		})
	}
}

func BenchmarkSim(b *testing.B) {
	for name, t := range benchTopics(b) {
		for what, s := range map[string]string{"no term": "天气预报本周末有雨", "a term": "中超第三轮战报"} {
			b.Run(name+"/"+what, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					t.Sim(s)
				}
			})
		}
	}
}
