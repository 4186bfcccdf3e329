package drawn

import (
	"fmt"
	"html"
	"slices"
	"strings"
)

// pageWriter writes one page. Its dice are the page's own.
type pageWriter struct {
	strings.Builder
	w *drawing
	p *drawn
	d *dice
	l layout
}

// render writes a page in UTF-8.
func (w *drawing) render(p *drawn) string {
	r := &pageWriter{w: w, p: p, d: w.d.fork(p.n), l: layouts[p.site.layout]}
	blocks := w.blocksOf(p, r.d)
	r.head()
	if p.kind != copied && p.kind != gallery {
		r.block(r.l.menu, "", p.site.menu, "")
	}
	r.WriteString(r.l.body.open)
	r.text()
	for _, b := range blocks {
		switch b.kind {
		case listBlock:
			r.block(r.l.list, b.heading, b.links, "")
		case relatedBlock:
			r.block(r.l.related, b.heading, b.links, "")
		case advertBlock:
			r.block(r.l.ads, b.heading, b.links, "nofollow")
		}
	}
	if p.kind == almanac {
		r.fillUp()
	}
	r.WriteString(r.l.body.close)
	fmt.Fprintf(r, r.l.foot, html.EscapeString(p.site.name))
	r.WriteString("</body>\n</html>\n")
	if p.kind != almanac && r.d.chance(w.k.Broken) {
		return broken(r.d, r.String())
	}
	return r.String()
}

func (r *pageWriter) head() {
	p := r.p
	lang := p.site.t.code
	if charsets[p.site.charset].traditional {
		lang = "zh-Hant"
	}
	fmt.Fprintf(r, r.l.doctype, lang)
	r.WriteString("<head>\n")
	if c := charsets[p.site.charset].meta; c != "" {
		fmt.Fprintf(r, "<meta http-equiv=\"Content-Type\" content=\"text/html; charset=%s\">\n", c)
	}
	title := p.title
	if p.kind == homePage {
		title = p.site.name
	} else if r.d.chance(0.7) {
		title += " - " + p.site.name
	}
	fmt.Fprintf(r, "<title>%s</title>\n", html.EscapeString(title))
	if r.d.chance(0.4) {
		fmt.Fprintf(r, "<meta name=\"description\" content=\"%s\">\n", html.EscapeString(opening(p.said[0])))
	}
	r.WriteString("</head>\n<body>\n")
}

// block writes links in a frame.
func (r *pageWriter) block(f frame, heading string, links []link, rel string) {
	if strings.Contains(f.open, "%s") {
		fmt.Fprintf(r, f.open, html.EscapeString(heading))
	} else {
		r.WriteString(f.open)
	}
	for _, l := range links {
		item := r.anchor(l, rel)
		if l.after != "" {
			item += " " + html.EscapeString(l.after)
		}
		fmt.Fprintf(r, f.item, item)
	}
	r.WriteString(f.close)
}

func (r *pageWriter) anchor(l link, rel string) string {
	if rel != "" && r.p.site.layout == 0 {
		rel = fmt.Sprintf(" rel=%q", rel)
	} else {
		rel = ""
	}
	shown := html.EscapeString(l.anchor)
	if shown == "" {
		shown = fmt.Sprintf("<img src=\"/logos/%s.png\">", l.to.site.host)
	}
	return fmt.Sprintf("<a href=\"%s\"%s>%s</a>", r.href(l), rel, shown)
}

// href writes an address: whole, or from the root or the folder down where it is on the same site; an old one now and
// then; its ampersands as the law demands, or as people write them.
func (r *pageWriter) href(l link) string {
	address := l.href
	if l.to != nil {
		address = l.to.address()
		if l.to.alias != "" && r.d.chance(r.w.k.Redirect) {
			address = l.to.alias
		}
	}
	if r.d.chance(0.05) {
		address += "#top"
	}
	if path, ok := strings.CutPrefix(address, r.p.site.scheme+"://"+r.p.site.host); ok && r.d.chance(0.8) {
		address = path
		folder := r.p.path[:strings.LastIndexByte(r.p.path, '/')+1]
		if below, ok := strings.CutPrefix(path, folder); ok && below != "" && below[0] != '?' && below[0] != '#' && r.d.chance(0.5) {
			address = below
		}
	}
	if r.d.chance(0.5) {
		return html.EscapeString(address)
	}
	return address
}

// text writes the page's title and text, with the links that stand in it.
func (r *pageWriter) text() {
	paragraphs := slices.Clone(r.p.said)
	for i, l := range r.leads() {
		before, after, _ := strings.Cut(pick(r.d, r.p.site.t.general.words["pointers"]), "{}")
		at := i % len(paragraphs)
		paragraphs[at] += "\x00" + html.EscapeString(before) + r.anchor(l, "") + html.EscapeString(after)
	}
	fmt.Fprintf(r, r.l.text.open, html.EscapeString(r.p.title))
	for _, p := range paragraphs {
		plain, rest, _ := strings.Cut(p, "\x00")
		body := html.EscapeString(plain)
		if rest != "" {
			body += " " + strings.ReplaceAll(rest, "\x00", " ")
		}
		if r.d.chance(0.2) {
			body = r.emphasize(body)
		}
		fmt.Fprintf(r, r.l.text.item, body)
	}
	r.WriteString(r.l.text.close)
}

// emphasize puts the first words, up to a comma, in bold.
func (r *pageWriter) emphasize(body string) string {
	i := strings.IndexAny(body, ",，.。<")
	if i <= 0 || body[i] == '<' {
		return body
	}
	return "<b>" + body[:i] + "</b>" + body[i:]
}

// leads are the links of a page's text: those it must have, and for articles a few more.
func (r *pageWriter) leads() []link {
	list := r.p.lead
	if r.p.kind != article {
		return list
	}
	for _, to := range r.w.alike(r.p, r.d, r.d.below(3)) {
		if to != r.p {
			list = append(list[:len(list):len(list)], link{to: to, anchor: r.w.anchor(r.d, to)})
		}
	}
	return list
}

// almanacBytes is how long the almanac is at least, its foot included: 46 KB, the size pages are measured with.
const almanacBytes = 46_000

// fillUp writes paragraphs of no topic until the page has its length.
func (r *pageWriter) fillUp() {
	for {
		for _, s := range r.p.site.t.general.stories {
			for _, text := range s.paragraphs {
				if r.Len() >= almanacBytes {
					return
				}
				fmt.Fprintf(r, r.l.text.item, html.EscapeString(text))
			}
		}
	}
}
