package page

import (
	"strings"
	"testing"
)

// linkBlock is a page with one block of links in it, each "address anchor", below a heading.
func linkBlock(title, heading string, links ...string) string {
	var b strings.Builder
	b.WriteString("<title>" + title + "</title><div class=text>" + strings.Repeat("文章的内容", 30) + "</div>")
	if heading != "" {
		b.WriteString("<h3>" + heading + "</h3>")
	}
	b.WriteString("<ul class=list>")
	for _, l := range links {
		href, anchor, _ := strings.Cut(l, " ")
		b.WriteString(`<li><a href="` + href + `">` + anchor + "</a></li>")
	}
	b.WriteString("</ul>")
	return b.String()
}

func TestRelatedBlocks(t *testing.T) {
	const title = "北京旅游景点大全_旅游频道"
	good := []string{"/a/1.html 长城一日游攻略与门票价格", "/a/2.html 颐和园春季赏花的最好去处", "/a/3.html 秋天香山的红叶什么时候最红"}
	for name, c := range map[string]struct {
		page string
		kind Kind
	}{
		"a special word on the heading":        {linkBlock(title, "相关链接", good...), Related},
		"in English":                           {linkBlock("Travel", "Related articles", "/a/1 walking on the great wall", "/a/2 the summer palace in spring"), Related},
		"no special word and unlike the title": {linkBlock(title, "最新消息", good...), Links},
		"like the title":                       {linkBlock(title, "", "/a/1.html 北京旅游景点门票", "/a/2.html 北京旅游攻略大全", "/a/3.html 秋天香山的红叶什么时候最红"), Related},
		"a special word on the anchors":        {linkBlock(title, "", "/a/1.html 更多信息：长城一日游", "/a/2.html 更多信息：颐和园"), Related},
		"anchors as narrow as in menus":        {linkBlock(title, "相关链接", "/a/1.html 长城", "/a/2.html 故宫", "/a/3.html 香山"), Navigation},
		"words that related links never have":  {linkBlock(title, "相关链接", "/a/1.html 返回北京旅游首页", "/a/2.html 联系我们的编辑部门", "/a/3.html 长城一日游攻略"), Navigation},
		"hosts of advertisers":                 {linkBlock(title, "相关链接", "http://x.doubleclick.net/1 北京旅游景点门票", "http://pos.baidu.com/2 北京旅游攻略大全"), Advertisement},
		"addresses of every shape":             {linkBlock(title, "相关链接", "http://a.com/x/ 北京旅游景点门票", "http://b.com/y/1 北京旅游攻略大全", "/c/d/e.php?x 北京旅游路线推荐"), Links},
		"a heading that is no heading element": {strings.Replace(linkBlock(title, "相关链接", good...), "h3>", "b>", 2), Related},
		"friends":                              {linkBlock(title, "友情链接", "http://a.com/ 北京旅游局的官方网站", "http://b.com/ 北京旅游信息网站"), Navigation},
		"what the author calls a menu":         {strings.Replace(linkBlock(title, "", good...), "class=list", "class=nav", 1), Links},
		"what HTML5 calls a menu":              {strings.Replace(linkBlock(title, "", good...), "<ul", "<nav><ul", 1), Navigation},
		"what the author calls advertisements": {strings.Replace(linkBlock(title, "", good...), "class=list", "class=ad-box", 1), Advertisement},
	} {
		p := Parse([]byte(c.page), "http://x.example/", Options{})
		if b := p.Blocks[p.Links[0].Block]; b.Kind != c.kind {
			t.Errorf("%s: %s, want %s", name, b.Kind, c.kind)
		}
	}
}

// TestHeadingsSpeakForTheirLinks: what follows the links of a heading elsewhere on the page is not announced by it.
func TestHeadingsSpeakForTheirLinks(t *testing.T) {
	list := func(dir string) string {
		return "<ul><li><a href=" + dir + "1.html>长城一日游攻略与门票价格</a><li><a href=" + dir + "2.html>颐和园春季赏花的最好去处</a></ul>"
	}
	page := "<title>t</title><div class=box><h3>相关链接</h3>" + list("/a/") + "<p>和</p>" + list("/b/") + "</div><div class=more><p>text</p>" + list("/c/") + "</div>"
	p := Parse([]byte(page), "http://x.example/", Options{})
	for i, want := range []Kind{0: Related, 2: Related, 4: Links} {
		if got := p.Blocks[p.Links[i].Block].Kind; want != Text && got != want {
			t.Errorf("%s is among %s, want %s", p.Links[i].URL, got, want)
		}
	}
}

// TestLinkFilter holds the vectors of the link filter: 首页 is a menu's, twelve Chinese characters are wide enough, a
// host of advertisers fails.
func TestLinkFilter(t *testing.T) {
	for _, c := range []struct {
		anchor, host string
		width        int
		good         bool
	}{
		{"首页", "x.example", 4, false},
		{"一二三四五六七八九十一二", "x.example", 24, true},
		{"一二三四五六七八九十一二", "ad.doubleclick.net", 24, false},
		{"nine cols", "x.example", 9, false},
		{"ten column", "x.example", 10, true},
	} {
		var f features
		f.add(&address{host: c.host, path: "/"}, standard().advertiser(c.host))
		f.addWords(standard(), nil, c.anchor, true, nil)
		f.links, f.counts[0] = 2, 2 // as if another link, of the same shape, were beside it
		rules := StandardRules()
		if w, good := columns(c.anchor), f.related(&rules, true); w != c.width || good != c.good {
			t.Errorf("%q to %s: width %d, good %v", c.anchor, c.host, w, good)
		}
	}
}

func TestUnrelated(t *testing.T) {
	page := linkBlock("t", "最新消息", "/a/1.html 长城一日游攻略与门票价格", "/a/2.html 颐和园春季赏花的最好去处")
	p := Parse([]byte(page), "http://x.example/", Options{})
	if !p.Unrelated(&p.Links[0]) {
		t.Error("a block of links that is not related passes")
	}
	p.Kind = Hub
	if p.Unrelated(&p.Links[0]) {
		t.Error("a hub's block of links does not pass")
	}
	p.Blocks[p.Links[0].Block].Kind = Navigation
	if !p.Unrelated(&p.Links[0]) {
		t.Error("a hub's menu passes")
	}
	p = Parse([]byte(strings.Replace(page, "最新消息", "相关链接", 1)), "http://x.example/", Options{})
	if p.Unrelated(&p.Links[0]) {
		t.Error("a related block does not pass")
	}
	p = Parse([]byte("<p>some text with <a href=1>a link</a> in it"), "http://x.example/", Options{})
	if p.Unrelated(&p.Links[0]) {
		t.Error("a link in text does not pass")
	}
}

// A strategy may ask for other thresholds than the page was read with: of each threshold the block that has it, and not more.
func TestRelatedByOtherRules(t *testing.T) {
	// Two links of 30 and one of 14 columns, one of them to another site, under a special word; two addresses of one shape.
	html := linkBlock("t", "相关链接", "/a/1.html 长城一日游攻略与门票价格啊", "/a/2.html 颐和园春季赏花的最好去处啊", "http://other.example/b 七个字的题目呢")
	p := Parse([]byte(html), "http://x.example/", Options{})
	block := p.Links[0].Block
	for name, c := range map[string]struct {
		change func(*Rules)
		kind   Kind
	}{
		"as read":                {func(*Rules) {}, Related},
		"width 14, all of them":  {func(r *Rules) { r.Width, r.Share = 14, 1 }, Related},
		"width 15, all of them":  {func(r *Rules) { r.Width, r.Share = 15, 1 }, Links},
		"two shapes of three":    {func(r *Rules) { r.Tidy = .66 }, Related},
		"three shapes of three":  {func(r *Rules) { r.Tidy = .67 }, Links},
		"two in site of three":   {func(r *Rules) { r.InSite = .66 }, Related},
		"three in site of three": {func(r *Rules) { r.InSite = .67 }, Links},
	} {
		r := StandardRules()
		c.change(&r)
		if have := p.KindBy(block, &r); have != c.kind {
			t.Errorf("%s: %s, want %s", name, have, c.kind)
		}
		if p.UnrelatedBy(&p.Links[0], &r) != (c.kind != Related && p.Kind != Hub) {
			t.Errorf("%s: the filter does not go by the kind %s", name, c.kind)
		}
	}
	html = linkBlock("长城游记", "见闻", "/a/1.html 长城一日游攻略与门票价格", "/a/2.html 颐和园春季赏花的最好去处啊")
	p = Parse([]byte(html), "http://x.example/", Options{})
	for similarity, kind := range map[float64]Kind{.05: Related, .9: Links} {
		r := StandardRules()
		r.Similarity = similarity
		if have := p.KindBy(p.Links[0].Block, &r); have != kind {
			t.Errorf("similarity %v: %s, want %s", similarity, have, kind)
		}
	}
}

func TestListsAreExtended(t *testing.T) {
	more, err := NewLists(Words{
		Special:     []string{"Weiterlesen"},
		Advertisers: []string{"ads.example"},
		Hints:       map[string][]string{"navigation": {"speisekarte"}},
		Rules:       Rules{Width: 4, Tidy: .9},
	})
	if err != nil {
		t.Fatal(err)
	}
	page := linkBlock("t", "Weiterlesen", "/a/1 eine Reise", "/a/2 ein Buch")
	for _, c := range []struct {
		lists *Lists
		kind  Kind
	}{{nil, Links}, {more, Related}} {
		p := Parse([]byte(page), "http://x.example/", Options{Lists: c.lists})
		if b := p.Blocks[p.Links[0].Block]; b.Kind != c.kind {
			t.Errorf("%s, want %s", b.Kind, c.kind)
		}
	}
	if !more.advertiser("x.ads.example") || !more.advertiser("doubleclick.net") || standard().advertiser("ads.example") {
		t.Error("advertisers are not those of the package and the new ones")
	}
}

func TestListsRefuse(t *testing.T) {
	nan := 0.0
	nan /= nan
	for want, w := range map[string]Words{
		`hints "menu"`:            {Hints: map[string][]string{"menu": {"x"}}},
		"rules.width is -1":       {Rules: Rules{Width: -1}},
		"rules.share is 1.5":      {Rules: Rules{Share: 1.5}},
		"rules.similarity is NaN": {Rules: Rules{Similarity: nan}},
		"identity everywhere":     {Binary: []string{"x"}},
	} {
		if _, err := NewLists(w); err == nil || !strings.HasPrefix(err.Error(), "lists: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error about %s", err, want)
		}
	}
}

// TestRunsKnowTheirLinks: a headline that is a link is a heading and an anchor.
func TestRunsKnowTheirLinks(t *testing.T) {
	p := Parse([]byte(`plain <h2><a href=1>headline</a></h2> <a href=2>anchor</a>`), "http://x.example/", Options{})
	var got []string
	for _, u := range p.Runs {
		if u.Linked {
			got = append(got, u.Text)
		}
	}
	if strings.Join(got, "|") != "headline|anchor" || p.Runs[1].Position != Heading || p.Runs[2].Position != Anchor {
		t.Errorf("linked runs %q of %+v", got, p.Runs)
	}
}

// A list of other pages below a heading that says so is none of a short page's text, though it is most of the page: it stands beside what has
// the page's h1. Where it is what the page has below its h1 it stays, and so does a text with few links.
func TestTeasersAreNoTextOfAShortPage(t *testing.T) {
	const own = "The notes are written by those who live at the harbour, and by their guests."
	teasers := "<h3>Recent posts</h3><ul>" + strings.Repeat("<li><a href=/posts/1>Late sand and the moles of Lund</a><p>The sand keeps what the wind has brought when it comes from the north.</p>", 6) + "</ul>"
	for page, kept := range map[string]bool{
		"<div><div class=a><div><h1>About</h1><p>" + own + "</p></div></div><div class=b>" + teasers + "</div></div>":                                                           false,
		"<div><h1>About</h1><p>" + own + "</p>" + teasers + "</div>":                                                                                                            true,
		"<div><div class=a><h1>About</h1></div><div class=b>" + teasers + "</div></div>":                                                                                        true,
		"<div><div><h1>About</h1><p>" + own + "</p></div><div class=b>" + strings.ReplaceAll(teasers, "<p>The sand", "<p>"+strings.Repeat(own, 4)+" The sand") + "</div></div>": true,
	} {
		text := Parse([]byte("<title>About</title><body>"+page), "http://x.example/about", Options{}).MainText()
		if strings.Contains(text, "The sand keeps") != kept || !kept && !strings.Contains(text, own) {
			t.Errorf("%.90s: %s", page, text)
		}
	}
}
