package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOneIsNotMany: where there is one of a thing, it is said so.
func TestOneIsNotMany(t *testing.T) {
	file := extractFile(t, "  heading: h1\n")
	dir := t.TempDir()
	page, run := filepath.Join(dir, "page.html"), filepath.Join(dir, "run")
	noError(t, os.WriteFile(page, []byte("<title>Sailing</title><p>A yacht under sail leaves the harbour.</p>"), 0o644))
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"judge", file, page, "--blocks", filepath.Join(dir, "blocks.html")}, "1 block drawn"},
		{[]string{"crawl", file, "--store", run, "--budget", "1", "--set", "topic.threshold=0"}, "the budget of 1 page is used up"},
		{[]string{"export", "--run", run, "--to", "csv"}, "1 of 1 page\n"},
		{[]string{"search", run, "daily"}, "1 of 1 page, "},
		{[]string{"crawl", file, "--store", filepath.Join(dir, "relevant"), "--set", "budget.relevant=1"}, "because 1 relevant page was found"},
		{[]string{"crawl", file, "--store", filepath.Join(dir, "bytes"), "--set", "budget.bytes=1"}, "because the budget of 1 (bytes received) is used up"},
	} {
		code, out, errs := thresher(t, c.args...)
		if code != exitDone || !strings.Contains(out+errs, c.says) {
			t.Errorf("%v: exit %d, it does not say %q: %s%s", c.args, code, c.says, out, errs)
		}
	}
}

// TestListsHaveHeads: what the numbers of a list are stands above them, and nothing above no numbers.
func TestListsHaveHeads(t *testing.T) {
	file := extractFile(t, "  heading: h1\n")
	run := filepath.Join(t.TempDir(), "run")
	must(t, "crawl", file, "--store", run, "--quiet", "--budget", "100", "--set", "second_look=off")
	for list, head := range map[string]string{"harvest": "relevance  page\n", "frontier": "  score  link\n"} {
		if out := must(t, "list", list, "--run", run); !strings.HasPrefix(out, head) || strings.Index(out, "http") != strings.Index(head, strings.Fields(head)[1])+len(head) {
			t.Errorf("list %s begins\n%.200s", list, out)
		}
	}
	must(t, "crawl", file, "--store", run, "--quiet", "--fresh", "--budget", "100")
	if out := must(t, "list", "harvest", "--run", run); !strings.HasPrefix(out, "relevance  importance  page\n") {
		t.Errorf("after a second look that has learned nothing list harvest begins\n%.200s", out)
	}
	must(t, "crawl", file, "--store", run, "--quiet", "--fresh", "--budget", "1")
	if out := must(t, "list", "harvest", "--run", run); out != "" {
		t.Errorf("of nothing list harvest says\n%s", out)
	}
	if out := must(t, "list", "harvest", "--run", run, "--json"); out != "{\"harvest\":[],\"total\":0}\n" {
		t.Errorf("of nothing list harvest says as JSON\n%s", out)
	}
	replies(t, exitDone, `"terms":[]`, "why", "http://daily.test/", "--run", run, "--json")
}

// TestBothLooksAreListed, each under its name, as --json has them.
func TestBothLooksAreListed(t *testing.T) {
	const head = "relevance  second  importance  page\n"
	run := quickstartRun(t)
	out := must(t, "list", "harvest", "--run", run)
	if !strings.HasPrefix(out, head) || strings.Index(out, "http") != strings.Index(head, "page")+len(head) {
		t.Fatalf("list harvest begins\n%.200s", out)
	}
	var rows struct{ Harvest []row }
	noError(t, json.Unmarshal([]byte(must(t, "list", "harvest", "--run", run, "--json")), &rows))
	said, r := strings.Fields(out[len(head):]), rows.Harvest[0]
	if r.Second == nil || said[0] != fmt.Sprintf("%.2f", *r.Relevance) || said[1] != fmt.Sprintf("%.2f", *r.Second) {
		t.Errorf("list harvest says %v of %+v", said[:3], r)
	}
}

// TestColumns: what a terminal shows two columns wide counts two.
func TestColumns(t *testing.T) {
	for text, want := range map[string]int{"ab": 2, "一个": 4, "（￥）": 6, "🚢 x": 4} {
		if got := columns(text); got != want {
			t.Errorf("%q takes %d columns, want %d", text, got, want)
		}
	}
}

// TestStartPagesAndSites: a start page has no score, and is listed as one; the share of each site lies in its interval.
func TestStartPagesAndSites(t *testing.T) {
	file := extractFile(t, "  heading: h1\n")
	run := filepath.Join(t.TempDir(), "run")
	must(t, "crawl", file, "--store", run, "--quiet", "--budget", "1")
	replies(t, exitDone, "\n  start  http://gazette.test/\n", "list", "frontier", "--run", run, "--top", "1")
	replies(t, exitDone, `"url":"http://gazette.test/","score":null`, "list", "frontier", "--run", run, "--top", "1", "--json")
	must(t, "crawl", file, "--store", run, "--quiet", "--fresh")
	var said struct {
		Sites []struct {
			Site                     string
			Weight, Share, Low, High float64
			Pages, Relevant          int
		}
	}
	if err := json.Unmarshal([]byte(must(t, "list", "sites", "--run", run, "--json")), &said); err != nil || len(said.Sites) < 20 {
		t.Fatalf("%d sites (%v)", len(said.Sites), err)
	}
	for _, s := range said.Sites {
		if !(0 <= s.Low && s.Low < s.Share && s.Share < s.High && s.High <= 1 && 0 <= s.Weight && s.Weight <= 1) {
			t.Errorf("%+v", s)
		}
	}
}
