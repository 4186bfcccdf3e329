package main

import (
	"fmt"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/sink/clustertest"
)

// TestAFeedTellsWhatHasChanged, and what is new, as a sitemap does: with a budget for two pages, these are visited, though no page links
// to the new one. A cluster is sent what a round has found.
func TestAFeedTellsWhatHasChanged(t *testing.T) {
	w := newChangingWeb(t)
	item := func(path string, at time.Time) string {
		return `<entry><title>sailing boat</title><link href="` + w.URL + path + `"/><updated>` + at.UTC().Format(time.RFC3339Nano) + "</updated></entry>"
	}
	w.feed = item("/boats/31", time.Now().Add(-time.Hour))
	cluster := httptest.NewServer(&clustertest.Cluster{})
	defer cluster.Close()
	w.write(t, "scope: {sitemaps: true}\nsinks: [jsonl, warc, {to: opensearch, url: '"+cluster.URL+"'}]\n")
	must(t, "crawl", "boats.yaml", "--quiet")
	w.text["/boats/31"], w.text["/boats/launched"] = "Two otters.", "A quokka."
	w.feed = item("/boats/launched", time.Now()) + item("/boats/31", time.Now())
	w.reset()
	if told := toldAgain(t, "--budget", "2"); told.Changed != 1 || told.New != 1 || !slices.Contains(w.asked, "/boats/31") || !slices.Contains(w.asked, "/boats/launched") {
		t.Errorf("it tells %+v, and asked for %v", told, w.asked)
	}
	if have, want := clusterPages(t, cluster.URL, "thresher-boats"), pagesKept(t, "runs/boats"); !slices.Equal(have, want) || !slices.Contains(want, w.URL+"/boats/launched") {
		t.Errorf("a cluster has %d pages after a round, and %d are kept", len(have), len(want))
	}
	knownWithoutKept(t)

	noError(t, os.WriteFile("answers.tsv", []byte(w.URL+"/boats/launched\tother\n"), 0o600))
	if out, kept := must(t, "label", "runs/boats", "--audit", "100", "--answers", "answers.tsv"), len(pagesKept(t, "runs/boats")); !strings.Contains(out, fmt.Sprintf("; %d are kept", kept)) || !strings.Contains(out, "1 answer by lot") {
		t.Errorf("%d are kept, and an audit says %s", kept, out)
	}
}

// knownWithoutKept removes kept.jsonl of a run that was visited again: what the rounds have found is listed and exported all the same,
// and searched, too.
func knownWithoutKept(t *testing.T) {
	t.Helper()
	remove := func() {
		noError(t, os.Remove("runs/boats/kept.jsonl"))
	}
	listed, exported := must(t, "list", "harvest"), must(t, "export", "--fields", "id,url,title,text")
	remove()
	for _, after := range []string{"it is gone", "a repair"} {
		if is := must(t, "list", "harvest"); strings.Count(is, "\n") != strings.Count(listed, "\n") {
			t.Errorf("after %s list harvest says %s, want %s", after, is, listed)
		}
		if is := must(t, "export", "--fields", "id,url,title,text"); is != exported || len(is) != len(must(t, "export", "--fields", "id,url,title,text", "--sort", "relevance")) {
			t.Errorf("after %s %d lines are exported, want %d", after, strings.Count(is, "\n"), strings.Count(exported, "\n"))
		}
		if said := must(t, "repair"); after == "it is gone" && !strings.Contains(said, "kept.jsonl is gone") {
			t.Errorf("repair says %s", said)
		}
	}
	remove()
	replies(t, exitDone, "/boats/launched", "search", "runs/boats", "quokka")
}
