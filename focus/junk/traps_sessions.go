package junk

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A server that writes the name of a session into its paths gives each page another address with each visit: /s-4f0c19a2b7/news.html.
// No name of theirs is known before, and articles are named like that, too. What tells them apart is that pages whose addresses differ in
// nothing else are the same.
const (
	leastRepeats = 8  // pages that were the same make a segment one of sessions …
	perOther     = 8  // … where for each that was another so many were
	leastName    = 10 // letters and digits of a session's name
	leastTurns   = 3  // places in it where letters and digits meet
)

// Duplicates is a memory of no pages that tells the watch which pages repeat others. That of a nil watch tells nobody.
func (w *TrapWatch) Duplicates() *Duplicates {
	d := NewDuplicates(0)
	if w != nil {
		d.told, w.compares = w.Compared, true
	}
	return d
}

// session is a segment of a path that may name sessions.
type session struct {
	same, other kind // pages of such addresses that repeat another, and that do not
	page, link  kind // pages of this very path but for the segment, and addresses of it that have passed since that is known
	rule        rule // by which addresses are refused
	segment     int
}

// sessions are the segments of a path that may name one.
func (a *parts) sessions(segments []string) (found []session) {
	for i, name := range segments {
		if drawn(name) {
			at, others := strconv.Itoa(i), slices.Concat(segments[:i], []string{""}, segments[i+1:])
			rest := strings.Join(others, "/") + "?" + a.query
			same, other := kindOf("session repeats", at, a.host), kindOf("session differs", at, a.host)
			found = append(found, session{same, other,
				kindOf("session page", at, rest, a.host), kindOf("session link", at, rest, a.host), ruleOf("session refused", at, a.host).on(same, other), i + 1})
		}
	}
	return found
}

// drawn tells of a name that nobody thought of: letters and digits in turns.
func drawn(name string) bool {
	signs, turns, was := 0, 0, byte(0)
	for i := range len(name) {
		is := byte(0)
		switch c := name[i]; {
		case '0' <= c && c <= '9':
			is = 'd'
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			is = 'l'
		}
		if is != 0 {
			signs++
		}
		if is != 0 && was != 0 && is != was {
			turns++
		}
		was = is
	}
	return signs >= leastName && turns >= leastTurns
}

// Compared is told of a page that was compared with those before it, and which it repeats, be it by its own word. That one page has many
// addresses of other kinds, by which it is sorted or printed, says nothing of sessions.
func (w *TrapWatch) Compared(address, first string) {
	a, ok := w.parts(address)
	if !ok {
		return
	}
	b, _ := w.parts(first)
	found, repeated := a.sessions(pathSegments(a.path)), b.sessions(pathSegments(b.path))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.parametersCompared(&a, &b)
	w.repeats = ""
	if w.copies = !a.alike(&b) && !a.differs(&b); first != "" {
		w.repeats = address
	}
	for _, s := range found {
		switch {
		case slices.ContainsFunc(repeated, func(r session) bool { return r.page == s.page }):
			if w.shows(s.rule, first); w.namesSessions(&s) {
				w.uphold(s.rule)
			} else {
				w.count(s.same)
			}
		case first == "" && w.met(s.page) > 0:
			w.count(s.other)
			w.doubt(s.rule, w.namesSessions(&s))
		}
		w.count(s.page)
	}
}

func (w *TrapWatch) namesSessions(s *session) bool {
	same := w.met(s.same)
	return same >= leastRepeats && same > perOther*w.met(s.other)
}

// inSession says that an address is that of a page which is known by the name of another session.
func (w *TrapWatch) inSession(a *parts, segments []string) string {
	for _, s := range a.sessions(segments) {
		if !w.namesSessions(&s) {
			continue
		}
		if w.met(s.page) > 0 || !a.waits && w.full(a, 1, s.link) {
			if w.use(s.page); !w.refuses(a, s.rule) {
				return ""
			}
			return fmt.Sprintf("session ids: segment %d of the path", s.segment)
		}
		return ""
	}
	return ""
}
