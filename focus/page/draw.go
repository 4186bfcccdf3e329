package page

import (
	"fmt"
	"html"
	"io"
	"strings"
)

// Draw writes the page's blocks as an HTML document for a person to look at: every block in the colour of its kind,
// nested as blocks nest, with what is known of it above its text. The document needs nothing from elsewhere.
func (p *Page) Draw(w io.Writer) error {
	d := drawing{w: w, page: p, inner: make([][]int, len(p.Blocks)), runs: make([][]int, len(p.Blocks))}
	for i := range p.Blocks {
		if at := p.Blocks[i].Parent; at >= 0 && int(at) < i {
			d.inner[at] = append(d.inner[at], i)
		}
	}
	for i := range p.Runs {
		if b := p.Runs[i].Block; b >= 0 && int(b) < len(d.runs) {
			d.runs[b] = append(d.runs[b], i)
		}
	}
	d.print("<!DOCTYPE html><meta charset=utf-8><title>%s</title><style>%s</style>", html.EscapeString(p.Title), drawStyle)
	d.print("<h1>%s</h1><p><code>%s</code><br>%s page, hub ratio %.2f, %d links, %d blocks", html.EscapeString(p.Title),
		html.EscapeString(p.URL), p.Kind, p.HubRatio, len(p.Links), len(p.Blocks))
	if p.Cut != "" {
		d.print(", cut short: %s", p.Cut)
	}
	d.print("<p>")
	for k := Text; k <= Related; k++ {
		if k != Hub {
			d.print(`<span class="b %s">%s</span> `, k, k)
		}
	}
	d.print(`<span class="b text main">main text</span>`)
	if len(p.Blocks) > 0 {
		d.block(0)
	}
	d.print("\n")
	return d.err
}

const drawStyle = `body{font:13px/1.4 sans-serif;margin:12px;max-width:1160px}h1{font-size:18px;margin:0}
.b{border:1px solid #0003;border-left-width:5px;border-radius:3px;padding:2px 6px;margin:3px 0}
.b small{color:#000a;font-size:11px;word-break:break-all}.b p{margin:2px 0;white-space:pre-wrap}.b i{font-style:normal;color:#0645ad;border-bottom:1px dotted}
.b b{font-size:14px}.text{background:#fff}.main{background:#d9f7d9;border-color:#2a2}.links{background:#dcebff;border-color:#36c}
.navigation{background:#eee;border-color:#999}.advertisement{background:#ffdede;border-color:#c33}.related{background:#fff3c4;border-color:#c90}`

// drawing writes one page; the first error stays.
type drawing struct {
	w     io.Writer
	err   error
	page  *Page
	inner [][]int // the blocks right inside each
	runs  [][]int // the runs of each
}

func (d *drawing) print(format string, a ...any) {
	if d.err == nil {
		_, d.err = fmt.Fprintf(d.w, format, a...)
	}
}

// block writes a block, its text in the order of the page with the blocks inside of it where they begin.
func (d *drawing) block(i int) {
	b := &d.page.Blocks[i]
	class := b.Kind.String()
	if b.Main {
		class += " main"
	}
	d.print("\n<div class=\"b %s\"><small>%d %s · %s · %d characters, %d in %d links", class, i, class, html.EscapeString(b.Path), b.Chars, b.AnchorChars, b.LinkCount)
	if b.Width > 0 {
		d.print(" · %d px wide", b.Width)
	}
	if b.Heading != "" {
		d.print(" · under “%s”", html.EscapeString(shorten(b.Heading)))
	}
	d.print("</small><p>")
	next := 0
	for _, at := range d.runs[i] {
		u := &d.page.Runs[at]
		for next < len(d.inner[i]) && d.first(d.inner[i][next]) < at {
			d.print("</p>")
			d.block(d.inner[i][next])
			d.print("<p>")
			next++
		}
		d.run(u)
	}
	d.print("</p>")
	for _, in := range d.inner[i][next:] {
		d.block(in)
	}
	d.print("</div>")
}

// first is the place of the first run of a block, inner blocks included.
func (d *drawing) first(i int) int {
	at := len(d.page.Runs)
	if len(d.runs[i]) > 0 {
		at = d.runs[i][0]
	}
	if len(d.inner[i]) > 0 {
		at = min(at, d.first(d.inner[i][0]))
	}
	return at
}

func (d *drawing) run(u *Run) {
	text := html.EscapeString(u.Text)
	switch {
	case u.Position == Title || u.Position == Meta:
		return
	case u.Position == Heading || u.Position == Top:
		text = "<b>" + text + "</b>"
	}
	if u.Linked {
		text = "<i>" + text + "</i>"
	}
	d.print("%s ", text)
}

// shorten cuts a heading for a label.
func shorten(s string) string {
	s = strings.ReplaceAll(s, "\n", " ")
	for i := range s {
		if i > 60 {
			return s[:i] + "…"
		}
	}
	return s
}
