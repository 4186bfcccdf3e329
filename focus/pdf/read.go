package pdf

import (
	"bytes"
	"html"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// Document is what a PDF says.
type Document struct {
	Title, Author, Subject, Keywords string
	Date                             string // as 2006-01-02
	Language                         string
	Base                             string // what relative links are resolved against
	Pages                            int    // that were read
	Paragraphs                       []*Paragraph
	Links                            []string // that lie on no text
}

// Read reads a PDF. What its limits do not let through is left out.
func Read(b []byte, limits Limits) (*Document, error) {
	f, err := open(b, limits)
	if err != nil {
		return nil, err
	}
	root, ok := f.catalog()
	if !ok {
		return nil, ErrNoPages
	}
	d := &Document{Language: phrase(f.text(root["Lang"])), Base: string(f.text(f.dict(root["URI"])["Base"]))}
	f.info(d)
	var pages [][]*line
	f.pages(root["Pages"], dict{}, map[ref]bool{}, 0, func(page, resources dict) {
		lines, links := f.read(page, resources)
		pages, d.Links = append(pages, lines), append(d.Links, links...)
	})
	if d.Pages = len(pages); d.Pages == 0 {
		return nil, ErrNoPages
	}
	if d.Paragraphs = paragraphsOf(pages); len(d.Paragraphs) == 0 && len(d.Links) == 0 { // pages that were scanned
		return nil, ErrNoText
	}
	d.head()
	return d, nil
}

func (f *file) text(o object) str {
	s, _ := f.resolve(o).(str)
	return s
}

// phrase is a string that people read: in UTF-16 or UTF-8 where it says so, in Adobe's own charset otherwise, whose letters are those of
// Latin 1.
func phrase(s str) string {
	var out string
	switch {
	case strings.HasPrefix(string(s), "\xfe\xff"):
		out = wide(s[2:])
	case strings.HasPrefix(string(s), "\xff\xfe"):
		b := []byte(s[2:])
		for i := 0; i+1 < len(b); i += 2 {
			b[i], b[i+1] = b[i+1], b[i]
		}
		out = wide(str(b))
	case strings.HasPrefix(string(s), "\xef\xbb\xbf"):
		out = string(s[3:])
	case !isASCII(s) && utf8.ValidString(string(s)):
		out = string(s) // against the rules, and often so
	case inPairs(s) && decoded(simplifiedchinese.GBK, s) != "":
		out = decoded(simplifiedchinese.GBK, s)
	default:
		out, _ = charmap.Windows1252.NewDecoder().String(string(s))
	}
	return strings.Join(strings.Fields(plain(strings.ToValidUTF8(out, ""))), " ")
}

func isASCII(s str) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// inPairs tells of bytes of which the high ones come in pairs, as in GB 2312 and seldom elsewhere.
func inPairs(s str) bool {
	pairs := 0
	for i := 0; i < len(s); i++ {
		if s[i] < 0x80 {
			continue
		}
		if i+1 >= len(s) || s[i] < 0xa1 || s[i+1] < 0xa1 {
			return false
		}
		pairs++
		i++
	}
	return pairs > 0
}

var day = regexp.MustCompile(`^(?:D:)?(\d{4})(\d{2})?(\d{2})?`)

// info reads what the file says of itself.
func (f *file) info(d *Document) {
	info := f.dict(f.trailer["Info"])
	for key, of := range map[name]*string{"Author": &d.Author, "Subject": &d.Subject, "Keywords": &d.Keywords} {
		if said := phrase(f.text(info[key])); !unsaid.MatchString(said) {
			*of = said
		}
	}
	if title := phrase(f.text(info["Title"])); telling(title) {
		d.Title = title
	}
	for _, key := range []name{"CreationDate", "ModDate"} {
		if m := day.FindStringSubmatch(string(f.text(info[key]))); m != nil && d.Date == "" && m[1] > "1970" {
			d.Date = m[1]
			for _, part := range m[2:] {
				if part == "" || part == "00" {
					break
				}
				d.Date += "-" + part
			}
		}
	}
}

// untold are titles that programs write where nobody has given one.
var untold = regexp.MustCompile(`(?i)^(?:microsoft (?:word|powerpoint|excel)|untitled|no ?name|无标题|未命名|标题|powerpoint|slide \d|document ?\d*$|title$)|\.(?:docx?|pptx?|xlsx?|pdf|indd|qxd|tex|dvi|ps|cdr|wps|rtf|odt|txt|html?)$`)

// general are headings that any document may have, and that name none.
var general = regexp.MustCompile(`(?i)^(?:(?:table of )?contents|abstract|summary|preface|index|目 ?[录錄次]|摘 ?要|前 ?言)$`)

// unsaid is what programs write of a file of which nobody has said anything.
var unsaid = regexp.MustCompile(`(?i)^\W*(?:anonymous|unspecified|unknown)\W*$`)

func telling(title string) bool {
	return utf8.RuneCountInString(title) >= 2 && !untold.MatchString(title) && !unsaid.MatchString(title) && strings.ContainsFunc(title, unicode.IsLetter)
}

// pages calls visit for every page below a node of the tree of pages, with the resources that it inherits.
func (f *file) pages(o object, inherited dict, seen map[ref]bool, depth int, visit func(page, resources dict)) {
	if r, ok := o.(ref); ok {
		if seen[r] {
			return
		}
		seen[r] = true
	}
	node := f.dict(o)
	if node == nil || depth > deepest {
		return
	}
	if own := f.dict(node["Resources"]); own != nil {
		inherited = own
	}
	kids, isNode := f.resolve(node["Kids"]).(array)
	if !isNode {
		if f.left.Pages > 0 && f.left.Text > 0 {
			f.left.Pages--
			visit(node, inherited)
		}
		return
	}
	for _, kid := range kids {
		if f.left.Pages <= 0 || f.left.Objects <= 0 {
			return
		}
		f.pages(kid, inherited, seen, depth+1, visit)
	}
}

// read reads one page: its lines, and the addresses that lie on none.
func (f *file) read(page, resources dict) (lines []*line, links []string) {
	p := &painter{file: f, resources: resources, look: look{place: unmoved, condensed: 1}, text: unmoved, line: unmoved}
	var contents [][]byte
	for _, o := range f.several(page["Contents"]) {
		if s, ok := f.resolve(o).(*stream); ok {
			contents = append(contents, f.decode(s))
		}
	}
	if len(contents) == 1 { // nearly always, and it may be large: no copy is made of it
		p.run(contents[0])
	} else {
		p.run(bytes.Join(contents, []byte{'\n'}))
	}
	areas := f.areas(page)
	for _, l := range linesOf(p.letters, areas) {
		if f.left.Text -= len(l.text()); f.left.Text < 0 {
			break
		}
		lines = append(lines, l)
	}
	for _, a := range areas {
		if !a.used {
			links = append(links, a.to)
		}
	}
	return lines, links
}

// mostAreas is how many links a page may have.
const mostAreas = 2000

// areas are the parts of a page that lead to an address.
func (f *file) areas(page dict) (all []area) {
	for _, o := range f.array(page["Annots"]) {
		d := f.dict(o)
		action := f.dict(d["A"])
		box := f.array(d["Rect"])
		if f.name(d["Subtype"]) != "Link" || f.name(action["S"]) != "URI" || len(box) != 4 || len(all) >= mostAreas {
			continue
		}
		var at [4]float64
		for i := range at {
			at[i] = f.number(box[i])
		}
		to := strings.ToValidUTF8(strings.TrimSpace(string(f.text(action["URI"]))), "")
		if to == "" || len(to) > 4096 {
			continue
		}
		all = append(all, area{x0: min(at[0], at[2]), y0: min(at[1], at[3]), x1: max(at[0], at[2]), y1: max(at[1], at[3]), to: to})
	}
	return all
}

// head tells headings from text: what is larger than most of it, or bold and short. The title is what the file calls itself, or else
// the largest heading of the first page.
func (d *Document) head() {
	weights := map[float64]int{}
	for _, p := range d.Paragraphs {
		weights[math.Round(p.size*2)] += utf8.RuneCountInString(p.Text())
	}
	body, most := 0.0, 0
	for size, n := range weights {
		if n > most || n == most && size < body {
			body, most = size, n
		}
	}
	body /= 2
	var title *Paragraph
	for _, p := range d.Paragraphs {
		text := p.Text()
		last, _ := utf8.DecodeLastRuneInString(text)
		n := utf8.RuneCountInString(text)
		switch {
		case n > 200 || !strings.ContainsFunc(text, unicode.IsLetter):
		case p.size > 1.15*body:
			p.Level = 2
		case p.bold && p.lines == 1 && n <= 80 && !strings.ContainsRune(".。,，;；", last):
			p.Level = 3
		}
		if p.Level == 2 && p.page == 0 && p.size > 1.15*body && !general.MatchString(text) && (title == nil || p.size > 1.02*title.size) {
			title = p
		}
	}
	squeezed := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), "")) }
	switch {
	case d.Title == "" && title != nil:
		d.Title, title.Level = title.Text(), 1
	case d.Title != "":
		if i := slices.IndexFunc(d.Paragraphs, func(p *Paragraph) bool {
			return p.Level > 0 && p.page == 0 && squeezed(p.Text()) == squeezed(d.Title)
		}); i >= 0 {
			d.Paragraphs[i].Level = 1
		}
	}
}

// HTML is the document as a page.
func (d *Document) HTML() []byte {
	var b strings.Builder
	put := func(parts ...string) {
		for _, s := range parts {
			b.WriteString(s)
		}
	}
	put("<!DOCTYPE html>\n<html")
	if d.Language != "" {
		put(` lang="`, html.EscapeString(d.Language), `"`)
	}
	put("><head><meta charset=\"utf-8\"><title>", html.EscapeString(d.Title), "</title>\n")
	for _, m := range [][2]string{{`property="og:title"`, d.Title}, {`name="author"`, d.Author}, {`name="date"`, d.Date}, {`name="description"`, d.Subject}, {`name="keywords"`, d.Keywords}} {
		if m[1] != "" {
			put("<meta ", m[0], ` content="`, html.EscapeString(m[1]), "\">\n")
		}
	}
	if d.Base != "" {
		put(`<base href="`, html.EscapeString(d.Base), "\">\n")
	}
	put("</head><body><article>\n")
	for _, p := range d.Paragraphs {
		element := [...]string{"p", "h1", "h2", "h3"}[p.Level]
		put("<", element, ">")
		for i, s := range p.pieces {
			text := string(s.text)
			if i == len(p.pieces)-1 {
				text = strings.TrimRight(text, " ")
			}
			if s.link != "" {
				put(`<a href="`, html.EscapeString(s.link), `">`, html.EscapeString(text), "</a>")
			} else {
				put(html.EscapeString(text))
			}
		}
		put("</", element, ">\n")
	}
	put("</article>\n")
	for _, to := range d.Links {
		put(`<a href="`, html.EscapeString(to), "\"></a>\n")
	}
	put("</body></html>\n")
	return []byte(b.String())
}
