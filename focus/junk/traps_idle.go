package junk

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A page has more addresses than one where a parameter says how it is shown, or by which way it was come to: ?print=1, ?sort=name,
// ?from=archive, and the branch of a version that the address names anyway. What such parameters are called nobody knows before; that the
// pages are the same with any value of them, and without, is found out. The first page of a list is the same without a number, too, and
// the page in the language of the house: where few values have been seen to change nothing, only they are known to.
const (
	leastIdle  = 12 // pages that were the same but for a parameter make it one that changes nothing …
	perMoved   = 24 // … where for each that was another so many were
	anyValue   = 3  // values of it that changed nothing, of which any other is thought the same; of fewer each takes leastIdle pages
	mostParted = 8  // parameters of an address that are looked at one by one
)

// parameter is one of an address that may change nothing.
type parameter struct {
	key           string
	same, other   kind       // pages of such addresses that are the same as without it, and that are not
	value, values kind       // pages that are the same with this value of it, and its values with which some are
	differs       kind       // pages that are not, with this value
	rule          rule       // by which addresses are refused that have it
	each          bool       // each of its values takes leastIdle pages: they are few, and have nothing to do with one another
	above         *parameter // the same in all folders beside that of the address: a page may have a folder of its own
}

// parameters are those of an address.
func (a *parts) parameters() (found []parameter) {
	where := a.program()
	for part := range fields(a.query) {
		key, value, _ := strings.Cut(part, "=")
		if len(found) < mostParted && part != "amp" && !slices.ContainsFunc(found, func(p parameter) bool { return p.key == key }) {
			p := parameterOf(key, value, where, a.host)
			if folder, is := strings.CutSuffix(a.path, "/"); is && folder != "" {
				above := parameterOf(key, value, Mask(folder[:strings.LastIndexByte(folder, '/')+1])+"*/", a.host)
				p.above = &above
			}
			found = append(found, p)
		}
	}
	return found
}

func parameterOf(key, value, where, host string) parameter {
	p := parameter{key, kindOf("idle", key, where, host), kindOf("moves", key, where, host),
		kindOf("idle value", key, value, where, host), kindOf("idle values", key, where, host),
		kindOf("moves value", key, value, where, host), ruleOf("idle refused", key, where, host), false, nil}
	p.rule = p.rule.on(p.same, p.other, p.value, p.values, p.differs)
	return p
}

// program is what the parameters of an address are those of: a program, or all that stands in a folder.
func (a *parts) program() string {
	where, last := a.path, a.path[strings.LastIndexByte(a.path, '/')+1:]
	if !strings.Contains(last, ".") { // else it is a program, which has parameters of its own
		where = strings.TrimSuffix(where, last)
	}
	return Mask(where)
}

// page is what an address has in common with all that differ from it in some parameters alone; link is so, too, for links.
func (a *parts) page(but ...string) (page, link kind) {
	var rest []string
	for part := range fields(a.query) {
		if key, _, _ := strings.Cut(part, "="); !slices.Contains(but, key) {
			rest = append(rest, part)
		}
	}
	slices.Sort(rest)
	query, origin, path := strings.Join(rest, "&"), a.origin(but), a.twinPath(but)
	return kindOf("idle page", path, query, origin), kindOf("idle link", path, query, origin)
}

// idle are the parameters of an address that are known to change nothing, each as that by which it is known.
func (w *TrapWatch) idle(a *parts) (known []parameter) {
	var parts []parameter
	if a.query != "" {
		parts = a.parameters()
	}
	if w.met(a.twinned()) > 0 {
		parts = append(parts, a.twins()...)
	}
	for i := range parts {
		switch p := &parts[i]; {
		case w.changesNothing(p):
			known = append(known, *p)
		case p.above != nil && w.changesNothing(p.above) && w.met(p.same) >= perMoved*w.met(p.other): // what its own folder says comes first
			known = append(known, *p.above)
		}
	}
	return known
}

// idleKeys are what the parameters of an address are called that change nothing.
func (w *TrapWatch) idleKeys(a *parts) (keys []string) {
	for _, p := range w.idle(a) {
		keys = append(keys, p.key)
	}
	return keys
}

func (w *TrapWatch) changesNothing(p *parameter) bool {
	same, value := w.met(p.same), w.met(p.value)
	return same >= leastIdle && same > perMoved*w.met(p.other) &&
		(value >= leastIdle || w.met(p.values) >= anyValue && !p.each) && value >= perMoved*w.met(p.differs)
}

// parametersCompared is told of a page that was compared with those before it, and which it repeats. Only where one parameter alone tells the
// two addresses apart, beside those that change nothing, it says something of that; where the other has none that this one has beside what
// both have, something of all these.
func (w *TrapWatch) parametersCompared(a, first *parts) {
	idle := w.idleKeys(a)
	if first.address != "" { // a page may have been met with a session before it is without
		idle = append(idle, w.idleKeys(first)...)
	}
	sameBut := func(but ...string) bool {
		page, _ := a.page(but...)
		repeated, _ := first.page(but...)
		return first.address != "" && page == repeated
	}
	var pages []kind // that it is, whichever of its parameters are left out
	told := func(p parameter, theirs []parameter, more bool) (same bool) {
		same = more || sameBut(append(idle, p.key)...) && !slices.ContainsFunc(theirs, p.equals)
		page, _ := a.page(append(idle, p.key)...)
		w.parameterTold(p, page, same, first.address)
		pages = append(pages, page)
		return same
	}
	own, theirs, twins := a.parameters(), first.parameters(), first.twins()
	without := slices.Clone(idle)
	for _, p := range own {
		if !slices.ContainsFunc(theirs, p.named) {
			without = append(without, p.key)
		}
	}
	more := sameBut(without...)
	for _, p := range own {
		told(p, theirs, more && !slices.ContainsFunc(theirs, p.named))
	}
	for i, p := range a.twins() {
		known := w.changesNothing(&p)
		if told(p, twins, false) && !known { // which of two twins is met first is chance
			w.count(twins[i].value)
			w.count(a.twinned())
		}
	}
	all, _ := a.page()
	pages = append(pages, all)
	known := w.idle(a)
	for i := range known {
		pages = append(pages, a.pageWith(known, i))
	}
	w.countOnce(pages)
}

// pageWith is an address without parameters that change nothing, but for one of them.
func (a *parts) pageWith(idle []parameter, one int) kind {
	var others []string
	for i := range idle {
		if i != one {
			others = append(others, idle[i].key)
		}
	}
	page, _ := a.page(others...)
	return page
}

// Aside is told of a page that is kept in no case, for it wants not to be found or is in another language, and which it repeats, by its own
// word or by what it says. One that repeats none is no page that others could be the same as, and only says that its parameters matter.
func (w *TrapWatch) Aside(address, named, like string) {
	if first := cmp.Or(named, like); first != "" {
		w.Compared(address, first)
		return
	}
	a, ok := w.parts(address)
	if !ok {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	idle := w.idleKeys(&a)
	for _, p := range a.parameters() {
		if rest, _ := a.page(append(idle, p.key)...); w.met(rest) > 0 {
			w.changed(&p)
		}
	}
}

// LeadsOn tells the watch of a link that nobody had found before on the page that it was told of last. What says the same as another page and leads
// elsewhere is another: the second part of a list, below the words that stand above each. A link that passes on what was asked, as a session
// is or which part comes next, says nothing of that.
func (w *TrapWatch) LeadsOn(address, to string) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.repeats != address && !(w.plain && w.aside == address) {
		return
	}
	a, ok := w.parts(address)
	if b, is := w.parts(to); ok && is && !w.mayBeKnown(&b) {
		if a.path != b.path || a.host != b.host { // else the page that it repeats leads to the same from its own address
			w.decided(true)
		}
		if w.repeats == address {
			w.leadsOn(&a, queryKeys(b.query))
		}
	}
}

// mayBeKnown tells of an address that its page is known, if the parameters change nothing of which no more has been seen yet: each page leads to
// all others by the session that it was asked with.
func (w *TrapWatch) mayBeKnown(a *parts) bool {
	keys := w.idleKeys(a)
	for _, p := range a.parameters() {
		for q := &p; q != nil; q = q.above {
			if w.met(q.same) > perMoved*w.met(q.other) {
				keys = append(keys, q.key)
			}
		}
	}
	known, _ := a.page(keys...)
	return len(keys) > 0 && w.met(known) > 0
}

// leadsOn counts that once of a page, for the parameters that are not passed on.
func (w *TrapWatch) leadsOn(a *parts, passed []string) {
	idle := w.idleKeys(a)
	for _, p := range a.parameters() {
		if rest, _ := a.page(append(idle, p.key)...); !slices.Contains(passed, p.key) && w.met(rest) > 1 { // the page itself was counted
			w.changed(&p)
			w.repeats = ""
		}
	}
}

// equals tells of a parameter of another address that it is this one with the same value.
func (p parameter) equals(o parameter) bool { return p.named(o) && p.value == o.value }

func (p parameter) named(o parameter) bool { return p.key == o.key }

// parameterTold counts a page that is as another is, which it names, whose address differs in the parameter alone, or as none that is known. Of a
// folder that is one of many the first alone counts for these.
func (w *TrapWatch) parameterTold(p parameter, rest kind, same bool, like string) {
	switch {
	case same:
		w.unchanged(&p, like)
		if p.above != nil && (w.met(p.same) == 1 || w.changesNothing(p.above)) {
			w.unchanged(p.above, like)
		}
	case like == "" && w.met(rest) > 0:
		w.changed(&p)
	}
}

// unchanged counts a page that is the same. Of a parameter that is known to change nothing that says no more than that it may go on.
func (w *TrapWatch) unchanged(p *parameter, like string) {
	w.shows(p.rule, like)
	if w.changesNothing(p) {
		w.uphold(p.rule)
		return
	}
	w.count(p.same)
	if w.met(p.value) == 0 {
		w.count(p.values)
	}
	w.count(p.value)
}

// changed counts a page that is another than that without the parameter.
func (w *TrapWatch) changed(p *parameter) {
	w.count(p.other)
	w.count(p.differs)
	w.doubt(p.rule, w.changesNothing(p))
	if p.above != nil {
		w.changed(p.above)
		w.doubt(p.above.rule, w.met(p.other) > 1) // of the other folders it may be true
	}
}

// countOnce adds one to each of some kinds, however often it is among them: a page is not known by itself.
func (w *TrapWatch) countOnce(kinds []kind) {
	slices.Sort(kinds)
	for _, k := range slices.Compact(kinds) {
		w.count(k)
	}
}

// inIdle says that an address differs from that of a page which is known in nothing but parameters that change nothing.
func (w *TrapWatch) inIdle(a *parts) string {
	known := w.idle(a)
	if len(known) == 0 {
		return ""
	}
	var keys []string
	for _, p := range known {
		keys = append(keys, p.key)
	}
	bare, link := a.page(keys...)
	if w.met(bare) == 0 && (a.waits || !w.full(a, 1, link)) {
		return ""
	}
	for i := range known { // what a page has that is known is no reason
		if len(known) > 1 && w.met(a.pageWith(known, i)) > 0 {
			known = slices.Delete(known, i, i+1)
			break
		}
	}
	var rules []rule
	for _, p := range known {
		rules = append(rules, p.rule)
	}
	if w.use(bare); !w.refuses(a, rules...) {
		return ""
	}
	if twin := saidOfTwins(known[0].key); twin != "" {
		return twin
	}
	return fmt.Sprintf("facets: parameter %q changes nothing", known[0].key)
}
