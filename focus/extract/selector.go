package extract

import (
	"iter"
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
	counts     bool // it looks at all beside an element, as :nth-child does,
	descends   bool // and it looks at all below, as :has() does
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

// chain is one alternative, part by part; in one where its parts are not what the whole was read as.
func chain(parts []written, whole cascadia.Sel) (s selector) {
	said := ""
	for _, w := range parts {
		part, err := cascadia.Parse(w.part)
		if err != nil {
			said = ""
			break
		}
		if w.combinator != 0 {
			said += " " + string(w.combinator) + " "
		}
		said += part.String()
		s = append(s, newStep(w.combinator, part, w.part))
	}
	if said != whole.String() {
		s = selector{newStep(0, whole, whole.String())}
	}
	s[len(s)-1].last = true
	return s
}

// attributes are what a selector asks of attributes, where a colon may stand.
var attributes = regexp.MustCompile(`\[[^\]]*\]`)

func newStep(combinator byte, part cascadia.Matcher, css string) step {
	css = attributes.ReplaceAllString(css, "")
	return step{combinator: combinator, part: part, counts: strings.Contains(css, ":"), descends: strings.Contains(css, "(")}
}

// split takes a selector apart at its commas, and each alternative at its combinators.
func split(css string) [][]written {
	all := [][]written{nil}
	start, combinator, open, quote := 0, byte(0), 0, byte(0)
	end := func(at int) {
		if part := strings.TrimSpace(css[start:at]); part != "" {
			last := &all[len(all)-1]
			*last = append(*last, written{combinator, part})
			combinator = ' '
		}
	}
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
		case c == ')' || c == ']':
			open--
		case open > 0:
		case strings.IndexByte(" \t\r\n\f>+~,", c) >= 0:
			end(i)
			if start = i + 1; c == ',' {
				all, combinator = append(all, nil), 0
			} else if strings.IndexByte(">+~", c) >= 0 {
				combinator = c
			}
		}
	}
	end(len(css))
	return all
}

// mostLooks is how many elements are looked at for the parts of a selector that look at others beside or below.
const mostLooks = 1 << 26

// finds are the elements of a page that a selector matches, in their order.
func (s selector) finds(root *html.Node) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		w := walker{selector: s, yield: yield, left: mostLooks}
		at := w.match(root, stand{})
		w.below(root, at, at)
	}
}

// walker goes over a page once. A set of steps has a bit for each.
type walker struct {
	selector
	yield func(*html.Node) bool
	left  int // how many elements it may look at
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
			w.left -= at.beside
		}
		if s.descends {
			w.left -= weight(n, w.left)
		}
		if w.left < 0 {
			return 0
		}
		if s.part.Match(n) {
			is |= 1 << i
		}
	}
	return is
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

// weight is what it costs to look at all below an element, up to a bound.
func weight(n *html.Node, most int) (sum int) {
	for c := range n.Descendants() {
		if sum += 1 + len(c.Data)/64; sum > most {
			break
		}
	}
	return sum
}
