package extract

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

// selectors are such as people write, and such as are hard to take apart.
var selectors = []string{"p", "*", "div p", "div > p", "p + p", "p ~ b", "div p > b", "div div b", "div b, p", "b,p + b ,div>b", "div *", "* > * > b", "p:first-child",
	"div:nth-child(2n+1) b", "b:last-child", "div:not(.x) > .x", "div:has(b) ~ p", `[title="a > b, c"]`, `p[title='a b'] + .x`, "div:contains(\"x, y\")", `.a\ b`, "p:not(div p, b)",
	"/* one */ div /* > */ p", "html > body div", "html p", ":root > body", "p.x.y", "div:matches(don't)", ".x ~ .x + b", "body :is(b)",
	"p:not(div p ~ b, i):not(.x)", ":NOT(:not(b))", "div:has(div:has(b > i), p ~ b)", ":haschild(.x > b) i", `div:not([title="("] b)`, "p:not(b:matches(don't)) ~ b", ".x > div:matches(don't) b"}

// noError ends the test where something has failed that it only needs.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestSelectorsFindWhatCascadiaFinds: part by part as in one.
func TestSelectorsFindWhatCascadiaFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	tags := []string{"<div>", "<div class=x>", "</div>", "<p>", "<p title='a > b, c'>", "<p title='a b'>", "<b>", "<b class='x y'>", "</b>", "</p>", "x, y", "<!-- -->", "don't", "<i class='a b'>", "</i>"}
	found := 0
	for range 200 {
		var page strings.Builder
		for range 40 {
			page.WriteString(tags[r.IntN(len(tags))])
		}
		root, err := html.Parse(strings.NewReader(page.String()))
		noError(t, err)
		for _, css := range selectors {
			whole, err := cascadia.ParseGroup(css)
			if err != nil {
				continue
			}
			s, err := compile(css)
			if err != nil {
				t.Fatalf("%s: %v", css, err)
			}
			want, got := cascadia.QueryAll(root, whole), slices.Collect(s.finds(root))
			if found += len(got); !slices.Equal(got, want) {
				t.Fatalf("%s finds %d elements of %s, want %d", css, len(got), page.String(), len(want))
			}
		}
	}
	if found == 0 {
		t.Error("nothing was found")
	}
}

// TestSelectorsAreTakenApart at each combinator, and only there.
func TestSelectorsAreTakenApart(t *testing.T) {
	for css, want := range map[string]int{"article div span .price": 4, "a>b + c~d": 4, `[x="a > b"] p`: 2, "p:not(a b), b c": 3, strings.Repeat("a ", 65): 1} {
		if s, err := compile(css); err != nil || len(s) != want {
			t.Errorf("%s has %d parts, want %d (%v)", css, len(s), want, err)
		}
	}
}

// counted is an element of any name that counts how often it is looked at.
type counted struct{ looks *int }

func (c counted) Match(*html.Node) bool { *c.looks++; return true }

// TestASelectorIsMatchedInOneWalk: each of its parts meets an element once, however deep that stands, or far behind.
func TestASelectorIsMatchedInOneWalk(t *testing.T) {
	root, err := html.Parse(strings.NewReader(strings.Repeat("<div>", 200) + strings.Repeat("<span>", 200) + strings.Repeat("<b class=price>1</b>", 1000)))
	noError(t, err)
	for _, css := range []string{"article div span .price", "div span b.price", "i ~ b", "b ~ b ~ i", ".price:not(article div span .price)", "div:has(div:has(div:has(i)))",
		"div:has(i ~ b):haschild(b ~ b ~ i) b"} {
		s, err := compile(css)
		noError(t, err)
		looks := 0
		steps := s.count(&looks)
		for range s.finds(root) {
		}
		if most := 1500 * steps; looks > most || looks == 0 {
			t.Errorf("%s: %d looks, want %d at the most", css, looks, most)
		}
	}
}

// count has each step of a selector, and of those within it, count its looks, and answers how many there are.
func (s selector) count(looks *int) int {
	steps := len(s)
	for i := range s {
		of := s[i].part
		s[i].part = both{counted{looks}, of}
		for _, in := range s[i].inner {
			steps += in.count(looks)
		}
	}
	return steps
}

// both match.
type both [2]cascadia.Matcher

func (b both) Match(n *html.Node) bool { return b[0].Match(n) && b[1].Match(n) }

// TestALongListIsWhole: the last of ten thousand rows is found by its place.
func TestALongListIsWhole(t *testing.T) {
	root, err := html.Parse(strings.NewReader("<ul>" + strings.Repeat("<li>1", 10_000)))
	noError(t, err)
	s, err := compile("li:last-child")
	noError(t, err)
	if found := len(slices.Collect(s.finds(root))); found != 1 {
		t.Errorf("%d are found", found)
	}
}

// TestWhatCountsIsBounded: a part that counts what stands beside an element, or looks at all below it, takes the square of what a page has.
func TestWhatCountsIsBounded(t *testing.T) {
	root, err := html.Parse(strings.NewReader("<ul>" + strings.Repeat("<li>1", 30_000)))
	noError(t, err)
	for css, want := range map[string]int{"li:nth-child(2n)": 15_000, "li": 30_000} {
		s, err := compile(css)
		noError(t, err)
		found := len(slices.Collect(s.finds(root)))
		if bounded := strings.Contains(css, ":"); bounded == (found == want) || found == 0 {
			t.Errorf("%s finds %d of %d", css, found, want)
		}
	}
}
