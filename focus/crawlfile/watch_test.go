package crawlfile

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// watched is a crawl file that is watched, and how it is written anew and looked at.
func watched(t *testing.T, text string, overrides ...Override) (write func(string), look func() (*Change, error)) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "solar.yaml")
	write = func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(text)
	runs, err := Load(file, overrides...)
	if err != nil {
		t.Fatal(err)
	}
	return write, NewWatch(runs, overrides...).Look
}

const solar = `topic: {terms: [solar]}
seeds: [https://www.example.org/]
scope: {hosts: [www.example.org], not_paths: [/private/*], depth: 5}
polite: {contact: me@example.org, delay: 2s}
`

// A change counts when it was the same at two looks, whole, and once.
func TestAFileThatIsWatchedIsReadWhenItIsQuiet(t *testing.T) {
	write, look := watched(t, solar, Override{Key: "budget.relevant", Value: "7", From: "--relevant"})
	nothing := func(when string) {
		t.Helper()
		if change, err := look(); change != nil || err != nil {
			t.Fatalf("%s: %+v, %v", when, change, err)
		}
	}
	nothing("unchanged, first look")
	nothing("unchanged, second look")
	write("# of other words, and the same\n" + solar)
	nothing("a comment, first look")
	nothing("a comment, second look")
	write(strings.TrimSuffix(solar, ", delay: 2s}\n") + "}\n") // it parses, and has another delay
	nothing("half of it")
	whole := strings.Replace(solar, "delay: 2s", "delay: 3s", 1) + "budget: {pages: 50, relevant: 9}\n"
	write(whole)
	nothing("the whole, first look")
	change, err := look()
	if err != nil || change == nil || !slices.Equal(change.Keys, []string{"budget.pages", "polite.delay"}) {
		t.Fatalf("%+v, %v", change, err)
	}
	if c := change.Config; c.Budget.Pages != 50 || c.Budget.Relevant != 7 || change.Says() != "budget.pages is 50, polite.delay is 3s" {
		t.Errorf("%+v: %s", c.Budget, change.Says())
	}
	nothing("taken")
	write(solar) // back to what it was is a change, too
	nothing("put back, first look")
	if change, err := look(); err != nil || change == nil || change.Config.Budget.Pages != 3000 {
		t.Errorf("put back: %+v, %v", change, err)
	}
}

// What cannot change while a crawl runs, or is wrong, is refused once, in a line with file, line and key, and with all beside it.
func TestAChangeIsRefusedWhole(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"terms: [solar]", "terms: [solar, wind]", "solar.yaml:1:16: topic.terms: cannot change in a crawl that has begun"},
		{"hosts: [www.example.org]", "hosts: [other.example]", "solar.yaml:3:16: scope.hosts: cannot change in a crawl that has begun: the scope may become wider"},
		{"depth: 5", "depth: 4", "scope.depth: "},
		{"[/private/*]", "[/private/*, /old/*]", "scope.not_paths: "},
		{"[https://www.example.org/]", "[https://www.example.org/other]", "solar.yaml:2:8: seeds: start pages may be added"},
		{"seeds:", "strategy: shark\nseeds:", "solar.yaml:2:11: strategy: cannot change"},
		{"seeds:", "sinks: [{to: csv}]\nseeds:", "solar.yaml:2:8: sinks: sinks may be added while the crawl runs"},
		{"delay: 2s", "delay: 2s, parallel: 3", "polite.parallel: does not change while the crawl runs"},
		{"delay: 2s", "delay: two", "polite.delay: "},
		{"delay: 2s", "delai: 2s, per_hosts: 2", "(and 1 more: 'thresher check "},
		{"delay: 2s}", "delay: 2s", "solar.yaml:"},
	} {
		write, look := watched(t, solar)
		write(strings.Replace(solar, c.old, c.new, 1) + "budget: {pages: 50}\n")
		look()
		change, err := look()
		if change != nil || err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") ||
			!strings.HasSuffix(err.Error(), "; nothing of the change counts, and the crawl goes on as before") {
			t.Errorf("%s: %+v, %v\nwant %s", c.new, change, err, c.want)
		}
		if change, err := look(); change != nil || err != nil {
			t.Errorf("%s is told again: %+v, %v", c.new, change, err)
		}
		write(solar + "budget: {pages: 60}\n")
		look()
		if change, err := look(); err != nil || change == nil || change.Config.Budget.Pages != 60 {
			t.Errorf("after %s was mended: %+v, %v", c.new, change, err)
		}
	}
}

// An editor may remove a file before it writes it anew; one that is gone is told once.
func TestAFileThatIsWatchedMayGoAndComeBack(t *testing.T) {
	file := filepath.Join(t.TempDir(), "gone.yaml")
	w := NewWatch(Config{File: file})
	if change, err := w.Look(); change != nil || err != nil {
		t.Errorf("gone at one look: %+v, %v", change, err)
	}
	if _, err := w.Look(); err == nil || !strings.Contains(err.Error(), file+": there is no such file") {
		t.Errorf("gone at two looks: %v", err)
	}
	if err := os.WriteFile(file, []byte("budget: 7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.Look()
	if _, err := w.Look(); err == nil || !strings.Contains(err.Error(), "gone.yaml:1:") {
		t.Errorf("back again, and wrong: %v", err)
	}
}

// What a scope lets in, a wider one lets in; anything else is another scope.
func TestAScopeBecomesWider(t *testing.T) {
	for _, c := range []struct {
		key     string
		was, is ScopeConfig
		wider   bool
	}{
		{"hosts", ScopeConfig{Hosts: []string{"a"}}, ScopeConfig{Hosts: []string{"b", "a"}}, true},
		{"hosts", ScopeConfig{Hosts: []string{"a"}}, ScopeConfig{}, true},
		{"hosts", ScopeConfig{}, ScopeConfig{Hosts: []string{"a"}}, false},
		{"hosts", ScopeConfig{Hosts: []string{"a", "b"}}, ScopeConfig{Hosts: []string{"a"}}, false},
		{"not_hosts", ScopeConfig{NotHosts: []string{"a", "b"}}, ScopeConfig{NotHosts: []string{"b"}}, true},
		{"not_hosts", ScopeConfig{}, ScopeConfig{NotHosts: []string{"b"}}, false},
		{"depth", ScopeConfig{Depth: 3}, ScopeConfig{}, true},
		{"depth", ScopeConfig{}, ScopeConfig{Depth: 3}, false},
		{"per_host", ScopeConfig{PerHost: 3}, ScopeConfig{PerHost: 4}, true},
		{"types", ScopeConfig{Types: "pages"}, ScopeConfig{Types: "all"}, true},
		{"types", ScopeConfig{Types: "all"}, ScopeConfig{Types: "pages"}, false},
		{"max_address", ScopeConfig{MaxAddress: 2000}, ScopeConfig{MaxAddress: 100}, false},
		{"traps", ScopeConfig{Traps: "watch"}, ScopeConfig{Traps: "ignore"}, false},
	} {
		if have := c.was.Widened("scope."+c.key, &c.is); have != c.wider {
			t.Errorf("%s from %+v to %+v: wider is %v", c.key, fmt.Sprint(c.was), fmt.Sprint(c.is), have)
		}
	}
}
