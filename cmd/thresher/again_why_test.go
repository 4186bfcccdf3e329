package main

import (
	"net/http"
	"strings"
	"testing"
)

// TestWhyKnowsWhatRoundsFound: a page that was new, one that was new and of no use, three that the crawl had no answer of, of which one is not
// there and to another a page has moved, and one that is gone.
func TestWhyKnowsWhatRoundsFound(t *testing.T) {
	w := newChangingWeb(t)
	for _, path := range []string{"/boats/33", "/boats/35", "/boats/36"} {
		w.status[path] = http.StatusServiceUnavailable
	}
	w.write(t, "second_look: 'off'\nsinks: [{to: jsonl}]\n")
	must(t, "crawl", "boats.yaml", "--quiet")
	w.text["/boats/new"] = "A quokka."
	w.more = "<a href=/boats/new>sailing boat, new</a> <a href=/boats/lost>sailing boat, lost</a>"
	w.status = map[string]int{"/boats/31": http.StatusGone, "/boats/35": http.StatusNotFound, "/boats/37": http.StatusMovedPermanently}
	w.away = map[string]string{"/boats/37": "/boats/36"}
	if told := toldAgain(t); told.New != 2 || told.Gone != 1 {
		t.Fatalf("it tells %+v", told)
	}
	for path, want := range map[string][]string{
		"/boats/new":  {"Kept, because it speaks of ", "it was found by the link “sailing boat, new” on the page " + w.URL + "/.", "kept on "},
		"/boats/lost": {"Not kept, because its host answered with an error (404 Not Found); a round of --again came to it."},
		"/boats/33":   {"Kept, because it speaks of ", "a round of --again came to it."},
		"/boats/35":   {"Not kept, because its host answered with an error (404 Not Found); a round of --again came to it."},
		"/boats/36":   {"Kept, because it speaks of ", "the link “/boats/37” on the page "},
		"/boats/31":   {"Gone: a visit on ", " did not find it any more, and its record stays: it speaks of ", "on the start page "},
		"/boats/32":   {"Kept, because it speaks of "},
	} {
		said := must(t, "why", w.URL+path)
		for _, part := range want {
			if !strings.Contains(said, part) {
				t.Errorf("of %s why says %s, want %q", path, said, part)
			}
		}
	}
	refused := must(t, "list", "refused", "--wide")
	for path, want := range map[string]bool{"/boats/33": false, "/boats/35": true, "/boats/36": false} {
		if listed := strings.Contains(refused, w.URL+path); listed != want {
			t.Errorf("%s is listed as refused: %v\n%s", path, listed, refused)
		}
	}
	if said := must(t, "why", w.URL+"/boats/37", "--json"); !strings.Contains(said, `"moved_to":"`+w.URL+`/boats/36"`) || !strings.Contains(said, `"fate":"kept"`) {
		t.Errorf("of one that has moved it says in JSON %s", said)
	}
	if said := must(t, "why", w.URL+"/boats/new", "--json"); !strings.Contains(said, `"again":true`) || !strings.Contains(said, `"fate":"kept"`) {
		t.Errorf("in JSON it says %s", said)
	}
}

// TestListHarvestSaysWhatRoundsFound: where a page stands that has moved, and what one is called by now that has changed.
func TestListHarvestSaysWhatRoundsFound(t *testing.T) {
	w := newChangingWeb(t)
	w.write(t, "second_look: 'off'\nsinks: [{to: jsonl}]\n")
	must(t, "crawl", "boats.yaml", "--quiet")
	before := strings.Split(must(t, "list", "harvest", "--wide"), "\n")
	w.status = map[string]int{"/boats/30": http.StatusMovedPermanently}
	w.away = map[string]string{"/boats/30": "/boats/elsewhere"}
	w.text["/boats/elsewhere"] = "It has moved, and stays a boat."
	w.text["/boats/31"] = "It says more than before, and is of the topic."
	w.title = map[string]string{"/boats/31": "Sailing round the cape"}
	if told := toldAgain(t); told.Changed != 2 || told.New+told.Gone+told.Taken_out != 0 {
		t.Fatalf("it tells %+v", told)
	}
	for i, line := range strings.Split(must(t, "list", "harvest", "--wide"), "\n") {
		want := before[i]
		switch {
		case strings.Contains(want, w.URL+"/boats/30 "):
			want = strings.ReplaceAll(want, "/boats/30", "/boats/elsewhere")
		case strings.Contains(want, w.URL+"/boats/31 "):
			want = strings.ReplaceAll(want, "Sailing /boats/31", "Sailing round the cape")
		}
		if line != want {
			t.Errorf("line %d of list harvest says\n%s, want\n%s", i, line, want)
		}
	}
}
