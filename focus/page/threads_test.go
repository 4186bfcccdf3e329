package page

import (
	"fmt"
	"strings"
	"testing"
)

// What programs for forums, trackers and archives of letters set around what is written in them.

// posts are those of a thread, each of two sentences.
func posts(each func(i int, says string) string) (page string, said []string) {
	for i := range 4 {
		says := fmt.Sprintf("The kettle of reader %d boils after %d minutes, and the lid has to stay on it. It was bought %d years ago.", i, i+4, i+2)
		said = append(said, says)
		page += each(i, says)
	}
	return page, said
}

func TestThreadsAreWhatIsWrittenInThem(t *testing.T) {
	for name, c := range map[string]struct {
		head, foot string
		each       func(i int, says string) string
		not        []string
		date       string
	}{
		"profiles in a column": {
			"<h1>Kettles</h1>", "", func(i int, says string) string {
				return fmt.Sprintf(`<div><table><tr><td rowspan=2><div class="pls favatar"><div class=authi><a href=/u%d>Ann %d</a></div><dl><dt>积分<dd>%d</dl><p><em><a href=/g>中级会员</a></em></div>
<td><div class=pi><div class=authi><img src=i><em id=authorposton%d>发表于 2024-3-1%d 08:15</em><span>|</span><a href=/o>只看该作者</a></div></div><table><tr><td>%s</table><tr><td><div class=sign>Sail fast, live slow, number %d.</div></table></div>`, i, i, 300+i, i, i, says, i)
			}, []string{"Sail fast", "中级会员", "只看该作者"}, "2024-03-10T08:15",
		},
		"signatures below a line": {
			"", "", func(i int, says string) string {
				return fmt.Sprintf(`<table class=tborder><tr><td>03-1%d-2024, 09:30 AM<td>#%d<tr><td><a href=/u>Ann</a><div>Posts: 12</div><td><div>%s</div><div>__________________<br>Sail fast, <a href=/s>live slow</a>.</div></table>`, i+3, i+1, says)
			}, []string{"Sail fast", "____"}, "2024-03-13T09:30",
		},
		"writers in boxes of their own": {
			"<h1>Kettles</h1><div>", "</div>", func(i int, says string) string {
				return fmt.Sprintf(`<article><div><section itemprop=author itemscope><h4><a href=/u%d itemprop=name>Ann %d</a></h4><h5>Well-known member</h5><dl><dt>Joined<dd>Jan 5, 2019</dl></section></div>
<div><ul class=attribution><li><time datetime=2024-03-1%d>Mar 1%d, 2024</time><li><a href=#p%d>#%d</a></li></ul><article class=body><div>%s</div></article><div>Last edited: Mar 1%d, 2024</div></div></article>`, i, i, i, i, i, i, says, i)
			}, []string{"Ann", "Well-known", "Joined", "#", "edited"}, "2024-03-10",
		},
		"posters beside posts": {
			"<h2>Kettles</h2><div>", "</div>", func(i int, says string) string {
				return fmt.Sprintf(`<div><div class=poster><h4><a href=/u%d>Ann %d</a></h4><ul><li>Full Member</li><li>Posts: 12</li></ul></div>
<div><div class=keyinfo><a href=#m%d>March 1%d, 2024, 10:00:00 AM</a><span>#%d</span><span><span>Last Edit</span>: March 14, 2024 by Ann %d</span></div><div class=inner>%s</div></div></div>`, i, i, i, i, i, i, says)
			}, []string{"Ann", "Full Member", "March"}, "2024-03-10T10:00:00",
		},
		"who is online": {
			"<h1>Kettles</h1><div>", "<div class=stat><h3><a href=/o>Who is online</a></h3><p>Users browsing this forum: no registered users and 3 guests</div></div>",
			func(_ int, says string) string { return "<div class=post><div class=content>" + says + "</div></div>" }, []string{"guests"}, "",
		},
		"a form for answers": {
			"<h1>Kettles</h1><div>", "<form><h2>Your Answer</h2><div><p>Thanks for contributing an answer to Tea Exchange, please be sure to answer the question.</div></form></div>",
			func(_ int, says string) string { return "<div class=answer><p>" + says + "</div>" }, []string{"contributing"}, "",
		},
		"reports that are all comments": {
			"<table><tr><td>Status:<td>NEW<tr><td>Modified:<td>2024-12-24 10:01 UTC (<a href=/h>History</a>)</table><fieldset>You need to <a href=/l>log in</a> before you can comment on this bug.</fieldset><div id=comments>", "</div>",
			func(i int, says string) string {
				return fmt.Sprintf("<div class=bz_comment><a href=#c%d>Comment %d</a> <span class=bz_comment_time>2024-11-2%d 08:12:22 UTC</span><pre class=bz_comment_text>%s And %s</pre></div>", i, i, i, says, says)
			}, []string{"Status"}, "2024-11-20T08:12:22Z",
		},
	} {
		page, said := posts(c.each)
		p := Parse([]byte("<title>Kettles - Tea Board</title>"+c.head+page+c.foot), "http://board.example/t/1", Options{})
		text := p.MainText()
		for _, s := range said {
			if !strings.Contains(text, s) {
				t.Errorf("%s: %q is not in the main text %q", name, s, text)
			}
		}
		for _, s := range c.not {
			if strings.Contains(text, s) {
				t.Errorf("%s: %q is in the main text %q", name, s, text)
			}
		}
		if p.Facts.Date != c.date {
			t.Errorf("%s: the date is %q, want %q", name, p.Facts.Date, c.date)
		}
	}
}

// What only looks like a part of a thread is the text of a page.
func TestTextsAreNoThreads(t *testing.T) {
	const said = "The kettle boils after four minutes, and the lid has to stay on it. "
	text := "<h1>Kettles</h1><p>" + strings.Repeat(said, 4) + "</p>"
	inEach := func(part string) string {
		return strings.Repeat(part+"It is made of copper, and nobody knows who made it.</div>", 4)
	}
	for name, c := range map[string]struct{ page, want string }{
		"blanks to fill in":    {text + inEach("<div>__________ is what one calls it. "), "is what one calls it"},
		"chapters below lines": {text + inEach("<div>____________________<br>"), "made of copper"},
		"signs":                {text + inEach("<div class=sign>"), "made of copper"},
		"a line of prose":      {text + "<p>Next message is what the kettle says.</p>" + text, "Next message is what"},
		"a heading of a text":  {text + "<h2>Your answer is a number</h2><p>" + strings.Repeat("It is made of copper. ", 9) + text, "made of copper"},
		"a short text":         {"<h1>Kettles</h1><p>It is made of copper, and nobody in the village knows who made it.</p><div class=comments>" + strings.Repeat(inEach("<div class=comment>I liked it. "), 3) + "</div>", "the village"},
	} {
		if text := Parse([]byte(c.page), "http://x.example/k", Options{}).MainText(); !strings.Contains(text, c.want) || name == "a short text" && strings.Contains(text, "liked") {
			t.Errorf("%s: the main text is %q", name, text)
		}
	}
	for line, want := range map[string][2]string{
		"<p>Opened by Queen Victoria</p>":                                         {},
		"<p>据发布时间为2023年1月1日的公告，壶由铜制成。</p>":                                        {},
		"Write to <a href='mailto:a@x.example'>a@x.example</a><br>2024-03-05<br>": {"", "2024-03-05"},
	} {
		p := Parse([]byte("<h1>Kettles</h1>"+line+text), "http://x.example/k", Options{})
		if got := [2]string{p.Facts.Author, p.Facts.Date}; got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// Below a heading that says so, and beside a text, comments are what readers say, however little else there is.
func TestCommentsAreNoReports(t *testing.T) {
	readers, _ := posts(func(_ int, says string) string { return "<div class=comment><p>" + says + "</div>" })
	for name, page := range map[string]string{
		"a picture": "<h1>Kettle</h1><img src=k.jpg><p>A kettle of copper, as it was made here before the war.</p><div id=comments><h3>4 comments</h3>" + readers + "</div>",
		"a text":    "<h1>Kettle</h1><p>" + strings.Repeat("It is made of copper, and has a lid of the same. ", 8) + "</p><div id=comments>" + readers + "</div>",
	} {
		if text := Parse([]byte(page), "http://x.example/k", Options{}).MainText(); strings.Contains(text, "boils") {
			t.Errorf("%s: the main text is %q", name, text)
		}
	}
}

// An archive of letters says below the subject who wrote one and when, with no element around it.
func TestLettersHaveTheirHeads(t *testing.T) {
	const lists = "<ul><li>Previous message (by thread): <a href=1>Cups</a><li>Next message (by thread): <a href=3>Pots</a><li><b>Messages sorted by:</b> <a href=d>[ date ]</a></ul>"
	letter := "<pre>" + strings.Repeat("The kettle boils after four minutes, and the lid has to stay on it.\n", 6) + "</pre>"
	for head, want := range map[string][2]string{
		"<b>Ann Lee</b> <a href='mailto:tea%40x.example'>ann at x.example</a><br><i>Thu Mar  7 14:05:33 UTC 2024</i>": {"Ann Lee", "2024-03-07T14:05:33"},
		"<b>Ann Lee</b> <a href=/ann>ann</a><br><i>Thu Mar  7 14:05:33 2024</i>":                                      {"", "2024-03-07T14:05:33"},
		"Write to <a href='mailto:tea@x.example'>us</a> about tea. In 2024 it was Mar 7.":                             {"", ""},
	} {
		p := Parse([]byte("<title>Kettles</title><h1>Kettles</h1>"+head+"<p>"+lists+"<hr>"+letter+"<hr>"+lists), "http://x.example/l/2.html", Options{})
		if got := [2]string{p.Facts.Author, p.Facts.Date}; got != want {
			t.Errorf("%s: %q, want %q", head, got, want)
		}
		if text := p.MainText(); strings.Contains(text, "Cups") || strings.Contains(text, "sorted") || !strings.Contains(text, "lid") {
			t.Errorf("%s: the main text is %q", head, text)
		}
	}
}

// Other archives set the head of a letter above it, as a list. A list of anything else is text, whatever its entries begin with.
func TestHeadsOfLettersAreNoText(t *testing.T) {
	letter := "<hr><pre>" + strings.Repeat("The kettle boils after four minutes, and the lid has to stay on it.\n", 6) + "</pre><hr>"
	const around = "<ul><li>Prev by Date: <b><a href=1>Cups</a></b><li>Next by thread: <b><a href=3>Pots</a></b></ul>"
	for head, want := range map[string]struct {
		author string
		text   bool
	}{
		"<li><em>To</em>: tea@xxxx<li><em>Subject</em>: Kettles<li><em>From</em>: Ann Lee &lt;<a href=m>ann@xxxx</a>&gt;<li><em>Date</em>: Thu, 7 Mar 2024 14:05:33 +0100":  {"Ann Lee", false},
		"<li><span class=from><span>From</span>: Ann Lee &lt;<a href=mailto:a>ann@x.example</a>&gt;</span><li><span class=date>Date: Thu, 7 Mar 2024 14:05:33 +0100</span>": {"Ann Lee", false},
		"<li>From: Ann<li>To: the lid of the kettle, March 7, 2024": {"", true},
		"</ul><p>Whoever gets a letter with such a head should not open what is attached to it.</p><ul><li>From: Tea Bank &lt;tea@x.example&gt;<li>Subject: your account, March 7": {"", true},
		"<li>From: London<li>To: York<li>Date: March 7, 2024":                                                              {"", true},
		"<li>From: the spring @ York<li>Date: March 7, 2024<li>Water: two litres of it, at eighty degrees":                 {"", true},
		"<li>From: London<li>To: York<li>Subject: holidays<li>Date: March 7, 2024":                                         {"", true},
		"<li>From: the sender<li>To: who gets it<li>Subject: what it is about<li>Date: when it was sent, as March 7, 2024": {"", true},
		"<li><b>From:</b> where it comes from, as ann@x.example<li><b>To:</b> who gets it<li>Date: such as March 7, 2024":  {"", true},
		"<li>Subject: kettles<li>Date: March 7, 2024, and the lid has to stay on it for four minutes":                      {"", true},
	} {
		p := Parse([]byte("<title>Kettles</title><div><a href=0>Up, or down</a>: letters</div><h1>Re: Kettles</h1><ul>"+head+"</ul>"+letter+around), "http://x.example/l/2.html", Options{})
		text := p.MainText()
		if p.Facts.Author != want.author || !want.text && p.Facts.Date != "2024-03-07T14:05:33+01:00" || !strings.Contains(text, "boils") ||
			strings.Contains(text, "March 7") != want.text || strings.Contains(text, "Lee") || strings.Contains(text, "Cups") {
			t.Errorf("%s: %q, %q: %q", head, p.Facts.Author, p.Facts.Date, text)
		}
	}
}

// What leads on above a letter stands in brackets, in no element but what all stands in, and below it are lists of what was answered.
func TestWaysOnAroundLettersAreNoText(t *testing.T) {
	const ways = "<hr>[<a href=1>Date Prev</a>][<a href=3>Date Next</a>][<a href=1>Thread Prev</a>][Thread Next][<a href=i#2>Date Index</a>][<a href=t#2>Thread Index</a>]"
	const answers = "<ul><li><b>Follow-Ups</b>:<ul><li><b><a href=3>Re: Kettles</a></b><ul><li><em>From:</em> Ann Lee &lt;ann@x.example&gt;</ul></ul></ul>" +
		"<ul><li>Prev by Date: <b><a href=1>Cups</a></b><li>Index(es):<ul><li><a href=i#2><b>Date</b></a><li><a href=t#2><b>Thread</b></a></ul></ul>"
	letter := "<pre>" + strings.Repeat("The kettle boils after four minutes, and the lid has to stay on it.\n", 6) + "</pre><hr>"
	const head = "<ul><li>To: tea@xxxx<li>Subject: Kettles<li>From: Bo &lt;<a href=m>bo@xxxx</a>&gt;<li>Date: Thu, 7 Mar 2024 14:05:33 +0100</ul><hr>"
	text := Parse([]byte("<title>Kettles</title><body>"+ways+"<h1>Kettles</h1><hr>"+head+letter+answers), "http://x.example/l/2.html", Options{}).MainText()
	for _, way := range []string{"Date", "Thread", "Follow", "Ann Lee", "Index"} {
		if strings.Contains(text, way) {
			t.Errorf("%q stands in %q", way, text)
		}
	}
	said := "Of <a href=k>kettles</a> and <a href=l>lids</a> much was written at the time, and more was said."
	follow := "<ul><li>Follow-ups<li>Lids, and what was said of them</ul><h2>Follow-ups</h2><p>" + strings.Repeat("The kettle was seen again after a year, and it boiled as before. ", 5) + "</p>"
	text = Parse([]byte("<title>Kettles</title><body><h1>Kettles</h1>"+said+letter+follow), "http://x.example/l/2.html", Options{}).MainText()
	if strings.Count(text, "Follow-ups") != 2 || !strings.Contains(text, "more was said") || !strings.Contains(text, "after a year") {
		t.Errorf("the text is %q", text)
	}
}

// Who opens a thread may have much to say, and those who answer little: they are in it all the same. Other stories below a text are not,
// however much they look like it.
func TestShortAnswersToALongQuestion(t *testing.T) {
	long := strings.Repeat("<p>The kettle of my aunt boils after four minutes, and the lid has to stay on it, or else it takes six of them.</p>", 30)
	const short = "<p>Descale it with vinegar, then it takes three.</p>"
	post := func(i int, head, says string) string {
		return fmt.Sprintf(`<div class="card post" id=p%d>%s<p><small>By <a href=/u/%d>Ann%d</a> on March 1%d, 2024, 8:15 a.m.</small></p><div class=body>%s</div></div>`, i, head, i, i, i, says)
	}
	signed := func(i int, head, says string) string {
		return fmt.Sprintf(`<article class="post n%d">%s<div class=meta><time datetime=2024-03-1%dT08:15>a day</time></div>%s</article>`, i, head, i, says)
	}
	for name, c := range map[string]struct {
		page   string
		answer bool
	}{
		"bylines":               {post(1, "", long) + post(2, "", short) + post(3, "", short), true},
		"one answer":            {post(1, "", long) + post(2, "", short), true},
		"subjects":              {post(1, "<h4>Kettles</h4>", long) + post(2, "<h4>Re: Kettles</h4>", short), true},
		"subjects as addresses": {post(1, "<h4><a href=#p1>Kettles</a></h4>", long) + post(2, "<h4><a href=?p=2#p2>Re: Kettles</a></h4>", short), true},
		"times":                 {signed(1, "", long) + signed(2, "", short), true},
		"answers called so":     {signed(1, "", long) + "<div id=answers>" + signed(2, "", short) + "</div>", true},
		"a form for an answer":  {signed(1, "", long) + "<div class=new-answer-form><h2>Be the first to answer!</h2><div class=info-box>" + short + "</div></div>", false},
		"an answer unsigned":    {signed(1, "", long) + "<div id=answers><p>" + short + "</div>", false},
		"other stories":         {signed(1, "", long) + signed(2, "<h2><a href=/cups>Cups</a></h2>", short) + signed(3, "<h2><a href=/pots>Pots</a></h2>", short), false},
		"nobody's":              {"<div class=box>" + long + "</div><div class=box>" + short + "</div>", false},
	} {
		text := Parse([]byte("<title>Kettles - Tea Board</title><h1>Kettles</h1><div>"+c.page+"</div>"), "http://board.example/t/1", Options{}).MainText()
		if strings.Contains(text, "vinegar") != c.answer || !strings.Contains(text, "aunt") {
			t.Errorf("%s: an answer should be in it: %v; the main text is %q", name, c.answer, text[max(0, len(text)-300):])
		}
	}
}
