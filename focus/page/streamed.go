package page

import (
	"bytes"
	"regexp"
	"slices"
)

// A server may send a page before all of its parts are ready: those that come late stand hidden at its end, and a call behind each has a
// script put it where the page says until then that it is loading. React sends pages so, and what is built on it. What is read is the page
// as it is when all has come.

// calls are those that put a part in its place: of what is waited for with its notice, or of what was only left out.
var calls = regexp.MustCompile(`\$R([CRS])\("([^"\\<>]{1,80})","([^"\\<>]{1,80})"`)

// landmarks are what tells where parts and their places are: scripts, comments that begin and end what is waited for, and elements in
// which a part is sent.
var landmarks = regexp.MustCompile(`<script\b|<!--(/?)[$&][?!~]?-->|<(/?)(div|template|table|tbody|tr|colgroup|svg|math)\b([^<>]*)>`)

var withID = regexp.MustCompile(`\sid="([^"<>]{1,80})"`)

// extent is what stands between two bytes of a page.
type extent struct{ from, to int }

// latecomers are the parts of a page that came late.
type latecomers struct {
	html   []byte
	at     int               // how far it has been read
	part   map[string]extent // elements by their names, with their tags
	inner  map[string]extent // without
	notice map[string]extent // a place with what is shown there until then
	open   map[string][]opened
	waits  []string // what is waited for and not at its end, by the name of its place
	begun  bool     // what is waited for began right before
	calls  [][][]byte
	put    map[int]string // by where it begins: the part that comes into a place, or nothing where a part has been taken away
	cuts   []extent       // places and parts
	taken  map[string]bool
}

// opened is an element that is not closed yet.
type opened struct {
	id   string
	tags extent // its first tag
}

// inPlace is a page with all that came late in its place, or the page as it is.
func inPlace(html []byte) []byte {
	if at := bytes.Index(html, []byte("$R")); at < 0 || !calls.Match(html[at:]) {
		return html
	}
	l := latecomers{html: html, part: map[string]extent{}, inner: map[string]extent{}, notice: map[string]extent{}, open: map[string][]opened{}, put: map[int]string{}, taken: map[string]bool{}}
	for l.pass() {
	}
	if l.plan(); len(l.cuts) == 0 {
		return html
	}
	return l.write(make([]byte, 0, len(html)), extent{0, len(html)})
}

// pass takes in the next landmark.
func (l *latecomers) pass() bool {
	at := landmarks.FindSubmatchIndex(l.html[l.at:])
	if at == nil {
		return false
	}
	group := func(n int) string { return string(l.html[l.at+at[2*n] : l.at+at[2*n+1]]) }
	tags, begun := extent{l.at + at[0], l.at + at[1]}, l.begun
	l.begun = false
	switch {
	case at[2] >= 0 && group(1) == "":
		l.begun, l.waits = true, append(l.waits, "")
	case at[2] >= 0:
		l.ends(tags.from)
	case at[6] < 0:
		return l.script(tags.to)
	case group(2) == "":
		l.opens(group(3), group(4), tags, begun)
	default:
		l.closes(group(3), tags)
	}
	l.at = tags.to
	return true
}

// script takes in what a script calls. One that is never closed is all of the rest.
func (l *latecomers) script(from int) bool {
	end := bytes.Index(l.html[from:], []byte("</script"))
	if end < 0 {
		return false
	}
	l.calls = append(l.calls, calls.FindAllSubmatch(l.html[from:from+end], -1)...)
	l.at = from + end
	return true
}

// opens begins an element, which may be the place of what is waited for.
func (l *latecomers) opens(name, attributes string, tags extent, waits bool) {
	id := ""
	if named := withID.FindStringSubmatch(attributes); named != nil {
		id = named[1]
	}
	if l.open[name] = append(l.open[name], opened{id, tags}); waits && name == "template" {
		l.waits[len(l.waits)-1] = id
	}
}

// ends is where what is waited for ends: all behind its place is a notice.
func (l *latecomers) ends(at int) {
	if n := len(l.waits); n > 0 {
		if place, there := l.notice[l.waits[n-1]]; there {
			l.notice[l.waits[n-1]] = extent{place.from, at}
		}
		l.waits = l.waits[:n-1]
	}
}

// closes ends an element.
func (l *latecomers) closes(name string, tags extent) {
	n := len(l.open[name])
	if n == 0 {
		return
	}
	of := l.open[name][n-1]
	if l.open[name] = l.open[name][:n-1]; of.id == "" {
		return
	}
	if name == "template" {
		l.notice[of.id] = extent{of.tags.from, tags.to}
		return
	}
	l.part[of.id], l.inner[of.id] = extent{of.tags.from, tags.to}, extent{of.tags.to, tags.from}
}

// plan says what is put where. A part whose place is not there stays where it is.
func (l *latecomers) plan() {
	for _, call := range l.calls {
		place, part := string(call[2]), string(call[3])
		if string(call[1]) == "S" {
			place, part = part, place
		}
		to, there := l.notice[place]
		from, come := l.part[part]
		if !there || !come || l.taken[part] || l.taken[place] {
			continue
		}
		l.taken[part], l.taken[place] = true, true
		l.put[to.from], l.put[from.from] = part, ""
		l.cuts = append(l.cuts, to, from)
	}
	slices.SortFunc(l.cuts, func(a, b extent) int { return a.from - b.from })
}

// write writes an extent of the page with what came late.
func (l *latecomers) write(into []byte, s extent) []byte {
	for at := s.from; ; {
		next, _ := slices.BinarySearchFunc(l.cuts, at, func(c extent, from int) int { return c.from - from })
		if next == len(l.cuts) || l.cuts[next].from >= s.to {
			return append(into, l.html[min(at, s.to):s.to]...)
		}
		cut := l.cuts[next]
		into = append(into, l.html[at:cut.from]...)
		if part := l.put[cut.from]; l.taken[part] {
			delete(l.taken, part) // it comes once
			into = l.write(into, l.inner[part])
		}
		at = cut.to
	}
}
