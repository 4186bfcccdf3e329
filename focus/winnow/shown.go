package winnow

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// listsAmong is what lists are found by among the pages that are kept, and what those say of others that may be lists.
func (r *Report) listsAmong(s *sheaf) (*lists, []*showing, error) {
	l := s.listsOf(r.flags())
	wide := l
	if s.soon != nil {
		all := slices.Clone(l.kept)
		for i, soon := range s.soon {
			all[i] = all[i] || soon
		}
		wide = s.listsOf(all)
	}
	if slices.ContainsFunc(l.all(), func(i int) bool { return s.passages[i] == nil }) {
		if err := wide.readPassages(); err != nil {
			return nil, nil, err
		}
	}
	shown := l.showings()
	perhaps := shown
	if s.soon != nil {
		perhaps = wide.showings()
	}
	if err := wide.readLines(shown, perhaps); err != nil {
		return nil, nil, err
	}
	for i, of := range shown {
		if of != nil && of.said < listPart && !s.leads[i] && len(s.headed[i]) == 0 {
			shown[i] = nil
		}
	}
	return l, shown, nil
}

// listsOf is what lists are found by among some pages.
func (s *sheaf) listsOf(kept []bool) *lists {
	return &lists{sheaf: s, kept: kept, listed: map[int][]int{}, place: s.places(len(s.pages), func(i int) *Page {
		if kept[i] {
			return &s.pages[i]
		}
		return nil
	})}
}

// all are the pages among which lists are found.
func (l *lists) all() (all []int) {
	for i, kept := range l.kept {
		if kept {
			all = append(all, i)
		}
	}
	return all
}

// showings are what pages say of others; nil of those that are surely no lists.
func (l *lists) showings() []*showing {
	shown := make([]*showing, len(l.pages))
	learn.Each(len(shown), func(i int) {
		if of := l.shows(i); of.said >= listTeased {
			shown[i] = &of
		}
	})
	return shown
}

// readLines reads those of the texts of pages that may be lists that nobody has read, and with them those that may be asked for soon.
func (l *lists) readLines(shown, perhaps []*showing) error {
	unread := func(i int, of *showing) bool {
		_, known := l.leads[i]
		_, read := l.headed[i]
		return of != nil && (!known || !read && of.said >= listPart)
	}
	some := false
	for i, of := range shown {
		some = some || unread(i, of)
	}
	if !some {
		return nil
	}
	if l.lines == nil {
		l.lines, l.leads, l.headed = map[int]string{}, map[int]bool{}, map[int][]uint32{}
	}
	if err := l.written(func(i int, markdown string) error {
		for _, of := range [...]*showing{shown[i], perhaps[i]} {
			if !unread(i, of) {
				continue
			}
			headed := l.headings(markdown)
			if l.leads[i] = leadsOn(markdown, l.own(i)); l.leads[i] || of.said >= listPart || headed != nil {
				l.lines[i], l.headed[i] = unlinked(markdown), headed
			}
		}
		return nil
	}); err != nil {
		return err
	}
	for i, of := range shown { // those whose text is gone have been asked for, too
		if unread(i, of) {
			l.headed[i] = nil
			if _, known := l.leads[i]; !known {
				l.leads[i] = false
			}
		}
	}
	return nil
}

// written reads the pages again as Markdown.
func (s *sheaf) written(take func(i int, markdown string) error) error {
	if len(s.folders) == 0 {
		return s.texts(take)
	}
	return s.readAgain(sink.LookTexts, func(i int, seen *sink.Seen) error { return take(i, cmp.Or(seen.Record.Markdown, seen.Record.Text)) })
}

// readPassages reads what is asked of the texts of all pages that are kept.
func (l *lists) readPassages() error {
	all := map[uint64]bool{}
	for i := range l.pages {
		all[titled(l.pages[i].Title)] = true
	}
	return l.someAtOnce(func(_, i int, text string) {
		if !l.kept[i] || l.passages[i] != nil {
			return
		}
		l.passages[i] = append([]uint64{}, junk.Passages(l.pages[i].Title, text)...)
		l.readTitles(i, text, all)
	}, func(int, int) {})
}

// readTitles finds the titles of pages that stand in a line of a page, be it cut off or beside a day, and what it says else if that is hardly
// more.
func (l *lists) readTitles(i int, text string, all map[uint64]bool) {
	named, prose, rest := 0, 0, ""
	to := sync.OnceValue(func() []int { return l.leadsTo(i) })
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		said, beside := titled(line), ""
		if !all[said] {
			said, beside = l.titleIn(line, to)
			rest += beside
		}
		switch {
		case said == 0:
			if rest += line + "\n"; len(line) >= leastProse {
				prose += len(line)
			}
			continue
		case said != titled(l.pages[i].Title):
			named += len(line) - len(beside)
		}
		l.titles[i] = append(l.titles[i], said)
	}
	if all := float64(len(text)); float64(named) >= listNamed*all && float64(prose) <= (1-listLeads)*all {
		l.bare[i] = rest + "\n"
	}
}

// titleIn is the title of one of some pages of which a line has the beginning, or all beside hardly more, and what that is; 0 where there
// is none.
func (l *lists) titleIn(line string, pages func() []int) (said uint64, beside string) {
	begins, cut := strings.TrimRight(line, " .…"), breaksOff.MatchString(line)
	if len(begins) < leastTitle {
		return 0, ""
	}
	for _, n := range pages() {
		title := l.pages[n].Title
		if cut && strings.HasPrefix(title, begins) {
			return titled(title), ""
		}
		if len(title) < leastTitle || len(line)-len(title) >= leastProse {
			continue
		}
		rest, is := strings.CutPrefix(line, title)
		if !is {
			rest, is = strings.CutSuffix(line, title)
		}
		if is {
			return titled(title), rest + "\n"
		}
	}
	return 0, ""
}

func titled(title string) uint64 { return sink.Key(title) }
