package winnow

import (
	"regexp"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// What a list is. A page that says what a single other one says may as well be a post beside a list that shows it whole, or a chapter
// beside its book: it is a list where it names the other by its title, and the other does not name it. One that says all that the others
// say may be the whole itself, a thread or a book, and stays where nothing else lists them and no headings in it lead to them.
const (
	listSaid    = .85 // of a list, at least, is said by the kept pages that it leads to
	listOnePage = .75 // of that, at most, is said by one of them
	listWhole   = .6  // of a page, at least, is said by a list that says all of it
	listPart    = .3  // of a list, at least, is said by them where the rest of it is not of the topic, and listPages are there whole
	listPages   = 3
	listTeased  = .1  // of a list, at least, is said by them where it leads on, or a heading does to what is there whole, and the rest of it is not of the topic
	listNamed   = .25 // of a list, at least, are titles of others where it has no more to say of them
	listLeads   = .8  // of the text of such a list, at least, stands in links, below those, or in lines that break off
	leastBegun  = 100 // bytes of a link in which the beginning of a text stands
	leastProse  = 80  // bytes of a line that says more of a page than when it was written, and by whom
	leastTitle  = 9   // bytes of the beginning of a title
	leastSaying = 6   // passages; of fewer nothing is known
	commonFrom  = 4   // so many pages and one in so many of those that it leads to say their frame, and not their own
)

// lists finds lists among the pages that are kept.
type lists struct {
	*sheaf
	kept   []bool                 // and no lists
	place  []uint32               // of a page, by number of an address
	listed map[int][]int          // where a page is listed
	adds   func(text string) bool // whether it is of the topic by itself
}

// best keeps the best pages, so many that repeat no others.
func (r *Report) best(n int, s *sheaf, o *Options) error {
	for of, kept := n, 0; ; of += n - kept {
		r.Top(of+n, s.pages, o.Labels)
		s.soon = r.flags()
		r.Top(of, s.pages, o.Labels)
		if err := r.leaveCopies(s, o); err != nil {
			return err
		}
		if kept = r.kept(); kept >= n || of >= len(s.pages) {
			break
		}
	}
	r.from = r.least(s.pages, o.Labels)
	return nil
}

// kept is how many of the pages that were looked at are kept.
func (r *Report) kept() (n int) {
	for i := range r.Verdicts {
		if r.Verdicts[i].Kept {
			n++
		}
	}
	return n
}

// flags tell of each page whether it is kept.
func (r *Report) flags() []bool {
	kept := make([]bool, len(r.Verdicts))
	for i := range kept {
		kept[i] = r.Verdicts[i].Kept
	}
	return kept
}

// leaveCopies leaves out what comes in and repeats a page that is kept, and the lists of pages that are kept.
func (r *Report) leaveCopies(s *sheaf, o *Options) error {
	there := map[string]bool{}
	for i, v := range r.Verdicts {
		if v.Kept && v.Before {
			there[s.digest[i]] = true
		}
	}
	for i := range r.Verdicts {
		if v := &r.Verdicts[i]; v.Kept && !v.Before {
			v.Kept = !there[s.digest[i]]
			there[s.digest[i]] = true
		}
	}
	err := r.leaveLists(s, o)
	r.count()
	return err
}

// leaveLists takes the lists out of what is kept: in a blog each text stands on the pages of its day, its tags and its author, too.
// Who wants pages that repeat others wants these, and what somebody has said is relevant stays.
func (r *Report) leaveLists(s *sheaf, o *Options) error {
	for i := range r.Verdicts {
		r.Verdicts[i].List = false
	}
	if o.copies {
		return nil
	}
	listed := map[int][]int{}
	for {
		l, shown, err := r.listsAmong(s)
		if err != nil {
			return err
		}
		l.adds, l.listed = o.ofTopic(), listed
		if !r.leave(l, shown, o) {
			return nil
		}
	}
}

// leave leaves out the lists that show kept pages, and tells whether there were any: what those said too is no frame of the pages that
// others show, which may be lists as well.
func (r *Report) leave(l *lists, shown []*showing, o *Options) (some bool) {
	var all, bare []int
	for i, of := range shown {
		said := o.Labels[l.pages[i].URL] || slices.Contains(o.Examples, l.pages[i].URL)
		if !said && l.onlyNames(i) {
			bare = append(bare, i)
			continue
		}
		if of != nil && !said && l.repeats(i, of) {
			all = append(all, i)
			for _, page := range of.pages {
				l.listed[page] = append(l.listed[page], i)
			}
		}
	}
	out := func(i int) {
		r.Verdicts[i].Kept, r.Verdicts[i].List = false, true
		l.kept[i], some = false, true // what it says is said by others alone from now on
	}
	for _, i := range bare {
		out(i)
	}
	for _, i := range all {
		of := l.shows(i)
		one := of.most > listOnePage*of.said
		if !l.repeats(i, &of) || one && !l.isAbout(i, of.mostly) && !l.leads[i] || !one && !l.elsewhere(i, of.whole) && !l.headsAll(i, of.whole) {
			continue
		}
		out(i)
	}
	return some
}

// repeats tells whether the kept pages that a page leads to say nearly all of it, or all but what is not of the topic by itself: a list of
// all that an author has written, of which a part is of the topic, be it a single text below its heading, or one that shows how what they
// have written begins.
func (l *lists) repeats(i int, of *showing) bool {
	_, there := l.lines[i] // of one that is gone it is not known what else it says
	part := of.said >= listPart && len(of.whole) >= listPages || l.headsAll(i, of.whole)
	return of.said >= listSaid || there && (part && !l.adds(l.rest(i, of.whole)) ||
		l.leads[i] && !l.adds(l.rest(i, of.pages)))
}

// onlyNames tells whether a page does hardly more than name kept pages by their titles, and lead to them: what else it says, when they were
// written, by whom, or what they cost, is not of the topic by itself.
func (l *lists) onlyNames(i int) bool {
	if !l.kept[i] || l.bare[i] == "" {
		return false
	}
	named := map[uint64]bool{}
	for _, n := range l.leadsTo(i) {
		if said := titled(l.pages[n].Title); slices.Contains(l.titles[i], said) {
			named[said] = true
		}
	}
	return len(named) >= listPages && !l.adds(l.bare[i])
}

// own tells of an address whether a page is there.
func (l *lists) own(i int) func(address string) bool {
	return func(address string) bool {
		return address == l.pages[i].URL || slices.Contains(l.pages[i].Keys, sink.Key(address))
	}
}

// leadsOn tells whether nearly all of a text in Markdown leads on to other pages than its own: it stands in links, as that of cards does,
// below headings that are links and those of lower rank, or in lines that break off, be it before a link. What is short in a link may be a title, or a day: a page
// of titles alone is no list of how texts begin.
func leadsOn(markdown string, own func(address string) bool) bool {
	all, leading, short, below := 0, 0, 0, 0 // below a heading of which rank that is a link
	toAnother := func(text string) bool {
		to := isLink.FindStringSubmatch(text)
		return to != nil && !own(to[1])
	}
	for block := range strings.SplitSeq(markdown, "\n\n") {
		whole := toAnother(block)
		switch rank := rankOf(block); {
		case rank > 0 && whole:
			below = rank
		case rank > 0 && rank <= below:
			below = 0
		}
		for line := range strings.Lines(block) {
			said := unlinked(line)
			all += len(said)
			switch inLink := whole || toAnother(line); {
			case inLink && len(said) < leastBegun:
				short += len(said)
			case inLink || below > 0 || breaksOff.MatchString(said):
				leading += len(said)
			}
		}
	}
	return float64(leading) >= listLeads*float64(all-short) && 2*leading >= all
}

// rankOf is the rank of the heading that a block of Markdown is, in a list or not, or 0.
func rankOf(block string) int {
	said := strings.TrimLeft(block, " >*+-.0123456789")
	return len(said) - len(strings.TrimLeft(said, "#"))
}

// headings are the addresses to which headings of a text in Markdown lead, by number.
func (s *sheaf) headings(markdown string) (to []uint32) {
	for block := range strings.SplitSeq(markdown, "\n\n") {
		if link := isLink.FindStringSubmatch(block); link != nil && rankOf(block) > 0 {
			if n, known := s.keys[keyOf(link[1])]; known {
				to = append(to, n)
			}
		}
	}
	return to
}

// headsAll tells whether to most of the pages of which a list says all a heading in it leads: below that it says what they say.
func (l *lists) headsAll(i int, whole []int) bool {
	headed := map[int]bool{}
	for _, to := range l.headed[i] {
		headed[int(l.place[to])] = true
	}
	n := 0
	for _, page := range whole {
		if headed[page] {
			n++
		}
	}
	return n > 0 && 2*n >= len(whole)
}

var (
	isLink    = regexp.MustCompile(`^[#>*+\-\d.\s]*\[[^\[\]]*\]\(([^\s#]+)\S*\)\s*$`)
	breaksOff = regexp.MustCompile(`(?:…|\.\.\.)[\])）]?[^.。!！?？…]{0,40}$`) // 40 signs are enough for a link that leads on
	anyLink   = regexp.MustCompile(`\[([^\[\]]*)\]\([^()\s]*\)`)
)

// unlinked is Markdown without what its links lead to.
func unlinked(markdown string) string { return anyLink.ReplaceAllString(markdown, "$1") }

// rest are the lines of a page that others do not say.
func (l *lists) rest(i int, others []int) string {
	said := map[uint64]bool{}
	for _, n := range others {
		for _, passage := range l.passages[n] {
			said[passage] = true
		}
	}
	var rest strings.Builder
	for line := range strings.Lines(l.lines[i]) {
		n, all := 0, junk.Passages(line)
		for _, passage := range all {
			if said[passage] {
				n++
			}
		}
		if 2*n < len(all) {
			rest.WriteString(line)
		}
	}
	return rest.String()
}

// isAbout tells whether a page names another by its title, in a line of its own, and is not named by it.
func (l *lists) isAbout(list, other int) bool { return l.names(list, other) && !l.names(other, list) }

func (l *lists) names(i, other int) bool {
	title := l.pages[other].Title
	return title != "" && slices.Contains(l.titles[i], titled(title))
}

// elsewhere tells whether most of the pages of which a list says all stand in other lists, too, that are no part of this one.
func (l *lists) elsewhere(i int, whole []int) bool {
	n := 0
	for _, page := range whole {
		if slices.ContainsFunc(l.listed[page], func(other int) bool { return other != i && !l.within(other, i) }) {
			n++
		}
	}
	return 2*n >= len(whole)
}

// within tells whether one page is a part of another.
func (l *lists) within(part, of int) bool {
	n := 0
	both(l.passages[part], l.passages[of], func(int) { n++ })
	return float64(n) > listOnePage*float64(len(l.passages[part]))
}

// leadsTo are the pages that are kept and no lists to which a page leads, each once.
func (l *lists) leadsTo(i int) (to []int) {
	for _, link := range l.links[i] {
		if n := l.place[link.to]; n != nowhere && int(n) != i && l.kept[n] {
			to = append(to, int(n))
		}
	}
	slices.Sort(to)
	return slices.Compact(to)
}

// showing is what a page says of the pages that it leads to.
type showing struct {
	said, most float64 // how much of the page they say, and how much one of them at the most
	mostly     int     // that one
	pages      []int   // that say some of it
	whole      []int   // those of which it says all, where they say most of it
}

// shows is what a page says of the kept pages that it leads to. What many of them say is their frame, and counts as nothing that is said.
func (l *lists) shows(i int) (of showing) {
	if !l.kept[i] || len(l.passages[i]) < leastSaying {
		return of
	}
	to, own := l.leadsTo(i), l.passages[i]
	by := make([]int, len(own)) // how many pages say each passage
	for _, n := range to {
		both(own, l.passages[n], func(at int) { by[at]++ })
	}
	frame := max(commonFrom, len(to)/commonFrom+1)
	saying, said := 0, 0
	for _, pages := range by {
		if pages < frame {
			saying++
			said += min(pages, 1)
		}
	}
	if saying < leastSaying || float64(said) < listTeased*float64(saying) {
		return of
	}
	of.said = float64(said) / float64(saying)
	whole := 0
	for _, n := range to {
		alone := 0
		both(own, l.passages[n], func(at int) {
			if by[at] < frame {
				alone++
			}
		})
		if alone == 0 {
			continue
		}
		of.pages = append(of.pages, n)
		if most := float64(alone) / float64(saying); most > of.most {
			of.most, of.mostly = most, n
		}
		if float64(alone) >= listWhole*float64(len(l.passages[n])) {
			of.whole = append(of.whole, n)
			whole += alone
		}
	}
	if 2*whole < said {
		of.whole = nil
	}
	return of
}

// both calls a function with the place in a of each number that stands in b, too. Both are in order; a long list is not walked through
// for a short one.
func both(a, b []uint64, each func(at int)) {
	const long = 16
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j] && len(a) > long*len(b):
			n, _ := slices.BinarySearch(a[i:], b[j])
			i += n
		case a[i] < b[j]:
			i++
		case a[i] > b[j] && len(b) > long*len(a):
			n, _ := slices.BinarySearch(b[j:], a[i])
			j += n
		case a[i] > b[j]:
			j++
		default:
			each(i)
			i, j = i+1, j+1
		}
	}
}
