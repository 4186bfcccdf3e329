package main

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/seek"
)

// A page has one relevance, whichever command says it: crawl, why, judge and seeds tell it of each page, and what compare keeps at
// any threshold are as many pages as the crawl has found that relevant.
func TestOneRelevanceOfEveryCommand(t *testing.T) {
	web, engine := drawnWeb(t, "small")
	files(t, "one.yaml", "name: one\ntopic:\n  language: auto\n  terms: [sailing, yacht, regatta, sail, mast, skipper, boat, harbour, keel, crew]\n"+
		"seeds: [http://daily.example/]\nweb: "+web+"\nduplicates: keep\nmin_free: 0\n"+
		"scope: {traps: ignore, max_address: 100000, types: all}\npolite: {robots: ignore, contact: you@example.org}\nfetch: {private: [127.0.0.1]}\n")
	must(t, "crawl", "one.yaml", "--store", "run", "--quiet", "--budget", "1000")
	said := map[string]float64{} // with five digits
	var pages []string
	if err := run.ReadLog(filepath.Join("run", "crawl.log"), func(d *run.Decision) bool {
		if d.Decision == "keep" || d.Decision == "drop" && d.Reason == admit.RefusedWeak {
			said[d.URL] = d.Relevance
			pages = append(pages, d.URL)
		}
		return true
	}); err != nil || len(said) < 50 {
		t.Fatalf("%d pages: %v", len(said), err)
	}
	same := func(who, address string, relevance, digits float64) {
		t.Helper()
		if was, ok := said[address]; !ok || math.Abs(was-relevance) > digits {
			t.Errorf("%s: %s has relevance %v; the crawl says %v", who, address, relevance, was)
		}
	}

	var judged struct {
		Pages []struct {
			URL       string
			Relevance *float64
		}
	}
	read(t, &judged, append([]string{"judge", "one.yaml", "--json"}, pages...)...)
	relevant := 0
	for _, p := range judged.Pages {
		same("judge", p.URL, *p.Relevance, 1e-5)
		if *p.Relevance >= .3 {
			relevant++
		}
	}
	if len(judged.Pages) != len(pages) || relevant < 10 || relevant > len(pages)-10 {
		t.Errorf("judge tells of %d pages, %d of them relevant", len(judged.Pages), relevant)
	}

	for _, address := range pages[:20] {
		var y struct{ Relevance float64 }
		read(t, &y, "why", address, "--run", "run", "--json")
		same("why", address, y.Relevance, 1e-5)
	}

	var found seek.Report
	read(t, &found, "seeds", "one.yaml", "--json", "--quiet", "--engine", engine)
	seen := 0
	for _, p := range found.Proposals {
		for _, e := range p.Evidence {
			if _, reached := said[e.URL]; e.Kind == "page" && reached {
				same("seeds", e.URL, e.Relevance, .00501) // with two
				seen++
			}
		}
	}
	if seen < 5 {
		t.Errorf("seeds tells of %d pages: %+v", seen, found.Proposals)
	}

	keptByCompare(t, web, said)
}

// keptByCompare holds what compare keeps against the relevances of a crawl of the same pages; start pages are in no sum.
func keptByCompare(t *testing.T, web string, said map[string]float64) {
	t.Helper()
	var compared struct {
		Cells []struct {
			Strategy string
			Fetched  int
			Kept     struct{ Pages, Differ int }
		}
	}
	thresholds := map[string]float64{"0.05": .05, "0.15": .15, "0.3": .3, "0.45": .45, "0.6": .6}
	read(t, &compared, "compare", "--web", web, "--topic", "sailing", "--strategy", "apprentice,breadth", "--json",
		"--set", "topic.threshold=0.05,0.15,0.3,0.45,0.6")
	counts := map[int]bool{}
	for _, c := range compared.Cells {
		_, value, _ := strings.Cut(strings.TrimSuffix(c.Strategy, "]"), "topic.threshold=")
		want := 0
		for address, relevance := range said {
			if address != "http://daily.example/" && relevance >= thresholds[value] {
				want++
			}
		}
		if counts[want] = true; c.Kept.Pages != want || thresholds[value] == 0 || c.Fetched < len(said)-1 {
			t.Errorf("compare: %s keeps %d pages of %d; the crawl found %d so relevant, of %d", c.Strategy, c.Kept.Pages, c.Fetched, want, len(said)-1)
		}
	}
	if len(compared.Cells) != 2*len(thresholds) || len(counts) < 4 {
		t.Errorf("%d cells, and %d numbers of pages: the test sees too little", len(compared.Cells), len(counts))
	}
}

// read runs a command line that must not fail, and reads the object that it prints.
func read(t *testing.T, into any, args ...string) {
	t.Helper()
	if out := must(t, args...); json.Unmarshal([]byte(out), into) != nil {
		t.Fatalf("thresher %s: %s", strings.Join(args, " "), out)
	}
}
