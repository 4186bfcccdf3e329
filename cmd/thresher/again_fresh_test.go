package main

import (
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"testing"
)

// TestANewPageThatDoesNotAnswerIsAskedForAgain, in three rounds at most: what answers then is kept.
func TestANewPageThatDoesNotAnswerIsAskedForAgain(t *testing.T) {
	w := newChangingWeb(t)
	w.write(t, "second_look: 'off'\nsinks: [{to: jsonl}]\n")
	must(t, "crawl", "boats.yaml", "--quiet")
	w.text["/boats/new"], w.text["/boats/never"] = "A quokka.", "An otter."
	w.status["/boats/new"], w.status["/boats/never"] = http.StatusServiceUnavailable, http.StatusTooManyRequests
	w.more = "<a href=/boats/new>sailing boat, new</a> <a href=/boats/never>sailing boat, never</a>"
	for round := 1; round <= 4; round++ {
		w.reset()
		told := toldAgain(t)
		asked := slices.Contains(w.asked, "/boats/never")
		if asked != (round <= 3) || asked != (told.Not_answered > 0) {
			t.Errorf("round %d: %+v, asked for what never answers: %v", round, told, asked)
		}
		if kept := keptByPath(t, w)["/boats/new"] != nil; kept != (round >= 2) || round <= 2 && !slices.Contains(w.asked, "/boats/new") {
			t.Errorf("round %d: what answers from the second on is kept: %v", round, kept)
		}
		delete(w.status, "/boats/new")
	}
}

// TestWhatTheScopeRefusesTakesNoPlace: of what waits, the scope of the crawl file lets some in, and these are visited, though others
// come before them and there is room for three.
func TestWhatTheScopeRefusesTakesNoPlace(t *testing.T) {
	w := newChangingWeb(t)
	w.text["/ads/1"], w.text["/zz"] = "An ad.", "An octopus."
	w.write(t, "second_look: 'off'\nsinks: [{to: jsonl}]\nscope: {sitemaps: false, not_paths: ['/ads/*']}\n")
	must(t, "crawl", "boats.yaml", "--quiet")
	text, err := json.Marshal(map[string]any{"round": 0, "known": []string{}, "waiting": []string{w.URL + "/ads/1", w.URL + "/ads/2", w.URL + "/ads/3", w.URL + "/zz"}})
	noError(t, err)
	noError(t, os.MkdirAll("runs/boats/again", 0o700))
	for name, text := range map[string][]byte{"links.json": text, "visits.jsonl": nil, "harvest.jsonl": nil, "look.jsonl": nil} {
		noError(t, os.WriteFile("runs/boats/again/"+name, text, 0o600))
	}
	w.reset()
	if told := toldAgain(t, "--budget", "6"); told.New != 1 || !slices.Contains(w.asked, "/zz") || slices.Contains(w.asked, "/ads/1") {
		t.Errorf("it tells %+v, and asked for %v", told, w.asked)
	}
}
