package extract

import (
	"cmp"
	"iter"
	"reflect"
	"regexp"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

// selector is a CSS selector whose parts are matched in one walk over a page. By itself cascadia looks, for each element that the
// last part of "article div span .price" matches, through all that is above it, and from each of these through all above that: a
// page of 40 kB that is meant so took half a minute. "h2 ~ p" took the square of the length of a list.
type selector []step

// step is one part of a selector between its combinators.
type step struct {
	combinator byte // how it stands to the part before it: ' ', '>', '+' or '~'; 0 for the first
	last       bool // what it matches is found
	part       cascadia.Matcher
	inner      []inner // what it says of others besides
	counts     bool    // it looks at all beside an element, as :nth-child does,
	reads      int     // how slowly it reads all below, as :contains() does; 0 where it does not
}

// inner is what a part says of others by a selector within it. What that matches is found once, in a walk of its own: for itself
// cascadia would look for it anew from each element.
type inner struct {
	by string // not, has or haschild
	selector
}

// mostSteps is how many parts a selector has, with all its alternatives: where it has more they are not taken apart.
const mostSteps = 64

// compile reads a selector.
func compile(css string) (selector, error) {
	whole, err := cascadia.ParseGroup(css)
	if err != nil {
		return nil, err
	}
	alternatives := split(css)
	if len(alternatives) == len(whole) {
		var s selector
		for i, steps := range alternatives {
			s = append(s, chain(steps, whole[i])...)
		}
		if len(s) <= mostSteps {
			return s, nil
		}
	}
	one := newStep(0, whole, css)
	one.last = true
	return selector{one}, nil
}

// written is a part of a selector as it stands there, behind its combinator.
type written struct {
	combinator byte
	part       string
}

// combined is what cascadia makes of several parts.
var combined = func() reflect.Type {
	two, _ := cascadia.Parse("a b") // it does not fail
	return reflect.TypeOf(two)
}()

// chain is one alternative, part by part; in one where its parts are not what the whole was read as.
func chain(parts []written, whole cascadia.Sel) (s selector) {
	said := ""
	for _, w := range parts {
		part, err := cascadia.Parse(w.part)
		if err != nil || reflect.TypeOf(part) == combined { // a quotation mark in a pattern has hidden a combinator
			said = ""
			break
		}
		if w.combinator != 0 {
			said += " " + string(w.combinator) + " "
		}
		said += part.String()
		s = append(s, newStep(w.combinator, part, w.part).apart(w.part))
	}
	if said != whole.String() {
		s = selector{newStep(0, whole, whole.String())}
	}
	s[len(s)-1].last = true
	return s
}

// attributes are what a selector asks of attributes, where a colon may stand.
var attributes = regexp.MustCompile(`\[[^\]]*\]`)

// readers are what a selector asks of texts, and how slow that is.
var readers = map[string]int{":contains": 1, ":matches": 8}

func newStep(combinator byte, part cascadia.Matcher, css string) step {
	css = strings.ToLower(attributes.ReplaceAllString(css, ""))
	s := step{combinator: combinator, part: part, counts: strings.Contains(css, ":")}
	for by, slow := range readers {
		if strings.Contains(css, by) {
			s.reads = max(s.reads, slow)
		}
	}
	return s
}

// inners begin what a part says of others by a selector.
var inners = regexp.MustCompile(`^:(?i:(not|has|haschild))\($`)

// apart is the same step with the selectors within it taken out; as it is where they cannot be.
func (s step) apart(css string) step {
	rest, by, start, from := "", "", 0, 0
	var all []inner
	var wrong error
	scan(css, func(at, open int) {
		switch c := css[at]; {
		case c == ':' && open == 0:
			start = at
		case c == '(' && open == 1:
			if m := inners.FindStringSubmatch(css[start : at+1]); m != nil {
				rest, by, from = rest+css[from:start], strings.ToLower(m[1]), at+1
			}
		case c == ')' && open == 0 && by != "":
			of, err := compile(css[from:at])
			all, by, from, wrong = append(all, inner{by, of}), "", at+1, cmp.Or(wrong, err)
		}
	})
	part, err := cascadia.Parse(cmp.Or(rest+css[from:], "*"))
	if len(all) == 0 || by != "" || wrong != nil || err != nil {
		return s
	}
	apart := newStep(s.combinator, part, rest+css[from:])
	apart.inner = all
	return apart
}

// scan visits what is no letter of a name or a text in a selector: at is where it stands, and open how many brackets are open then.
func scan(css string, visit func(at, open int)) {
	open, quote := 0, byte(0)
	for i := 0; i < len(css); i++ {
		switch c := css[i]; {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '[':
			open++
			visit(i, open)
		case c == ')' || c == ']':
			open--
			visit(i, open)
		case strings.IndexByte(" \t\r\n\f>+~,:", c) >= 0:
			visit(i, open)
		}
	}
}

// split takes a selector apart at its commas, and each alternative at its combinators.
func split(css string) [][]written {
	all := [][]written{nil}
	start, combinator := 0, byte(0)
	end := func(at int) {
		if part := strings.TrimSpace(css[start:at]); part != "" {
			last := &all[len(all)-1]
			*last = append(*last, written{combinator, part})
			combinator = ' '
		}
	}
	scan(css, func(at, open int) {
		if c := css[at]; open == 0 && strings.IndexByte(":)]", c) < 0 {
			end(at)
			if start = at + 1; c == ',' {
				all, combinator = append(all, nil), 0
			} else if strings.IndexByte(">+~", c) >= 0 {
				combinator = c
			}
		}
	})
	end(len(css))
	return all
}

// mostLooks is how many elements are looked at for the parts of a selector that look at others beside or below.
const mostLooks = 1 << 26

// finds are the elements of a page that a selector matches, in their order.
func (s selector) finds(root *html.Node) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		w := walker{selector: s, yield: yield, left: mostLooks}
		w.walk(root)
	}
}

// walker goes over a page once. A set of steps has a bit for each.
type walker struct {
	selector
	yield func(*html.Node) bool
	left  int // how many elements it may look at
	root  *html.Node
	known map[*inner]map[*html.Node]bool // what is found of others
}

func (w *walker) walk(root *html.Node) {
	w.root, w.known = root, map[*inner]map[*html.Node]bool{}
	at := w.match(root, stand{})
	w.below(root, at, at)
}

// stand is where an element stands: which steps match what is above it, right above it, before it and right before it.
type stand struct {
	above, parent, before, previous uint64
	beside                          int // how many there are beside it
}

// of are the steps that match what a combinator looks at.
func (at *stand) of(combinator byte) uint64 {
	switch combinator {
	case '>':
		return at.parent
	case '~':
		return at.before
	case '+':
		return at.previous
	}
	return at.above
}

// below walks over what is in an element; false where no more is wanted.
func (w *walker) below(n *html.Node, above, parent uint64) bool {
	at := stand{above: above, parent: parent}
	if n.FirstChild != nil {
		at.beside = w.beside(n)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode || c.Type == html.CommentNode {
			continue
		}
		is := w.match(c, at)
		for i := range w.selector {
			if w.selector[i].last && is>>i&1 != 0 {
				if !w.yield(c) {
					return false
				}
				break
			}
		}
		if w.left < 0 || !w.below(c, above|is, is) {
			return false
		}
		at.before, at.previous = at.before|is, is
	}
	return true
}

// match tells which steps an element matches.
func (w *walker) match(n *html.Node, at stand) (is uint64) {
	for i := range w.selector {
		s := &w.selector[i]
		if s.combinator != 0 && at.of(s.combinator)>>(i-1)&1 == 0 {
			continue
		}
		if s.counts {
			w.left -= at.beside / 4 // each is but passed
		}
		if s.reads > 0 {
			w.left -= s.reads * weight(n, w.left)
		}
		if w.left < 0 {
			return 0
		}
		if s.part.Match(n) && w.holds(s, n) {
			is |= 1 << i
		}
	}
	return is
}

// holds tells whether it is true of an element what a step says of others.
func (w *walker) holds(s *step, n *html.Node) bool {
	for i := range s.inner {
		in := &s.inner[i]
		of, ok := w.known[in]
		if !ok {
			of = w.find(in)
			w.known[in] = of
		}
		if n.Type != html.ElementNode || of[n] == (in.by == "not") {
			return false
		}
	}
	return w.left >= 0
}

// find are the elements of the page that are matched by a selector within a part, or that have such below them.
func (w *walker) find(in *inner) map[*html.Node]bool {
	of := map[*html.Node]bool{}
	inside := walker{selector: in.selector, left: w.left, yield: func(n *html.Node) bool {
		switch in.by {
		case "not":
			of[n] = true
		case "haschild":
			of[n.Parent] = true
		default:
			for n = n.Parent; n != nil && !of[n]; n = n.Parent {
				of[n] = true
			}
		}
		return true
	}}
	inside.walk(w.root)
	w.left = inside.left
	return of
}

// beside is how many children an element has, where a step looks at all of them.
func (w *walker) beside(n *html.Node) (children int) {
	for i := range w.selector {
		if w.selector[i].counts {
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				children++
			}
			break
		}
	}
	return children
}

// weight is what it costs to read all below an element, up to a bound.
func weight(n *html.Node, most int) (sum int) {
	for c := range n.Descendants() {
		if sum += 1 + len(c.Data)/asSlowAs; sum > most {
			break
		}
	}
	return sum
}
