package page

import (
	"cmp"
	"iter"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
)

// What a page tells of itself where its head is silent: a title, who wrote it, and when.

const (
	maxHeads = 8   // headings that are asked whether they are the title
	maxLine  = 240 // bytes of the longest line that is searched for a date
	// elsewhereHints are on what speaks of something else than the page.
	elsewhereHints = hintComment | hintRelated | hintAside | hintAdvertisement
)

// tell fills in title, author and date.
func (r *reading) tell(c []candidate, heads []int32, to *resolver) {
	s, f := &r.said, &r.page.Facts
	if s.goods && !s.article {
		r.readReviews(c, heads)
	}
	r.page.Title = r.title(c, heads, to)
	near := r.headline(c, heads)
	f.Author = cmp.Or(s.authors.String(), s.ldAuthors.String(), r.writer(c))
	if ld := s.ldAuthors.String(); ld != "" && r.isHouse(f.Author) {
		f.Author = ld
	}
	f.Date = cmp.Or(asDate(s.ld.Date), asDate(s.meta.Date), asDate(s.og.Date))
	s.day = Cut(f.Date, len(time.DateOnly))
	if r.article && (f.Author == "" || r.isHouse(f.Author)) {
		if named := r.named(c, near, to); f.Author == "" || !hasYear(named) && !sayTheSame(named, f.Author) {
			f.Author = named
		}
	}
	if f.Date == "" && r.article {
		f.Date = cmp.Or(whenWritten(s.beside), r.dated(c, near, to))
	}
	if r.article && near > 0 && (f.Author == "" || f.Date == "") {
		author, date := r.letterhead(c, near)
		f.Author, f.Date = cmp.Or(f.Author, author), cmp.Or(f.Date, date)
	}
	f.Author, f.Date = cmp.Or(f.Author, name(s.og.Author)), cmp.Or(f.Date, addressDate(r.address), s.kept)
}

// headline is the first of the main headings, or that which is the title: the name of a blog may stand before it. 0 is none.
func (r *reading) headline(c []candidate, heads []int32) int32 {
	for _, head := range heads[:min(len(heads), maxHeads)] {
		if r.saying(c, head) == r.page.Title {
			return head
		}
	}
	if len(heads) > 0 {
		return heads[0]
	}
	return 0
}

// besideDates is the part beside which dates are sought: the headline, or where the page has none, the beginning of the main text.
func (r *reading) besideDates(c []candidate, headline int32) int32 {
	if headline > 0 {
		return headline
	}
	return int32(max(0, slices.IndexFunc(c, func(at candidate) bool { return at.keep && at.bytes > 0 })))
}

// sayTheSame says of who is named in a byline that it is the author that is known: in other words around the name, or by a part of it.
func sayTheSame(named, author string) bool {
	named, author = strings.ToLower(named), strings.ToLower(author)
	return strings.HasSuffix(named, author) || strings.Contains(author, named)
}

// isHouse says of who is called the author that it is the site.
func (r *reading) isHouse(author string) bool {
	return strings.EqualFold(author, r.page.Facts.SiteName) || namedAfter(Host(r.address), author)
}

// mainHeadings are the h1 elements that speak of the page. Where the title element begins with the first of them, it does not matter
// that the sidebars of other pages are called so, as "About us".
func (r *reading) mainHeadings(c []candidate) (heads []int32) {
	title := r.said.whole()
	for i := range r.parts {
		p := &r.parts[i]
		if p.tag != tagH1 || c[i].all == 0 || p.hints&hintHidden != 0 {
			continue
		}
		from := int32(i)
		if says := r.beginning(&c[i]); len(heads) == 0 && says != "" && len(says) <= len(title) && strings.EqualFold(title[:len(says)], says) {
			from = p.parent
		}
		if !r.elsewhere(c, from) {
			heads = append(heads, int32(i))
		}
	}
	return heads
}

// elsewhere says whether a part, or one around it, is called something that stands beside an article, or is an aside or a menu.
func (r *reading) elsewhere(c []candidate, i int32) bool {
	for ; i > 0; i = r.parts[i].parent {
		if c[i].unlike&elsewhereHints != 0 || r.parts[i].tag == tagAside || r.parts[i].tag == tagMenu {
			return true
		}
	}
	return false
}

// readReviews notes that the reviews on the page of what a shop sells are its customers'; what has a heading of the page in it is none.
func (r *reading) readReviews(c []candidate, heads []int32) {
	heads = heads[:min(len(heads), maxHeads)]
	for i := range r.parts {
		if reviews.Match(r.parts[i].class) && !slices.ContainsFunc(heads, func(h int32) bool { return r.inside(h, int32(i)) }) {
			c[i].unlike |= hintComment
		}
	}
}

// reviews is what shops call what their customers write.
var reviews = regexp.MustCompile(`(?i)(?:\b|_)reviews?(?:\b|_)`)

// saying is the text of a part, without what a site adds to it.
func (r *reading) saying(c []candidate, part int32) (text string) {
	for run, apart := range r.sayings(c, part) {
		if apart {
			text += " "
		}
		if text += run; len(text) > 4*maxLine {
			break
		}
	}
	return tidy(text)
}

// sayings are the runs of that text, and whether they stand apart from the one before.
func (r *reading) sayings(c []candidate, part int32) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		begun, last := false, int32(nothing)
		for k := c[part].opens; k != nothing && int(k) < len(r.prose.runs); k++ {
			u := &r.prose.runs[k]
			i := u.part
			for i > part && r.parts[i].hints&hintExtra == 0 && r.parts[i].tag != tagButton {
				i = r.parts[i].parent
			}
			if i < part {
				return
			}
			if i > part {
				last = nothing
				continue
			}
			if !yield(r.page.prose[u.from:u.to], begun && (last == nothing || u.from > last)) {
				return
			}
			begun, last = true, u.to
		}
	}
}

// dated finds the date on the page: where an attribute says so, then where a class does, then in a short line; the nearest to
// the heading. In a list of pages the dates of these are not its own.
func (r *reading) dated(c []candidate, headline int32, to *resolver) string {
	date, at := r.nearestDate(c, headline, nil)
	if at == nothing {
		return ""
	}
	l := r.listing(c, to)
	if l.about(at) != "" && l.dates() {
		date, _ = r.nearestDate(c, headline, l)
	}
	return date
}

// nearestDate is the best date and the part that has it; of what is listed none, where there is a list.
// A time behind a word for a change is believed wherever it stands, after all others: many manuals say no other at their end.
// Without a headline a line far below the page's beginning is believed where it has the time of day, or says what it tells: days of all
// kinds stand in texts and tables.
func (r *reading) nearestDate(c []candidate, headline int32, l *listing) (best string, at int32) {
	at = nothing
	near, most := r.besideDates(c, headline), math.MinInt
	for i := range r.parts {
		far := max(i-int(near), 3*(int(near)-i))
		rank := r.datedBy(c, i, far <= nearby)
		score := rank*8 - far
		later := r.parts[i].hints&hintLater != 0
		if score <= most || rank == 0 || l != nil && l.about(int32(i)) != "" || r.elsewhere(c, int32(i)) && (rank < classSays && !later || !r.inOwnFooter(c, int32(i), near)) {
			continue
		}
		text := cmp.Or(r.parts[i].value, r.saying(c, int32(i)))
		d := whenWritten(text)
		if d != "" && (headline > 0 || rank > lineSays || later || i <= nearby || strings.Contains(d, "T") || saysPublished(text)) {
			best, at, most = d, int32(i), score
		}
	}
	return best, at
}

// What says when a page was written, from the least sure.
const (
	lineSays = 1 + iota
	bylineSays
	classSays
	attributeSays
)

// datedBy is how sure it is that a part says when the page was written, 0 if it does not. A line is believed near the heading alone.
func (r *reading) datedBy(c []candidate, i int, isNear bool) int {
	p, at := &r.parts[i], &c[i]
	switch {
	case p.hints&hintChanged != 0 && p.hints&hintSurely == 0 || p.value == "" && (at.all == 0 || at.all > maxLine):
		return 0
	case p.hints&hintLater != 0:
		return lineSays
	case p.hints&hintDate != 0 && p.hints&hintSurely != 0:
		return attributeSays
	case p.hints&hintDate != 0:
		return classSays
	case p.hints&hintByline != 0:
		return bylineSays
	case isNear && facts[p.tag]&isHeading == 0 && at.first == nothing && (at.all <= 40 || r.lists.lines.begins(r.beginning(at)) || r.isByline(c, int32(i)) || r.saysDayBeside(at) || r.saysDayBelow(at) || r.saysDayFirst(c, int32(i)) || saysPublished(r.beginning(at)) && !endsSentence(r.saying(c, int32(i)))):
		return lineSays
	}
	return 0
}

// saysDayBeside says of a line of what stands side by side that one of its pieces is a day.
func (r *reading) saysDayBeside(at *candidate) bool {
	from := r.prose.runs[at.opens].from
	line := r.page.prose[from:min(int(from+at.all)+bylineBytes/4, len(r.page.prose))] // what stands between its runs counts, too
	if line, _, _ = strings.Cut(line, "\n"); !hasYear(line) {
		return false
	}
	for piece := range strings.FieldsFuncSeq(line, func(sign rune) bool { return sign == '·' || sign == '•' || sign == '|' }) {
		if piece = strings.TrimSpace(piece); len(piece) < len(line) && len(piece) <= 40 && beginsDate(piece) {
			return true
		}
	}
	return false
}

// saysDayFirst says of a line that it begins with a day and goes on with what stands on a byline: 2026-11-03 10:21 来源：手艺报.
func (r *reading) saysDayFirst(c []candidate, i int32) bool {
	if !beginsDate(r.beginning(&c[i])) {
		return false
	}
	says := r.saying(c, i)
	return besideDay.MatchString(says) && !endsSentence(says)
}

// besideDay is what stands behind the day on such a line.
var besideDay = regexp.MustCompile(`^\d{4}[-/.年]\s?\d{1,2}[-/.月]\s?\d{1,2}日?[\s\d:：时分秒]*(?:来源|來源|稿源|出处|作者|记者|記者|编辑|責任編輯|责任编辑|浏览|瀏覽|点击|阅读|人气|评论|字号|字体|查看|访问)(?:次数|量|数)?\s?[:：（(\[]`)

// saysDayBelow says of a part of two lines that the second begins with a day, and has the time of day, too, or stands below the title.
func (r *reading) saysDayBelow(at *candidate) bool {
	u := &r.prose.runs[at.opens]
	lines := r.page.prose[u.from:min(int(u.from+at.all)+shortSentence, len(r.page.prose))]
	above, below, more := strings.Cut(lines, "\n")
	return more && beginsDate(below) && (above == r.page.Title || len(findDate(below)) > len(time.DateOnly))
}

// nearby is how many parts behind the heading a line may stand that says who wrote the page, or when.
const nearby = 40
