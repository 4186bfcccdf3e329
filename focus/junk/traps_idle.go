package junk

import (
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
	anyValue   = 3  // values of it that changed nothing, of which any other is thought the same
	doubtful   = 32 // addresses refused after which one passes, and then after twice as many each: sites change, and twelve pages are few
	mostParted = 8  // parameters of an address that are looked at one by one
)

// parameter is one of an address that may change nothing.
type parameter struct {
	key           string
	same, other   kind // pages of such addresses that are the same as without it, and that are not
	value, values kind // pages that are the same with this value of it, and its values with which some are
}

// parameters are those of an address.
func (a *parts) parameters() (found []parameter) {
	where := a.program()
	for part := range fields(a.query) {
		key, value, _ := strings.Cut(part, "=")
		if len(found) < mostParted && part != "amp" && !slices.ContainsFunc(found, func(p parameter) bool { return p.key == key }) {
			found = append(found, parameter{key, kindOf("idle", key, where, a.host), kindOf("moves", key, where, a.host),
				kindOf("idle value", key, value, where, a.host), kindOf("idle values", key, where, a.host)})
		}
	}
	return found
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
	query := strings.Join(rest, "&")
	return kindOf("idle page", a.path, query, a.host), kindOf("idle link", a.path, query, a.host)
}

// idle are the parameters of an address that are known to change nothing.
func (w *TrapWatch) idle(a *parts) (keys []string) {
	if a.query == "" {
		return nil
	}
	for _, p := range a.parameters() {
		if same := w.met(p.same); same >= leastIdle && same > perMoved*w.met(p.other) && (w.met(p.value) > 0 || w.met(p.values) >= anyValue) {
			keys = append(keys, p.key)
		}
	}
	return keys
}

// parametersCompared is told of a page that was compared with those before it, and which it repeats. Only where one parameter alone tells the
// two addresses apart, beside those that change nothing, it says something of that.
func (w *TrapWatch) parametersCompared(a, first *parts) {
	idle := w.idle(a)
	for _, p := range a.parameters() {
		rest, _ := a.page(append(idle, p.key)...)
		switch theirs, _ := first.page(append(idle, p.key)...); {
		case first.address != "" && rest == theirs:
			w.count(p.same)
			if w.met(p.value) == 0 {
				w.count(p.values)
			}
			w.count(p.value)
		case first.address == "" && w.met(rest) > 0:
			w.count(p.other)
		}
		w.count(rest)
	}
	all, _ := a.page()
	w.count(all)
}

// inIdle says that an address differs from that of a page which is known in nothing but parameters that change nothing.
func (w *TrapWatch) inIdle(a *parts) string {
	idle := w.idle(a)
	if len(idle) == 0 {
		return ""
	}
	page, link := a.page(idle...)
	if w.met(page) == 0 && (a.waits || !w.full(a, 1, link)) {
		return ""
	}
	w.use(page)
	if w.inDoubt(a, kindOf("idle refused", idle[0], a.path, a.host)) {
		return ""
	}
	return fmt.Sprintf("facets: parameter %q changes nothing", idle[0])
}

// inDoubt counts one more address that is to be refused, and tells of the few that are visited all the same, to see whether it is still so.
func (w *TrapWatch) inDoubt(a *parts, refused kind) bool {
	w.count(refused)
	n := w.met(refused)
	if n < doubtful || n&(n-1) != 0 {
		return false
	}
	w.count(a.doubted())
	return true
}

func (a *parts) doubted() kind { return kindOf("doubted", a.path, a.query, a.host) }
