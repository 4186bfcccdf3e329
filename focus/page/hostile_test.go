package page

import (
	"strings"
	"testing"
	"time"
)

// hostile are documents that make a careless reader slow: each piece is repeated to half a megabyte.
var hostile = map[string]string{
	"open elements":       "<div>",
	"open links":          "<a href=x>",
	"links in paragraphs": "<p><a href=x>y",
	"formatting":          "<b><i><font><p>x",
	"adoption":            "<a href=x><b><div></a></b>",
	"adoption in depth":   "<b><u><i><s><p></b></i>",
	"end tags":            "</b></p></div></nosuch>",
	"tables":              "<table><tr><td>",
	"tables in tables":    "<table><b><tr>",
	"text in tables":      "<table>x<b>y",
	"cells":               "<td>x",
	"headings":            "<h2>x</h2>y",
	"titles":              "<title>T - x</title><h1>T</h1>",
	"lists":               "<ul><li>x",
	"objects":             "<object><b>",
	"forms":               "<form><div></form>",
	"references":          "&amp;&notit;&#x41;&bogus",
	"tags cut short":      "<a <a ",
	"comments":            "<!-- -- ",
	"scripts":             "<script><!--<script></script>",
	"attributes":          "<p a=1 b=2 c=3 d=4 e=5 f='6' g>",
	"classes":             "<div class='a b c d e f g-h adBox'>x</div>",
	"frames":              "<iframe src=x></iframe>",
	"relative addresses":  "<a href='../../%zz/?&&;'>x</a>",
	"linked data":         `<script type="application/ld+json">[[[[[[{"headline":1}]]]]]]</script>`,
	"nested svg":          "<svg><math><p>",
	"templates":           "<template><td>",
	"formulas":            "<math/>",
	"code":                "<code>a</code>",
	"code in quotes":      "<code>`</code>",
	"numbers above":       "<sup>1</sup>",
	"buttons":             "<button>",
	"readers":             "<div><h2>Comments of it</h2><p>The kettle is cooled, and then it waits.",
	"lines of the house":  "<p>Published by the gate, it was kept there for long.",
	"authors":             "<div itemprop=author><b itemprop=name>!</b>",
}

// farApart are documents whose parts stand each in many others, and few of these around two of them.
func farApart() map[string]string {
	nest := func(inside string) string {
		return strings.Repeat("<div>", 480) + inside + strings.Repeat("</div>", 480)
	}
	const says = "The kettle is cooled, and then it waits.\n"
	text := nest("<p>" + strings.Repeat(says, 20000))
	return map[string]string{
		"sentences far above the text": "<title>T</title><h1>T</h1>" + nest(strings.Repeat("<div>The kettle is cooled, <a href=/a>and then</a> it waits for us.</div>", 4000)) + text,
		"readers in many elements":     nest("<h2>Comments of the year</h2>" + strings.Repeat("<p>"+says, 10000)),
		"headings far from the text":   nest(strings.Repeat("<h1>T</h1>", 12000)) + "<ul>" + strings.Repeat("<li><a href=/a>"+says+"</a>", 2000) + "</ul>" + nest("<p>"+strings.Repeat(says, 600)),
	}
}

// TestHostilePages holds the cost of anything to a multiple of what a usual page of that size costs.
func TestHostilePages(t *testing.T) {
	if raced || testing.Short() {
		t.Skip("reads half a megabyte of each, which the race detector makes too slow to say anything")
	}
	const size = 1 << 19
	page := drawnPage(t)
	usual := least(func() { Parse([]byte(strings.Repeat(string(page), size/len(page))), "http://x.example/", Options{}) })
	whole := farApart()
	for name, piece := range hostile {
		whole[name] = strings.Repeat(piece, size/len(piece))
	}
	for name, body := range whole {
		body := []byte(body)
		took := least(func() {
			p := Parse(body, "http://x.example/a/b", Options{})
			p.MainText()
			p.Markdown()
		})
		t.Logf("%-20s %8v, %5.1f times a usual page of that size", name, took.Round(time.Millisecond), float64(took)/float64(usual))
		if took > 200*usual {
			t.Errorf("%s: it takes %v, a usual page of that size %v", name, took, usual)
		}
	}
}

// least is the shorter of two runs, by the processor's time: whatever else the machine does is not counted.
func least(job func()) time.Duration {
	best := time.Duration(1 << 62)
	for range 2 {
		start := cpuTime()
		job()
		best = min(best, cpuTime()-start)
	}
	return best
}
