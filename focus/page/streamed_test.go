package page

import (
	"fmt"
	"strings"
	"testing"
)

// Parts of a page that its server sent late stand in their places, and what was shown there until they came is gone.
func TestWhatComesLateStandsInItsPlace(t *testing.T) {
	const put = "<script>$RC=function(a,b){};$RS=function(a,b){};</script>"
	for html, want := range map[string]string{
		"<main><!--$?--><template id=\"B:0\"></template><p>Loading</p><!--/$--></main><p>End.</p>" + put +
			"<div hidden id=\"S:0\"><h1>Keels</h1><p>Of oak.</p></div><script>$RC(\"B:0\",\"S:0\")</script>": "Keels\nOf oak.\nEnd.",
		"<main><p>First.</p><template id=\"P:1\"></template><p>Third.</p></main><div id=\"S:1\" hidden=\"\"><div><p>Second.</p></div></div><script>$RS(\"S:1\",\"P:1\")</script>": "First.\nSecond.\nThird.",
		"<main><!--$?--><template id=\"B:0\"></template>Wait<!--$--><b>for it</b><!--/$--><!--/$--></main><div hidden id=\"S:0\"><p>One.</p><!--$?--><template id=\"B:1\"></template><p>Wait</p><!--/$--><p>Three.</p></div>" +
			"<script>$RC(\"B:0\",\"S:0\")</script><div hidden id=\"S:1\"><p>Two.</p></div><script nonce=x>$RR(\"B:1\",\"S:1\",[])</script>": "One.\nTwo.\nThree.",
		"<table><tr><td>Mast</td></tr><!--$?--><template id=\"B:0\"></template><!--/$--></table><table hidden><tbody id=\"S:0\"><tr><td>Keel</td></tr></tbody></table><script>$RC(\"B:0\",\"S:0\")</script>": "Mast\nKeel",
		// what is not there, or not called for, stays as it is
		"<p>One.</p><div hidden id=\"S:0\"><p>Two.</p></div><script>$RC(\"B:0\",\"S:0\")</script>":                                                              "One.",
		"<p>One.</p><!--$?--><template id=\"B:0\"></template><p>Wait.</p><!--/$--><script>$RC(\"B:0\",\"S:0\")</script>":                                        "One.\nWait.",
		"<p>Say <code>$RC(\"B:0\",\"S:0\")</code>.</p><template id=\"B:0\"></template><div hidden id=\"S:0\"><p>Two.</p></div>":                                 "Say $RC(\"B:0\",\"S:0\").",
		"<div hidden id=\"S:0\"><p>One.</p><template id=\"B:0\"></template></div><p>Two.</p><script>$RC(\"B:0\",\"S:0\");$RC(\"B:0\",\"S:0\")</script>":         "Two.",
		"<p>One.</p><template id=\"B:0\"></template><div hidden id=\"S:0\"><p>Two.</p></div><script>$RC(\"B:0\",\"S:0\");$RS(\"S:0\",\"B:0\")</script>":         "One.\nTwo.",
		"<p>One.</p><template id=\"B:0\"></template><div hidden id=\"S:0\"><p>Two.</p></div><script>$RC(\"B:0\",\"S:0\")":                                       "One.",
		"<p>One.</p><!--/$--></div></template><template id=\"B:0\"></template><div hidden id=\"S:0\"><p>Two.</p></div><script>$RC(\"B:0\",\"S:0\")</script><p>": "One.\nTwo.",
	} {
		if got := Parse([]byte(html), "http://x.example/p", Options{}).MainText(); got != want {
			t.Errorf("%s\nreads %q\nwant  %q", html, got, want)
		}
	}
}

// A link in such a part is one of the block that it comes into.
func TestALinkThatComesLateIsOfItsPlace(t *testing.T) {
	p := Parse([]byte("<nav><template id=\"P:1\"></template></nav><main><p>Keels.</p></main><div hidden id=\"S:1\"><a href=/keel>Keel</a></div><script>$RS(\"S:1\",\"P:1\")</script>"), "http://x.example/", Options{})
	if len(p.Links) != 1 || p.Links[0].Path != "body/nav/a" {
		t.Errorf("%+v", p.Links)
	}
}

// Whatever a server sends, however it is nested, chained or left open: nothing is written twice, and it comes to an end.
func TestPartsWithoutEndAreReadOnce(t *testing.T) {
	const n = 20_000
	var nested, chained, open strings.Builder
	for i := range n {
		fmt.Fprintf(&nested, "<template id=\"B:%d\"></template><div id=\"S:%[1]d\">", i)
		fmt.Fprintf(&chained, "<div id=\"S:%d\">part%[1]d<template id=\"B:%d\"></template></div><script>$RC(\"B:%[1]d\",\"S:%[1]d\")</script>", i, i+1)
		open.WriteString("<script ")
	}
	nested.WriteString(strings.Repeat("</div>", n))
	for i := range n {
		fmt.Fprintf(&nested, "<script>$RC(\"B:%d\",\"S:%d\")</script>", i, (i+1)%n)
	}
	for what, html := range map[string]string{
		"nested": nested.String(), "chained": "<p>One<template id=\"B:0\"></template>" + chained.String(),
		"open": `<script>$RC("a","b")</script>` + strings.Repeat("<div>", n) + open.String(), "comments": `<script>$RC("a","b")</script>` + strings.Repeat("<!--$?--><template id=\"a\">", n),
	} {
		out := inPlace([]byte(html))
		if len(out) > len(html) {
			t.Errorf("%s: %d bytes became %d", what, len(html), len(out))
		}
		if what == "chained" && strings.Count(string(out), "part") != n {
			t.Errorf("%d parts of %d are there", strings.Count(string(out), "part"), n)
		}
	}
}

// A page that calls for nothing is the same bytes.
func TestAPageInOnePieceStaysAsItIs(t *testing.T) {
	html := []byte("<p>One.<template id=\"B:0\"></template><script>$RT()</script>")
	if out := inPlace(html); &out[0] != &html[0] {
		t.Errorf("%s", out)
	}
}
