package page_test

import (
	"fmt"

	"github.com/thresher-crawler/thresher/focus/page"
)

// A page is read once. What it says is then there as text by position, as blocks, and as links that know their words
// and their surroundings.
func Example() {
	body := []byte(`<html lang="en"><title>Sharks - The Sea</title>
<ul class="nav"><li><a href="/">Home</a><li><a href="/fish/">Fish</a></ul>
<div class="article"><h1>Sharks</h1>
<p>The <b>thresher</b> hunts with its tail; see <a href="thresher.html?utm_source=page">how it hunts</a> in detail.</p></div>
<div><h3>Related articles</h3>
<ul><li><a href="/2026/1.html">Sharks of the deep</a><li><a href="/2026/2.html">How sharks sleep</a></ul></div>`)

	p := page.Parse(body, "http://sea.example/sharks/", page.Options{})

	fmt.Println(p.Title, "·", p.Kind, "page ·", len(p.Blocks), "blocks")
	fmt.Println(p.MainText())
	for _, l := range p.Links {
		fmt.Printf("%-13s %s (%s) under %q\n", p.Blocks[l.Block].Kind.String()+":", l.Anchor, l.Identity, l.Heading)
	}
	// Output:
	// Sharks · text page · 5 blocks
	// Sharks
	// The thresher hunts with its tail; see how it hunts in detail.
	// navigation:   Home (http://sea.example/) under ""
	// navigation:   Fish (http://sea.example/fish/) under ""
	// text:         how it hunts (http://sea.example/sharks/thresher.html) under "Sharks"
	// related:      Sharks of the deep (http://sea.example/2026/1.html) under "Related articles"
	// related:      How sharks sleep (http://sea.example/2026/2.html) under "Related articles"
}
