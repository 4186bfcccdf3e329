package page

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestContextIsAboutTwentyWords(t *testing.T) {
	english := strings.Repeat("word ", 40)
	if got := len(strings.Fields(firstWords(english))); got != contextWords {
		t.Errorf("%d English words after, want %d", got, contextWords)
	}
	if got := len(strings.Fields(lastWords(english))); got != contextWords {
		t.Errorf("%d English words before, want %d", got, contextWords)
	}
	chinese := strings.Repeat("中文", 60)
	for name, got := range map[string]string{"after": firstWords(chinese), "before": lastWords(chinese)} {
		if n := utf8.RuneCountInString(got); n != 2*contextWords || !utf8.ValidString(got) {
			t.Errorf("%d Chinese characters %s, want %d", n, name, 2*contextWords)
		}
	}
	if got := firstWords(strings.Repeat("é", 1000)); len(got) > maxContext+1 || !utf8.ValidString(got) {
		t.Errorf("%d bytes without a blank", len(got))
	}
}

func TestContextStaysInItsBlock(t *testing.T) {
	const page = `<div class=a>one two <a href=1>x</a> three</div><table width=9><tr><td>four <a href=2>y</a> five</table>`
	for _, c := range []struct {
		context       Context
		before, after string
	}{{SameBlock, "four", "five"}, {WholePage, "one two x three\nfour", "five"}} {
		p := Parse([]byte(page), "http://x.example/", Options{Context: c.context})
		if l := p.Links[1]; l.Before != c.before || l.After != c.after {
			t.Errorf("context %d: before %q, after %q, want %q and %q", c.context, l.Before, l.After, c.before, c.after)
		}
	}
}

func TestWordsAcrossInlineElements(t *testing.T) {
	p := Parse([]byte(`<p>see <b>the <i>best</i></b> of <a href=1>our <em>new</em> books</a>, <span>they</span> are good`), "http://x.example/", Options{})
	if l := p.Links[0]; l.Anchor != "our new books" || l.Before != "see the best of" || l.After != ", they are good" {
		t.Errorf("%q before %q after %q", l.Anchor, l.Before, l.After)
	}
}

func TestSoundsOverWordsAreNoPartOfThem(t *testing.T) {
	const page = `<h1><ruby>绿<rp>(</rp><rt>lǜ</rt><rp>)</rp>茶<rp>(</rp><rt>chá</rt><rp>)</rp></ruby></h1>
		<p>一杯<ruby>绿<rt>lǜ</ruby><ruby><rb>茶<rtc><rt>chá</rtc></ruby>，<a href=1><ruby>红茶
		<rt>hóng chá <b>b</b></rt></ruby></a>。<p>Without a word below it <rt>it stays</rt>.`
	p := Parse([]byte(page), "http://x.example/", Options{})
	if want := "绿茶\n一杯绿茶，红茶。\nWithout a word below it it stays."; p.MainText() != want || p.Links[0].Anchor != "红茶" {
		t.Errorf("the page says %q, and its link %q", p.MainText(), p.Links[0].Anchor)
	}
}

func TestAnchors(t *testing.T) {
	const page = `<a href=1><img alt="a  picture"></a><a href=2><img title=titled></a><a href=3 title=link><img></a><a href=4 title=no>text<img alt=no></a>
<a href=5>one</a> and <a href=5#x>two</a> and <a href=5>one</a><map><area href=6 alt=place></map><iframe src=7 title=framed></iframe>
<a href=8>part<table><tr><td>cell</td></tr></table></a>
<div><a href=9>open</div>still</a>out <a href=10>A&amp;B&nbsp;&lt;</a>`
	p := Parse([]byte(page), "http://x.example/", Options{})
	var got []string
	for _, l := range p.Links {
		got = append(got, l.Anchor)
	}
	want := "a picture|titled|link|text|one two|place|framed|part\ncell|open\nstill|A&B <"
	if g := strings.Join(got, "|"); g != want {
		t.Errorf("anchors\n%q\nwant\n%q", g, want)
	}
}

func TestTextIsTidied(t *testing.T) {
	for page, want := range map[string]string{
		"<p>中文\n  中文\n<p>b":              "中文中文\nb",
		"<p>one\n two<br>three":          "one two\nthree",
		"<p>a&nbsp;&#160;\u3000b":        "a b",
		"<b>a</b>b <i> c</i>":            "ab c",
		"a<script>x</script>b<style>y":   "ab",
		"a<!-- x -->b<![CDATA[c]]>d":     "abd",
		"<pre>a\n b</pre>":               "a\nb",
		"\xff\xfea":                      "\uFFFDa",
		"<template>x</template>y":        "y",
		"<svg><text>x</text></svg>y":     "y",
		"<svg><![CDATA[<p>x]]></svg>y":   "y",
		"<svg><g>x<p>y":                  "y",
		"<select><option>x</select>y":    "y",
		"<noscript>x</noscript>y":        "xy",
		"<textarea>x</textarea>y":        "y",
		"<xmp>&lt;<b></xmp>y":            "&lt;<b>\ny",
		"x<plaintext><b>y":               "x\n<b>y",
		"<table>a<tr><td>b<td>c</table>": "a\nb\nc",
		"a\x00b&#0;c":                    "ab\uFFFDc",
		"a\x01b\x1b[1mc &#2;d\x0be":      "ab[1mc de",
		"&copy; &mdash; &notanentity; &": "© — ¬anentity; &",
		"<ul><li>a<li>b</ul>c":           "a\nb\nc",
		"<title>t</title><body>x":        "x",
		"x</title>y":                     "xy",
		"pho&shy;to\u00advol&#173;taic":  "photovoltaic",
		"photo\u200bvolta&#8203;ic \u200b b&ZeroWidthSpace;\u2060c\ufeff<b>\u00ad</b>d": "photovoltaic bcd",
		"龙\u200b井&#x200B;茶":      "龙井茶",
		"👩\u200d🚀 می\u200cروم":   "👩\u200d🚀 می\u200cروم",
		"ไทย\u200bไทย&#8203;ไทย": "ไทย\u200bไทย\u200bไทย",
		"“a”\u2019s \u200e， ©":   "“a”\u2019s \u200e， ©",
	} {
		if got := Parse([]byte(page), "http://x.example/", Options{}).prose; got != want {
			t.Errorf("%q reads %q, want %q", page, got, want)
		}
	}
}

// What is made of one word is cut as one: without signs that nobody sees, and with a first letter that is set large.
func TestAWordIsOneWord(t *testing.T) {
	p := Parse([]byte("<title>Pho&shy;tovol\u200bta\x01ic</title><meta name=author content='An\u200bn'><p><b>P</b>hotovoltaic plants, <b>b</b>ig and <b>C</b> <b>D</b>5 <b>plug</b>in"), "http://x.example/", Options{})
	var runs []string
	for i := range p.Runs {
		runs = append(runs, p.Runs[i].Text)
	}
	if got, want := strings.Join(runs, "|"), "Photovoltaic|Photovoltaic plants,|big and|C D|5|plug|in"; got != want || p.Title != "Photovoltaic" || p.Facts.Author != "Ann" {
		t.Errorf("%q by %q reads %q, want %q", p.Title, p.Facts.Author, got, want)
	}
}

// TestMainTextHasItsHeadings: a list is a block of its own, but its heading is said with it.
func TestMainTextHasItsHeadings(t *testing.T) {
	p := Parse([]byte(`<h2>Books</h2><ul><li>one about the sea<li>another one about the deep sea</ul><h2>Films</h2><ul><li>one about the sea</ul>`),
		"http://x.example/", Options{})
	if got, want := p.MainText(), "Books\none about the sea\nanother one about the deep sea\nFilms\none about the sea"; got != want {
		t.Errorf("main text\n%s\nwant\n%s", got, want)
	}
}

// A heading and a note that are aimed at, past the bar at the top of the window, are no bar.
func TestWhatIsAimedAtIsNoBar(t *testing.T) {
	text := strings.Repeat("<p>The rope was led around the post twice, and the sailor pulled until it held.</p>", 5)
	p := Parse([]byte(`<body><main><h1>Knots</h1>
		<h2 class="anchorTargetStickyNavbar_Vz" id="bowline">Bowline<a href="#bowline" class="hash-link"></a></h2>`+text+`
		<h2 class="navbar-offset" id="hitch">Hitch</h2>`+text+`<ol><li class="anchor-target-menu">A note on the rope.</ol>
		<div class="target-menu sidebar"><p>Nobody reads what stands here beside the text on knots.</div></main>`), "http://x.example/knots/", Options{})
	got := p.MainText()
	for _, want := range []string{"Bowline\n", "Hitch\n", "A note on the rope."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in the text:\n%s", want, got)
		}
	}
	if strings.Contains(got, "Nobody reads") {
		t.Errorf("a sidebar is in the text:\n%s", got)
	}
}

// TestWordsAroundLinks holds what looks at eight bytes at a time to what looks at one after the other.
func TestWordsAroundLinks(t *testing.T) {
	parts := []string{"a", "bc", "word", "a\nlonger one", " ", " ", "\n", "中", "文", "é", "x", "\t", strings.Repeat("endless", 9)}
	draw := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		kinds := 1 + draw.IntN(len(parts))
		for range draw.IntN(200) {
			b.WriteString(parts[draw.IntN(kinds)])
		}
		s := b.String()
		if got, want := firstWords(s), firstWordsOf(s); got != want {
			t.Fatalf("firstWords(%q)\n%q, want\n%q", s, got, want)
		}
		if got, want := lastWords(s), lastWordsOf(s); got != want {
			t.Fatalf("lastWords(%q)\n%q, want\n%q", s, got, want)
		}
	}
}

// firstWordsOf is firstWords, byte by byte.
func firstWordsOf(s string) string {
	s = strings.TrimLeft(s, " \n\t")
	half, i := 2*contextWords, 0
	for i < len(s) && half > 0 && i < maxContext {
		switch c := s[i]; {
		case c <= ' ':
			half -= 2
			if half > 0 {
				i++
			}
		case han(c):
			half--
			i += 3
		default:
			i++
		}
	}
	return strings.TrimRight(s[:runeStart(s, min(i, len(s)))], " \n")
}

// lastWordsOf is lastWords, byte by byte.
func lastWordsOf(s string) string {
	s = strings.TrimRight(s, " \n")
	half := 2 * contextWords
	for i := len(s) - 1; i >= 0; i-- {
		switch c := s[i]; {
		case c <= ' ':
			half -= 2
		case han(c):
			half--
		case c < hanLow && len(s)-i < maxContext:
			continue
		}
		if half <= 0 {
			return strings.TrimLeft(s[i:], " \n")
		}
		if len(s)-i >= maxContext {
			return s[runeStart(s, i):]
		}
	}
	return s
}

// TestPhrases finds the phrases of two lists in texts of whatever case.
func TestPhrases(t *testing.T) {
	p := newPhrases([]string{"=home", "log in", "首页", "über uns"}, []string{"related", "see also", "相关阅读", "home page", "x"})
	for text, want := range map[string]uint8{
		"":                                    0,
		"home":                                1,
		"HOME":                                1,
		"Home sweet home":                     0,
		"Please Log In":                       1,
		"Log Inside":                          0,
		"blog in":                             0,
		"log in: related":                     3,
		"Unrelated":                           0,
		"see ALSO":                            2,
		"返回首页":                                1,
		"首页 相关阅读":                             3,
		"相关的阅读":                               0,
		"相关阅读Home Page":                       2,
		"ÜBER UNS":                            1,
		"X":                                   2,
		"an x":                                0,
		"My Home Page":                        2,
		strings.Repeat("related", 20):         0,
		strings.Repeat("a ", 99) + "see also": 2,
	} {
		if got := p.in(text); got != want {
			t.Errorf("in(%q) = %d, want %d", text, got, want)
		}
	}
}
