package text

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// chinesePage is about 20 KB of running Chinese: in one sentence of ten a term of sport can occur.
func chinesePage() *Doc {
	sentences := []string{
		"北京国安队昨晚在工人体育场以二比一战胜上海申花队，主教练赛后表示球员发挥出色。", "今年以来我国经济运行总体平稳，各地区各部门认真做好工作。",
		"教育部公布了明年的招生计划，多所大学增加名额。", "市民可以通过手机提前预约办理相关业务。", "天气预报显示本周末有雨，请注意出行安全。",
		"这部影片的票房再创新高，导演与演员出席首映礼。", "专家提醒消费者购买商品时要看清说明。", "新区的三条地铁线路将于年底开通试运行。",
		"公司发布第三季度财报，营业收入同比增长两成。", "研究人员在杂志上发表论文，介绍了新的方法。",
	}
	d := &Doc{}
	for i := 0; d.size() < 20<<10; i++ {
		d.Segments = append(d.Segments, Segment{Text: sentences[i%len(sentences)], Block: int32(i / 8)})
	}
	return d
}

// BenchmarkChinese is the cost of cutting a page: all of it, with parts of speech, and only what the topic's terms
// need.
func BenchmarkChinese(b *testing.B) {
	benchmarkPages(b, []*Doc{chinesePage()})
}

// BenchmarkRecordedPages is the same over pages of portals.
func BenchmarkRecordedPages(b *testing.B) {
	benchmarkPages(b, recordedDocs(b, "zh_portals", 40))
}

func benchmarkPages(b *testing.B, docs []*Doc) {
	size := 0
	for _, d := range docs {
		size += d.size()
	}
	for _, way := range []struct {
		name string
		tags bool
		cut  func(*Cutter, *Doc) []Token
	}{{"everything", false, (*Cutter).Tokens}, {"tagged", true, (*Cutter).Tokens}, {"terms alone", false, (*Cutter).Found}} {
		c := cutter(b, Options{Terms: sportsTerms, Tags: way.tags, Limit: -1})
		way.cut(c, emptied(docs[0]))
		b.Run(way.name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, d := range docs {
					way.cut(c, emptied(d))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(docs)), "µs/page")
		})
	}
}

// BenchmarkPureGo is the segmenter that needs no cgo.
func BenchmarkPureGo(b *testing.B) {
	benchmarkSegmenter(b, newPureSegmenter(userDict{}))
}

// BenchmarkBackend is the segmenter of this build.
func BenchmarkBackend(b *testing.B) { benchmarkSegmenter(b, newLazySegmenter(userDict{}).load()) }

func benchmarkSegmenter(b *testing.B, s segmenter) {
	var pieces []piece
	for name, d := range map[string]depth{"plain": plain, "joined": joined, "tagged": tagged} {
		b.Run(name, func(b *testing.B) {
			text := strings.ReplaceAll(chineseText, " ", "")
			n, _ := scanRun(text, 0, han)
			run := text[:n]
			b.SetBytes(int64(len(run)))
			b.ReportAllocs()
			for b.Loop() {
				pieces = s.cut(pieces[:0], run, d)
			}
		})
	}
}

const englishText = `The crawler harvests the pages of one topic from the web and leaves the rest where it is. It is steered by a
file per topic, tells why each link was followed, and loses nothing when it is stopped at any moment. Researchers of
universities have published strategies since 1994; running them on recorded webs shows which of them finds most. `

// inNoOrder is a text so many times, its words in no order: one that repeats itself a processor knows by heart.
func inNoOrder(text string, times int) string {
	words := strings.Fields(strings.Repeat(text, times))
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	return strings.Join(words, " ")
}

func BenchmarkEnglish(b *testing.B) {
	c := cutter(b, Options{Terms: []string{"crawler", "recorded web"}})
	s := inNoOrder(englishText, 64)
	b.Run("cut", func(b *testing.B) {
		var tokens []Token
		b.SetBytes(int64(len(s)))
		b.ReportAllocs()
		for b.Loop() {
			tokens = c.Cut(tokens[:0], s)
		}
	})
	b.Run("find", func(b *testing.B) {
		var found []Match
		b.SetBytes(int64(len(s)))
		b.ReportAllocs()
		for b.Loop() {
			found = c.Find(found[:0], s)
		}
	})
}

// BenchmarkAnchor is the smallest call, of which there are a hundred on a page.
func BenchmarkAnchor(b *testing.B) {
	c := cutter(b, Options{Terms: sportsTerms})
	for name, s := range map[string]string{"no term": "今日天气预报", "a term": "中超第三轮战报", "English": "Contact the department"} {
		b.Run("cut/"+name, func(b *testing.B) {
			var tokens []Token
			b.ReportAllocs()
			for b.Loop() {
				tokens = c.Cut(tokens[:0], s)
			}
		})
		b.Run("find/"+name, func(b *testing.B) {
			var found []Match
			b.ReportAllocs()
			for b.Loop() {
				found = c.Find(found[:0], s)
			}
		})
	}
}

func BenchmarkDetect(b *testing.B) {
	for name, s := range map[string]string{"Chinese": strings.Repeat(chineseText, 20), "English": inNoOrder(englishText, 8)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Detect(s, "")
			}
		})
	}
}

// BenchmarkSearch is the cost of cutting pages of portals as a search index wants them.
func BenchmarkSearch(b *testing.B) {
	for _, pages := range []struct {
		name string
		docs []*Doc
	}{{"running", []*Doc{chinesePage()}}, {"portals", recordedDocs(b, "zh_portals", 40)}} {
		c, size := cutter(b, Options{}), 0
		var texts []string
		for _, d := range pages.docs {
			var all strings.Builder
			for _, s := range d.Segments {
				all.WriteString(s.Text + "\n")
			}
			texts, size = append(texts, all.String()), size+all.Len()
		}
		words := c.Search(nil, texts[0])
		b.Run(pages.name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, t := range texts {
					words = c.Search(words[:0], t)
				}
			}
		})
	}
}
