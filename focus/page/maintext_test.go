package page

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// heldLayouts are the layouts that were looked at as a number only while the rules were made.
var heldLayouts = []string{"recipe", "ticker"}

// posters draws every layout in every markup, in both languages.
func posters(t testing.TB) (all []*poster) {
	t.Helper()
	authors := [2][]string{{"Ann Lee", "Jon Marsh", "Ruth O'Neil"}, {"李小梅", "王建国", "周明"}}
	for language, code := range []string{"en", "zh"} {
		articles := readArticles(t, code)
		for i, sheet := range sheets {
			for k, skin := range skins {
				how := i*7 + k*5 + language
				p := &poster{layout: sheet.name, skin: skin.name, zh: code == "zh", articles: articles, at: i*13 + k*29}
				p.title, p.author, p.date = p.next().title, authors[language][how%3], fmt.Sprintf("2024-0%d-%02d", 1+how%3, 1+how%28)
				p.any = append(p.any, p.title, p.title)
				c := sheet.draw(p, how)
				if skin.name == "mediawiki" && how/2%4 < 2 {
					p.author, p.date = "", "" // nothing on the page says so
				}
				p.html = "<!DOCTYPE html><html lang=\"" + code + "\"><head><meta charset=\"utf-8\">" + p.tags(how/2) + "</head><body>" + skin.page(p, c, how/3) + "</body></html>"
				all = append(all, p)
			}
		}
	}
	return all
}

// bagOf counts the words of a text: runs of letters and digits, and pairs of Chinese characters that stand side by side.
func bagOf(texts ...string) map[string]int {
	bag := map[string]int{}
	for _, s := range texts {
		word, before := "", rune(0)
		for _, c := range s + " " {
			switch {
			case unicode.Is(unicode.Han, c):
				if before != 0 {
					bag[string([]rune{before, c})]++
				}
				before = c
				continue
			case unicode.IsLetter(c) || unicode.IsDigit(c):
				word += string(unicode.ToLower(c))
				before = 0
				continue
			}
			before = 0
			if word != "" {
				bag[word]++
				word = ""
			}
		}
	}
	return bag
}

// f1 is how well a text gives what it ought to, where what may be in it or not counts neither way.
func (p *poster) f1(text string) (f, precision, recall float64) {
	own, either := bagOf(p.own...), bagOf(p.any...)
	right, wrong, all := 0, 0, 0
	for _, n := range own {
		all += n
	}
	for w, n := range bagOf(text) {
		hit := min(n, own[w])
		right += hit
		wrong += max(0, n-hit-either[w])
	}
	if right == 0 {
		return 0, 0, 0
	}
	precision, recall = float64(right)/float64(right+wrong), float64(right)/float64(all)
	return 2 * precision * recall / (precision + recall), precision, recall
}

// tally is a mean.
type tally struct {
	n   int
	sum float64
}

func (t *tally) add(x float64) { t.n, t.sum = t.n+1, t.sum+x }

func (t tally) mean() float64 { return t.sum / float64(t.n) }

// TestMainTextOfDrawnPages holds the main text of pages of twelve layouts in ten markups to what was drawn. Two layouts and
// three markups were looked at as numbers only while the rules were made.
func TestMainTextOfDrawnPages(t *testing.T) {
	groups := map[string]*tally{}
	count := func(name string, f float64) {
		if groups[name] == nil {
			groups[name] = &tally{}
		}
		groups[name].add(f)
	}
	held := map[string]bool{}
	for _, s := range skins {
		held[s.name] = s.held
	}
	for _, p := range posters(t) {
		text := Parse([]byte(p.html), "http://house.example/2024/page.html", Options{}).MainText()
		f, precision, recall := p.f1(text)
		unseen := held[p.skin] || slices.Contains(heldLayouts, p.layout)
		count(p.say("all: en", "all: zh"), f)
		if unseen {
			count(p.say("held out: en", "held out: zh"), f)
		} else {
			count("layout "+p.layout, f)
			count("markup "+p.skin, f)
		}
		if f < .9 && !unseen {
			t.Logf("%-12s %-10s %s F1 %.3f, precision %.3f, recall %.3f", p.layout, p.skin, p.say("en", "zh"), f, precision, recall)
			if os.Getenv("THRESHER_SHOW") == p.layout+"/"+p.skin {
				t.Logf("%s\n----\n%s", p.html, text)
			}
		}
	}
	names := make([]string, 0, len(groups))
	for name := range groups {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		g := groups[name]
		t.Logf("%-22s %3d pages  F1 %.3f", name, g.n, g.mean())
		if (strings.HasPrefix(name, "all") || strings.HasPrefix(name, "held")) && g.mean() < .95 {
			t.Errorf("%s: F1 %.3f over %d pages, want .95", name, g.mean(), g.n)
		}
	}
}

// A list or a table that wins is not all of a text that has a heading; in a list of links it is. Cards that lead to other stories are no
// reason to take the whole page for the text above them.
func TestMainTextIsNotTheListAlone(t *testing.T) {
	const steps = "<h2>用料</h2><ul><li>红茶包 4个<li>柠檬 一个<li>白糖 两勺</ul><h2>做法</h2><ol><li>把水烧开，放入红茶包，盖上盖子，泡五分钟。<li>取出茶包，放进白糖，搅到化开为止。<li>等茶凉下来，切几片柠檬，再加上冰块。</ol>"
	table := "<h1>Tide table</h1><p>All heights in metres.<table>" + strings.Repeat("<tr><td>High water, 4.2 m, at six.<td>Low water, 0.7 m, at noon.", 60) + "</table>"
	menu := "<ul>" + strings.Repeat("<li><a href=/a>another recipe of ours</a>", 9) + "</ul>"
	story := "<h1>The mole</h1><p>By Ann Lee, 6 May 2024" + strings.Repeat("<p>The harbour will have its breakwater before the storms, said the mayor, a year later than was planned, and not at the cost that was promised.", 4)
	cards := "<ul>" + strings.Repeat("<li><a href=/n><img src=/i><h2>Divers recover a cannon from the wreck</h2><p>It is of bronze, they say, and was cast in Seville long ago.</p></a>", 12) + "</ul>"
	for name, c := range map[string]struct{ body, has, not string }{
		"a short story":             {"<div>" + story + "<div><b>Latest</b>" + cards + "</div></div>", "The mole\n", "cannon"},
		"cards below a single line": {"<div><h1>Latest news</h1><p>What happened on the coast this week, day by day.</p>" + cards + "</div>", "cannon", "mole"},
		"a recipe":                  {"<header>茶谱</header><article><h1>冰红茶的做法</h1>" + steps + "</article><div>" + menu + "</div>", "冰红茶的做法\n用料\n红茶包 4个", "茶谱"},
		"a table":                   {"<div>" + table + "</div>", "Tide table\nAll heights in metres.\nHigh", "recipe"},
		"steps among many links":    {"<h1>All recipes</h1>" + menu + menu + menu + "<h2>今日</h2>" + strings.Repeat(steps[strings.Index(steps, "<ol>"):], 3) + menu, "把水烧开", "another recipe"},
	} {
		got := Parse([]byte("<title>x</title><body>"+c.body), "http://a.example/r", Options{}).MainText()
		if !strings.Contains(got, c.has) || strings.Contains(got, c.not) {
			t.Errorf("%s: the main text is %q", name, got)
		}
	}
}

// TestFactsOfDrawnPages holds title, author and date to what was drawn.
func TestFactsOfDrawnPages(t *testing.T) {
	var title, author, date tally
	is := func(t *tally, have bool) {
		if have {
			t.add(1)
		} else {
			t.add(0)
		}
	}
	for _, p := range posters(t) {
		page := Parse([]byte(p.html), "http://house.example/page.html", Options{})
		day := page.Facts.Date[:min(10, len(page.Facts.Date))]
		is(&title, page.Title == p.title)
		is(&author, page.Facts.Author == p.author)
		is(&date, day == p.date)
		if page.Title != p.title || cmp.Or(page.Facts.Author, p.author) != p.author || day != p.date {
			t.Logf("%s %s %s: %q by %q on %q, want %q by %q on %q", p.layout, p.skin, p.say("en", "zh"), page.Title, page.Facts.Author, page.Facts.Date, p.title, p.author, p.date)
		}
	}
	t.Logf("%d pages: title %.3f, author %.3f, date %.3f", title.n, title.mean(), author.mean(), date.mean())
	if title.mean() < .95 || author.mean() < .9 || date.mean() < .95 {
		t.Errorf("want .95, .9 and .95")
	}
}

// What a class is called is a guess at what the element is for: words that say what it has, what a post is filed under or what stands
// below it do not make it something else, nor does a word that most of the page has in its names, and neither code nor a note, a sentence or what a heading says is a byline or a button.
// The header of a text has its lead, a menu is a list, and what is attached belongs to it.
func TestMainTextWhateverItIsCalled(t *testing.T) {
	said := []string{"The harbour will have its breakwater before the storms, said the mayor, a year later than planned.", "Engineers found the old foundations weaker than the drawings had it, and drove forty more piles.",
		"Fishermen welcomed the decision, although the moorings are too far from the auction hall.", "The state pays two thirds, and the city all the rest of it."}
	each := func(before, after string) string {
		return before + strings.Join(said, after+before) + after
	}
	coats := "<p>" + strings.Repeat("It is laid on in thin coats, each when the one before is dry. ", 12)
	manual := "<main><h1>Oil</h1>" + coats
	cookies := "<div class=cookie-widget><p>" + strings.Repeat("We use cookies, and so do those with whom we work, as all of them do, to see who reads what. ", 4) + "</div>"
	comments := "<ol class=comments>" + strings.Repeat("<li><p>A reader says that the story of the harbour is much longer and sadder than the paper tells it.", 12) + "</ol>"
	for name, c := range map[string]struct{ body, not string }{
		"posts beside bars":          {"<h2>Oil or varnish</h2>" + each("<div class='card post'><div class=row><div class='col-10 post-content-wrapper'>", "</div><div class='col-2 d-none d-md-block post-sidebar'><b>Posts:</b> 36</div></div></div>"), "Posts:"},
		"posts beside profiles":      {"<h2>Oil or varnish</h2>" + each("<div class='post has-profile bg1'><dl class=postprofile><dt>ann<dd>Posts: 12</dl><div class=content>", "</div><div class=signature>Sail fast, live slow.</div></div><hr>"), "Sail fast"},
		"a post filed under a word":  {"<main><article class='post-1 post hentry category-bio tag-social'><h1>Oil</h1>" + each("<p>", "") + "</article>" + comments + "</main>", "A reader"},
		"answers with their rights":  {"<h1>Why?</h1>" + each("<div><span class='RichText CopyrightRichText-richText' itemprop=text><p>", "</span><i class=copyright-note>All rights are ours.</i></div>"), "rights"},
		"widgets alone":              {"<main><h1>Oil</h1>" + each("<div class='widget legal'><p>", "</div>") + "</main><div class=widget>About us: we sail, and we say so.</div>", "About us"},
		"lines called a byline":      {"<main><h1>Oil</h1>" + each("<div class='detail-info'><p>", "</div>") + "</main><div class=info>About us: we sail, and we say so.</div>", "About us"},
		"code by its language":       {manual + each("<div class='highlight highlight-source-shell'><pre>", "</pre><div class=copy><button class=btn>Copy</button></div></div>") + "</main>", "Copy"},
		"code below a toolbar":       {manual + each("<div class=code-toolbar><pre class='source info'>", "</pre><div class=toolbar>Copy</div></div>") + "</main>", "Copy"},
		"notes":                      {manual + each("<div class='alert alert-info'><b>Note</b> ", "</div>") + "<div class='info'>By Ann Lee, who sails.</div></main>", "Ann"},
		"a banner above the text":    {"<div class='alert alert-warning'><p>Please enable JavaScript to see all of this page. Without it much of what is here is not shown, and some of it is shown twice. Whoever runs your computer knows how it is done.</div>" + manual + each("<p>", "") + "</main>", "JavaScript"},
		"a jar below the text":       {manual + each("<p>", "") + "</main><aside class='tip jar'><p>Buy us a coffee, if you like what we write. It is little for you, and much for us, who write all of it at night. The jar is open at all hours, and so is the kitchen.</aside>", "coffee"},
		"a notice that goes away":    {manual + "<div class='alert alert-danger alert-dismissible' role=alert>Your session has expired, please sign in to go on with it.</div>" + each("<p>", "") + "</main>", "session"},
		"a line on whose rights":     {manual + each("<p>", "") + "<p class=source>本文转载自茶报，版权归原作者所有，如有侵权请联系我们，我们会在第一时间删除。</main>", "转载"},
		"a line on whom to tell":     {manual + each("<p>", "") + "<p class=info>如有侵权请联系我们，我们会在第一时间删除。</main>", "侵权"},
		"notes beside the text":      {manual + each("<aside class='admonition note'><p>", "</aside>") + "<aside>Latest: it rains.</aside></main>", "Latest"},
		"sentences in a line":        {manual + each("<div class='custom-block info'><p>", "</div>") + "<div class='post-info'>Posted on May 6, 2024 by Ann, who sails, and has so for years, it says.</div></main>", "Ann"},
		"headings that unfold":       {manual + each("<h2><button class='btn btn-link'>", "</button></h2><div>So it is.</div>") + "<button class=btn>Go back</button></main>", "back"},
		"the header of an article":   {"<article><header><h1>Oil</h1>" + each("<p>", "") + "<div>By Ann Lee, who sails <a href=/s>Share</a></div><time>May 6</time></header>" + coats + coats + "</article>", "Ann"},
		"a lead beside the box":      {"<article><div><h1>Oil</h1></div><div class=dek>" + each("<p>", "") + "</div><div><div class=text>" + coats + coats + "</div></div><div>Latest: it rains, and more of it is to come, they say, until all of us are wet to the skin, and then some.</div></article>", "Latest"},
		"a lead far from the box":    {"<div class=head><div><h1>Oil</h1></div><p class=lead>" + said[0] + "</div><div><div class=intro><p>" + said[1] + "</div><figure><figcaption>Our boat is seen here, as it was oiled by us.</figcaption></figure></div><div><div class=text>" + coats + "<p>" + said[2] + "<p>" + said[3] + "</div></div>", "seen here"},
		"attachments of a notice":    {"<div><h1>通知</h1><div class=text>" + coats + coats + "</div><div class=fujian><p>附件：</p><ul>" + each("<li><a href=/f.pdf>", "</a>") + "</ul></div><div>分享到：<a href=/w>微信</a></div></div>", "微信"},
		"a list in a menu":           {"<h1>Papers</h1><menu><li><a href=/a>Our shop</a><li><a href=/b>Our ships</a></menu>" + each("<h2>Of late</h2><menu><li>", "</menu>"), "shop"},
		"signatures of declarations": {"<main><h1>Class Boat</h1>" + each("<section><h3>moor</h3><div class=member-signature>public void ", "</div><div class=block>It does what it says.</div></section>") + "</main><footer>x</footer>", "x"},
		"answers that are folded":    {"<main><h1>Questions</h1>" + each("<div class=q>What is to be said of it?</div><div class=a style='display:none'>", "</div>") + "<form>Name?<div style='display:none'>Please say who you are.</div></form></main>", "who you are"},
		"paragraphs of a builder":    {"<div class=top><h1>Oil</h1></div><div class=kit-widget-wrap><div class='kit-widget kit-widget-heading'><h2>Why?</h2></div>" + each("<div class='kit-widget kit-widget-text'><p>", coats+"</div>") + "<div class='kit-widget kit-widget-share'><a href=/s>Share it</a></div></div>" + cookies, "cookies"},
		"a story with its ads":       {"<main><h1>Oil</h1></main>" + each("<div class='section section--has-ads'>"+coats+"<p>", "</div>") + "<div class='cookie-ads'>" + cookies + "</div>", "cookies"},
		"a story one can share":      {"<h1>Oil</h1><main><div class=sharing-container>" + coats + each("<p>", "") + "</div></main><ol class=comments>" + strings.Repeat("<li><p>A reader says it is sad.", 12) + "</ol>", "A reader"},
		"parts by their ids":         {"<h1>Oil</h1>" + each("<div><h2>So it is</h2><div class=body id=toc-part>"+coats+"<p>", "</div></div>") + "<div class=foot id=toc>Of oil, of varnish, of brushes, and of all the rest.</div>", "brushes"},
		"sections by their heading":  {"<main><h1>Oil</h1><section id=requests-for-comment><h2>Requests for comment</h2>" + each("<p>", "") + "</section>" + coats + "</main><section id=comments><h2>Comments</h2>" + comments + "</section>", "A reader"},
		"readers by one word":        {"<main><h1>Oil</h1>" + coats + each("<p>", "") + "</main><div id=comments><h3>View all comments</h3>" + strings.Repeat("<div><p>A reader says that the story of the harbour is much longer and sadder than the paper tells it.</div>", 30) + "</div>", "A reader"},
		"a foot by one word":         {"<main><h1>Oil</h1>" + coats + each("<p>", "") + "<div id=disclaimer><h3>Disclaimer</h3><p>" + strings.Repeat("The house answers for nothing that is said here, nor for what it leads to. ", 4) + "</div></main>", "answers for"},
		"below the name of the site": {"<div id=top><h1><a href=/>The Quay</a></h1><p>All that floats, sails or sinks in the harbour, told since 1911.</p></div><div><h2>x</h2></div><div><p>" + said[0] + "</div><div><div class=text>" + coats + "<p>" + said[1] + "<p>" + said[2] + "<p>" + said[3] + "</div></div>", "since 1911"},
		"tabs":                       {"<main><h1>Oil</h1>" + each("<div role=tabpanel hidden><p>", "</div>") + "<div hidden>It is loading, please wait for it.</div></main>", "loading"},
	} {
		got := Parse([]byte("<title>x</title><body><nav>"+strings.Repeat("<a href=/a>one of the rooms</a> ", 8)+"</nav>"+c.body), "http://a.example/r", Options{}).MainText()
		for _, s := range said {
			if !strings.Contains(got, s) || strings.Contains(got, c.not) || strings.Contains(got, "rooms") {
				t.Errorf("%s: the main text is %q", name, got)
				break
			}
		}
	}
}

// Where one section of a manual says far more than all others, they are of its text nevertheless; the other stories below a story,
// whose headings lead to them, are not.
func TestMainTextIsNotTheLongestSectionAlone(t *testing.T) {
	const said = "<p>The breakwater of the harbour keeps the swell out, and the mole keeps the sand where it was, as the engineers had it."
	section := func(head string, paragraphs int) string {
		return "<div class=sect1><h2>" + head + "</h2><div class=sectionbody>" + strings.Repeat(said, paragraphs) + "</div></div>"
	}
	manual := "<h1>mole(1)</h1>" + section("NAME", 1) + section("SYNOPSIS", 1) + section("OPTIONS", 60) + section("EXIT STATUS", 1)
	teaser := "<div class=sect1><h2><a href=/n>Divers recover a cannon</a></h2><div class=sectionbody><p>It is of bronze, they say, and was cast in Seville.</div></div>"
	stories := teaser + teaser + section("The mole", 60) + teaser
	for _, c := range []struct{ body, has, not string }{
		{manual, "SYNOPSIS\n", ""},
		{manual, "EXIT STATUS\n", ""},
		{stories, "swell", "cannon"},
	} {
		text := Parse([]byte("<html><head><title>The mole of the harbour</title></head><body><div>"+c.body+"</div></body></html>"), "http://a/", Options{}).MainText()
		if !strings.Contains(text, c.has) || c.not != "" && strings.Contains(text, c.not) {
			t.Errorf("of %.60s…: want %q in it and no %q:\n%.400s", c.body, c.has, c.not, text)
		}
	}
}

// A section that is kept for its sentences beside a longer one keeps its heading.
func TestMainTextKeepsHeadingsOfShortSections(t *testing.T) {
	const said = "<p>The breakwater of the harbour keeps the swell out, and the mole keeps the sand where it was, as the engineers had it."
	edit := "<div class=edit><form method=post action=/edit><button>Edit</button></form></div>"
	body := "<title>The mole</title><div id=page><div><h1>The mole</h1><div class=level1>" + strings.Repeat(said, 12) + "</div>" + edit +
		"<h2>Of the sand</h2><div class=level2>" + said + said + "<p>See <a href=/a>how the harbour was dredged</a>, <a href=/b>the lighthouse on the mole</a>, <a href=/c>the pilots of the year</a></p></div>" + edit +
		"<h2>Latest</h2><div class=level2><ul><li><a href=/n>Divers recover a cannon</a><li><a href=/m>A seal in the dock</a></ul></div></div></div>"
	text := Parse([]byte("<body>"+body), "http://a/", Options{}).Markdown()
	if !strings.Contains(text, "## Of the sand\n") || strings.Contains(text, "Latest") || strings.Contains(text, "cannon") {
		t.Errorf("the text is\n%s", text)
	}
}

// Of posts that are shown one below another each keeps its heading, in a box of its own, too, though it leads to the post. What leads
// elsewhere in such a box, with no text below it, is no heading of the text.
func TestMainTextKeepsBoxedHeadingsThatLeadToPosts(t *testing.T) {
	const said = "<p>The breakwater of the harbour keeps the swell out, and the mole keeps the sand where it was, as the engineers had it."
	var body strings.Builder
	body.WriteString("<title>Harbours</title><body><section id=main>")
	for i := range 5 {
		fmt.Fprintf(&body, "<article><div><time>2024-03-0%d</time></div><div><header><h1><a href=/post-%[1]d>Post %[1]d of the mole</a></h1></header><div class=entry>%s</div>"+
			"<div class=next><h4><a href=/other-%[1]d>More harbours of the coast %[1]d</a></h4></div></div></article>", i+1, strings.Repeat(said, 4))
	}
	text := Parse([]byte(body.String()), "http://a/page/2", Options{}).Markdown()
	for i := range 5 {
		if !strings.Contains(text, fmt.Sprintf("# [Post %[1]d of the mole](http://a/post-%[1]d)\n", i+1)) {
			t.Errorf("the heading of post %d is lost", i+1)
		}
	}
	if strings.Contains(text, "More harbours") || !strings.Contains(text, "breakwater") {
		t.Errorf("the text is\n%s", text)
	}
}

// Names and days between links are no text: what a page of them says is all of it. A short text beside as many links is one.
func TestLabelsBetweenLinksAreNoMainText(t *testing.T) {
	var list strings.Builder
	for i := range 10 {
		fmt.Fprintf(&list, "<div class=item><div class=title><a href=/%d>What the second harbour of the coast tells %[1]d</a></div><div><i class=account><span>Ann Lee</span></i> <i class=date><span>2024/3/%[1]d</span></i> <i class=tags><span>mole of stone</span> <span>lighthouse keepers</span></i></div></div>", i)
	}
	text := Parse([]byte("<title>Harbours</title><body><div id=app><h3>Harbours</h3><div>"+list.String()+"</div></div>"), "http://a/harbours/", Options{}).MainText()
	if !strings.Contains(text, "What the second harbour of the coast tells 9") {
		t.Errorf("of a list is kept %q", text)
	}
	const said = "<p>The mole of the second harbour is closed on Monday, when the divers look at it again.</p>"
	text = Parse([]byte("<title>The mole</title><body><div id=app><h1>The mole</h1><div>"+said+list.String()+"</div></div>"), "http://a/mole", Options{}).MainText()
	if strings.Contains(text, "What the second harbour") || !strings.Contains(text, "divers") {
		t.Errorf("of a short text is kept %q", text)
	}
}

// So does the only post of a list, be it by somebody and under several headings; a page that has its own title there need not say it twice.
func TestMainTextKeepsTheHeadingOfTheOnlyPost(t *testing.T) {
	const said = "<p>The breakwater of the harbour keeps the swell out, and the mole keeps the sand where it was, as the engineers had it."
	post := "<header><h2 class=title><a href=/post/>The mole</a></h2><div class=meta><p class=byline><a href=/by/ida/>Ida Brandt</a></p>" +
		"<p><a href=/post/><time datetime=2024-03-01>1 March 2024</time></a></p><p><a href=/post/#comments>Comments</a></p></div></header>" +
		"<div class=entry>" + strings.Repeat(said, 4) + "</div>"
	for _, page := range []string{
		"<title>Posts on sand</title><header><h1>One post on sand</h1></header><article>" + post + "</article>",
		"<title>Old posts</title><div class=index><article>" + post + "</article><article>" + strings.NewReplacer("/post/", "/other/", "The mole", "The pier").Replace(post) + "</article></div>",
	} {
		text := Parse([]byte("<body><main>"+page+"</main>"), "http://a/sand/", Options{}).Markdown()
		if !strings.Contains(text, "## [The mole](http://a/post/)\n") || strings.Contains(text, "Ida") || strings.Contains(text, "Comments") || !strings.Contains(text, "breakwater") {
			t.Errorf("the text is\n%s", text)
		}
	}
}

// A line that says no more than when a page was published or changed, and by whom, is none of the text, whatever it is called; a sentence
// that begins so is.
func TestMainTextHasNoDatelines(t *testing.T) {
	const said = "<p>The breakwater of the harbour keeps the swell out, and the mole keeps the sand where it was, as the engineers had it."
	for line, kept := range map[string]bool{
		"Published 2023-11-21 by Jonas Pike":                              false,
		"Posted on 21 November 2023 · written by Jonas Pike":              false,
		"Last updated on Nov 21, 2023":                                    false,
		"Published 2023-11-21 by the harbour board in a book":             true,
		"Created in the winter of 2019, the mole has held since.":         true,
		"Written for the harbour, the plan of 21 November 2023 was read.": true,
	} {
		page := "<body><main><article><h1>The mole</h1><p class=when>" + line + "</p>" + strings.Repeat(said, 5) + "</article></main>"
		if text := Parse([]byte(page), "http://a/mole", Options{}).MainText(); strings.Contains(text, line) != kept || !strings.Contains(text, "breakwater") {
			t.Errorf("%q: the text is\n%s", line, text)
		}
	}
}

// A button that stands alone in a text is none of it. One in a line, in a table or in a heading is, and one that unfolds what stands below it.
func TestMainTextHasNoButtonsThatStandAlone(t *testing.T) {
	const said = "<p>The breakwater of the harbour keeps the swell out, and the mole keeps the sand where it was, as the engineers had it.</p>"
	for part, kept := range map[string]bool{
		"<button>12 likes</button>": false,
		"<div class=row><button>Like this</button><button>Pass it</button></div>":                   false,
		"<ul><li><button>Like this</button></li></ul>":                                              false,
		"<p>Press <button>Save</button> and wait.</p>":                                              true,
		"<h2><button>Why a mole</button></h2>" + said:                                               true,
		"<button>Why a mole</button><div>" + said + "</div>":                                        true,
		"<button>Why is there a mole?</button>":                                                     true,
		"<table><tr><td>Key<td><button>Enter</button><tr><td>Use<td>To go on with the next</table>": true,
	} {
		page := "<body><main><article><h1>The mole</h1>" + strings.Repeat(said, 5) + part + "<p class=tags><span>#sand</span></p></article></main>"
		says := regexp.MustCompile(`<button>([^<]+)`).FindStringSubmatch(part)[1]
		if text := Parse([]byte(page), "http://a/mole", Options{}).MainText(); strings.Contains(text, says) != kept || !strings.Contains(text, "breakwater") {
			t.Errorf("%s: the text is\n%s", part, text)
		}
	}
}
