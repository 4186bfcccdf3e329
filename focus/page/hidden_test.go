package page

import (
	"strings"
	"testing"
)

// What stands in places that a browser shows only by a script is read where hidden markup is: lists in XML, templates, boxes to choose
// from, the pages of a list, clicks. What a script puts together, or asks about first, is no address.
func TestHiddenLinks(t *testing.T) {
	const list = `<div class=list><script type="text/xml"><datastore><nextgroup><![CDATA[<a href="next.jsp?page=1&amp;unit=3"></a>]]></nextgroup><recordset>
<record><![CDATA[<tr><td><a href="art_1.html">First policy</a></td></tr></div></table>]]></record>
<record><![CDATA[<li><a href="art_2.html">Second policy</a><p>]]></record></recordset></datastore></script><a href=more.html>More</a></div>`
	for page, want := range map[string]string{
		list: "next.jsp?page=1&unit=3 art_1.html=First policy art_2.html=Second policy more.html=More",
		`<script type="text/xml"><a href=a></script><script>s="<a href=b>"</script>`: "a",
		`<script>createPageHTML(13, 0, "index", "html");</script>`: "index_1.html=2 index_2.html=3 index_3.html=4 index_4.html=5 " +
			"index_5.html=6 index_6.html=7 index_7.html=8 index_8.html=9 index_9.html=10 index_10.html=11",
		`<script>function createPageHTML(n, i, name, ext){} createPageHTML(3,1,'list','shtml')</script>`: "list.shtml=1 list_2.shtml=3",
		`<script>createPageHTML(1, 0, "t20140117_5892", "shtml")</script>`:                               "",
		`<template><a href=a> One <b>x</b></a><a href="{{url}}">{{name}}</a></template><a href=c>C</a>`:  "a=One c=C",
		`<select onchange="location.href=this.value"><option>Choose<option value="/a.html" selected>A &amp; B</option>
<option value=b/>B</option><option value="?sort=price">Price</option><option value="http://x.example/p/q?sort=name">Name</option><option value=7>7</option></select>`: "http://x.example/a.html=A & B b/=B",
		`<select onchange="go(this)"><option value="http://y.example/">Y<option value="/flag.png">Z</select>`:                                                                                                                                                             "http://y.example/=Y",
		`<select onchange="location='/list/'+this.value"><option value=a.html>A</select><select name=n><option value="http://y.example/">Y</select><option value="http://y.example/">`:                                                                                    "",
		`<a href="javascript:window.location='a.html'">A</a><a href='javascript:window.open("b.html","_blank")'>B</a><a href="JavaScript:location.href=&#39;c.html&#39;;">C</a>`:                                                                                          "a.html=A b.html=B c.html=C",
		`<a href="javascript:void(0)" onclick="window.open('a.html')">A</a><a href=# onclick="location='b.html'">B</a><a onclick="self.location.replace('c.html')">C</a><a href=d onclick="location='e'">D</a>`:                                                           "a.html=A b.html=B c.html=C d=D",
		`<ul><li onclick="window.open('a.html')"><b>A</b> a<li onClick='location.href="b.html"'>B</li></ul><h3 onclick="open('h.html')">H<br>h</h3><table><tr onclick="location='c.html'"><td>C<td>1</table><input type=button value=D onclick="location.href='d.html'">`: "a.html=A a b.html=B h.html=H h c.html=C 1 d.html=D",
		`<table><tr><td onclick="open('a.html')">A<br/>a<br
>b<td onclick="open('b.html')"><script>if (1 < 2) c()</script><style>p{}</style><p>B</table>`: "a.html=A a b b.html=B",
		`<div onclick="open('a.html')">A<script>b()`: "a.html=A",
		`<body onclick="window.open('ad.html')"><div onclick="open('a.html')" title=A><p>A <em>b</em></div>c<a href=d>D<span onclick="location='e'">E</span></a><div onclick="go('f')">F</div><p onclick="location='{{g}}'">G`: "a.html=A b d=DE",
		`<button onclick="location.href='a.html'">A</button><img src=b.png alt=B onclick="self.location.replace('b.html')"><area href=c onclick="location='d'">`:                                                               "a.html=A b.html=B c",
		`<a href="javascript:window.open('http://share.example/?url='+location.href)">Share</a><a href="javascript:go('a')">A</a>
<a href=# onclick="if(confirm('Really?'))location='delete'">Delete</a><a href="javascript:;" onclick="location='{{b}}'">B</a>`: "",
	} {
		var have []string
		for _, l := range Parse([]byte(page), "http://x.example/p/q?a", Options{Hidden: true}).Links {
			said := strings.TrimPrefix(l.URL, "http://x.example/p/")
			if l.Anchor != "" {
				said += "=" + l.Anchor
			}
			have = append(have, said)
		}
		if got := strings.Join(have, " "); got != want {
			t.Errorf("%s\nlinks to %s\nwant     %s", page, got, want)
		}
	}
	hidden, plain := Parse([]byte(list), "http://x.example/", Options{Hidden: true}), Parse([]byte(list), "http://x.example/", Options{})
	if text := hidden.prose; !strings.Contains(text, "First policy") || strings.Contains(text, "]]") {
		t.Errorf("the list in the script says %q", text)
	}
	if last := hidden.Links[len(hidden.Links)-1]; last.Path != "body/div.list/a" {
		t.Errorf("what the script leaves open, or closes once too often, ends with it: the link behind it is at %s", last.Path)
	}
	if len(plain.Links) != 1 {
		t.Errorf("where hidden markup is not read, the list is nothing: %+v", plain.Links)
	}
}

// A page that only a script fills may say the text of its article to search engines: then that is the text. A page that has a text of its
// own says there the same once more, and one with several articles is none of them.
func TestWhatALinkedArticleSaysIsTextWhereThePageHasNone(t *testing.T) {
	const says, other = "The kettle boils after four minutes & the lid has to stay on it. It was bought two years ago.", "Pour the water over the leaves, and wait."
	body := strings.Repeat(says+`\n`, 4) + other
	ld := `<script type="application/ld+json">{"@type":"NewsArticle","headline":"Kettles","articleBody":"` + body + `"}</script>`
	text := "<p>" + strings.Repeat("The leaves are picked in late March, and fired in a wok the very same day. ", 8)
	for page, want := range map[string]bool{
		"<title>Kettles - Tea Post</title>" + ld + "<body><header><a href=/>Tea Post</a></header><div id=app><noscript>Scripts, please": true,
		ld + "<body><div id=app>Loading…</div>":                          true,
		strings.ReplaceAll(ld, `\n`, "<p>") + "<body><div id=app></div>": true,
		ld + "<body><h1>Kettles</h1>" + text:                             false,
		ld + ld + "<body><div id=app></div>":                             false,
		ld + "<body><template>":                                          true,
		`<script type="application/ld+json">[{"headline":"A"},{"headline":"B"}]</script>` + ld + "<body><ul><li><a href=1>A":                               false,
		`<script type="application/ld+json">{"@type":"WebPage","headline":"All kettles"}</script>` + ld + "<title>Kettles</title><body><div id=app></div>": true,
		ld + "<frameset><frame src=a>": false,
	} {
		p := Parse([]byte(page), "http://x.example/p/q", Options{})
		got := p.MainText()
		if strings.Contains(got, other) != want || want && (p.Title != "Kettles" || strings.Count(got, says+"\n") != 4 || strings.Contains(got, "please")) {
			t.Errorf("%s: %q: %q", page, p.Title, got)
		}
	}
}

// The text of such an article is text, or markup, or markup that was written as text.
func TestWhatALinkedArticleSaysIsTextOrMarkup(t *testing.T) {
	const says = "The kettle boils after four minutes and the lid has to stay on it. "
	for body, want := range map[string]string{
		says + `\n` + says:                                          strings.TrimSpace(says) + "\n" + strings.TrimSpace(says),
		says + "if x <y then " + says + "a<b>c":                     says + "if x <y then " + says + "a<b>c",
		"ket\\u00adtle &amp; " + says:                               "kettle & " + strings.TrimSpace(says),
		"<p>" + says + `\n<\/p>\n<p\n class='x'>` + says + "<\\/p>": strings.TrimSpace(says) + "\n" + strings.TrimSpace(says),
		"&lt;p&gt;" + says + "&lt;/p&gt;&lt;p class=&quot;x&quot;&gt;" + says + "&lt;/p&gt;": strings.TrimSpace(says) + "\n" + strings.TrimSpace(says),
		"&lt;kettle> " + says: "<kettle> " + strings.TrimSpace(says),
	} {
		page := `<script type="application/ld+json">{"headline":"Kettles","articleBody":"` + body + `"}</script><body><div id=app></div>`
		if got := Parse([]byte(page), "http://x.example/p/q", Options{}).MainText(); got != want {
			t.Errorf("%s\n%q\n%q", body, got, want)
		}
	}
}
