package robots

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// A robots.txt of any length is kept within bounds, and what it forbids stays forbidden.
func TestLongRobotsAreKeptShortAndForbidNoLess(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, kind := range []string{"many short rules", "few long rules", "allow and disallow", "stars", "sitemaps"} {
		t.Run(kind, func(t *testing.T) {
			var b strings.Builder
			b.WriteString("User-agent: *\n")
			var paths []string
			for b.Len() < most-5000 {
				path := fmt.Sprintf("/%x/%x", r.Uint32N(64), r.Uint64())
				switch kind {
				case "few long rules":
					path += strings.Repeat("/long", 600)
				case "stars":
					path = fmt.Sprintf("/%x*%x*z", r.Uint32N(64), r.Uint32N(1000))
				case "allow and disallow":
					if r.IntN(2) == 0 {
						fmt.Fprintf(&b, "Allow: %s\n", path[:3+r.IntN(len(path)-3)])
					}
				case "sitemaps":
					fmt.Fprintf(&b, "Sitemap: http://a.example%s\n", path)
					continue
				}
				fmt.Fprintf(&b, "Disallow: %s\n", path)
				paths = append(paths, path)
			}
			text := b.String()
			got := Parse([]byte(text), "thresher")
			if n := got.Size(); n > kept+maxSitemaps*(2048+16) || kind != "sitemaps" && n > kept+1000 {
				t.Errorf("%d bytes are kept of %d", n, len(text))
			}
			if kind == "sitemaps" && len(got.Sitemaps("http://a.example")) != maxSitemaps {
				t.Errorf("%d sitemaps are kept", len(got.Sitemaps("http://a.example")))
			}
			whole := &Rules{rules: unbounded(text)}
			for _, path := range paths[:min(len(paths), 2000)] {
				for _, asked := range []string{strings.ReplaceAll(path, "*", "x"), path[:len(path)/2], path + "more"} {
					if may, _ := whole.Allowed(asked); may {
						continue
					}
					if may, line := got.Allowed(asked); may {
						t.Fatalf("%.60s was forbidden, and is allowed by %q", asked, line)
					}
				}
			}
		})
	}
}

// unbounded are all rules of a robots.txt.
func unbounded(text string) []rule {
	p := parser{token: "thresher"}
	number := 0
	for line := range lines([]byte(text)) {
		number++
		p.read(line, number)
	}
	sortRules(p.all.rules)
	return p.all.rules
}

// What a farm of hosts says of the use of its pages is bounded as what it forbids is, and others lose nothing by it.
func TestAFarmThatSaysMuchOfItsPages(t *testing.T) {
	k, now := NewKeeper(3, 1000), time.Now()
	k.Take("http://good.example", Parse([]byte("User-agent: *\nContent-Signal: ai-train=no\nDisallow: /x\n"), "thresher"), now)
	for i := range 110 {
		var b strings.Builder
		for line := range maxTerms / 2 {
			fmt.Fprintf(&b, `,{"location": "/%d/%d/%s", "tdm-reservation": 1, "tdm-policy": "https://a.example/%[3]s"}`, i, line, strings.Repeat("p", 900))
		}
		rules := Parse([]byte("User-agent: *\nDisallow: /private\n"), "thresher").withTerms(&Answer{Status: 200, Body: []byte("[" + b.String()[1:] + "]")})
		if k.Take(fmt.Sprintf("http://farm%d.example", i), rules, now); k.size > MaxHeld {
			t.Fatalf("%d bytes of rules are remembered of %d hosts", k.size, i+1)
		}
	}
	for at, h := range k.Hosts {
		if may, _ := h.Rules().Allowed("/private"); may && at != "http://good.example" {
			t.Errorf("%s: what is forbidden is allowed", at)
		}
	}
	if said := k.RulesOf("http://good.example/").Said("/"); len(said) != 1 {
		t.Errorf("the host that says little says %v", said)
	}
	long := Parse([]byte("Content-Usage: /"+strings.Repeat("p", longestSaid)+" train-ai=n"), "thresher")
	if n := long.Size(); n > 1000 {
		t.Errorf("%d bytes are kept of a line about one path", n)
	}
}

// One of a usual length is kept as it is.
func TestARobotsTxtOfUsualLengthIsKeptWhole(t *testing.T) {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for i := range 500 {
		fmt.Fprintf(&b, "Disallow: /wiki/Special:Page%d\nAllow: /wiki/Special:Page%d/ok$\n", i, i)
	}
	if got := Parse([]byte(b.String()), "thresher"); len(got.rules) != 1000 {
		t.Errorf("%d of 1000 rules are kept", len(got.rules))
	}
}
