package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestEtiquetteTellsOfRounds: what a host was asked for when its pages were visited again is told with the rest, request by request,
// whether the round was finished or is not.
func TestEtiquetteTellsOfRounds(t *testing.T) {
	w := newChangingWeb(t)
	w.write(t, "sinks: [{to: jsonl}, {to: warc}]\nscope: {soft_404: ignore}\n")
	told := func() (h struct {
		Pages, Kept int
		Bytes       int
		Answers     map[string]int
	}) {
		t.Helper()
		var said struct{ Hosts []json.RawMessage }
		if err := json.Unmarshal([]byte(must(t, "etiquette", "--run", "runs/boats", "--json")), &said); err != nil || len(said.Hosts) != 1 {
			t.Fatal(err, said)
		}
		noError(t, json.Unmarshal(said.Hosts[0], &h))
		return h
	}
	asked := func(when string) int {
		t.Helper()
		h, sum := told(), 0
		for _, n := range h.Answers {
			sum += n
		}
		if h.Pages != len(w.asked) || sum != h.Pages {
			t.Errorf("%s: %d pages and %d answers are told, and %d were asked for", when, h.Pages, sum, len(w.asked))
		}
		return h.Answers["3xx"]
	}
	must(t, "crawl", "boats.yaml", "--quiet")
	asked("after the crawl")
	before := told().Bytes
	toldAgain(t)
	if same := asked("after a round"); same < namedPages {
		t.Errorf("%d answers say that nothing has changed", same)
	}
	if more := told().Bytes - before; more > 2*plainSize(w) {
		t.Errorf("a round over what has not changed is said to have moved %d bytes", more)
	}
	w.status["/boats/5"], w.status["/boats/8"] = http.StatusGone, http.StatusServiceUnavailable
	toldAgain(t)
	asked("after another")
	if h := told(); h.Answers["4xx"] != 1 || h.Answers["5xx"] != 1 {
		t.Errorf("the answers were %v", h.Answers)
	}
	if card := must(t, "card", "--run", "runs/boats"); !strings.Contains(card, fmt.Sprintf("Of %d pages that were fetched and judged %d are here.", sitePages+1, sitePages)) {
		t.Errorf("the card says\n%s", card)
	}
	ctx, interrupt := context.WithCancel(context.Background())
	defer interrupt()
	w.seen = func(path string) {
		if path == "/boats/9" {
			interrupt()
		}
	}
	var out, errs strings.Builder
	if execute(ctx, []string{"crawl", "boats.yaml", "--again", "--quiet"}, &out, &errs); !strings.Contains(errs.String(), "the round is not finished") {
		t.Errorf("it says %s%s", out.String(), errs.String())
	}
	asked("in the middle of a round")
}
