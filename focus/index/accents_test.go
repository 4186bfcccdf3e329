package index

import (
	"fmt"
	"strings"
	"testing"
)

// TestPlainLettersFindAccents holds that a word is found by who types it without its accents, also where other pages have it so, and that
// who types them gets the pages first that have them.
func TestPlainLettersFindAccents(t *testing.T) {
	h := newHarvest(t)
	h.keep("http://a.example/1", article("Letters", "How to send a resume to an office in Zurich, and where to find the straße."))
	h.keep("http://b.example/2", article("Letters", "How to send a résumé to an office in Zürich, and where to find the strasse."))
	h.keep("http://c.example/3", article("Letters", "How to send a re\u0301sume\u0301 to an office, and how the École begins. Всё о чае, йод."))
	c, _ := opened(t, h.dir)
	for query, want := range map[string]string{
		"resume": "1 2 3", "résumé": "2 3 1", "zurich": "1 2", "ZÜRICH": "2 1", "ecole": "3", "école": "3", "Strasse": "1 2", "straße": "1 2",
		`"a resume to"`: "1 2 3", `"a résumé to"`: "1 2 3", "все": "3", "всё": "3", "иод": "", "office -résumé": "",
	} {
		if got := found(asked(t, c, query)); got != want {
			t.Errorf("%s: pages %q, want %q", query, got, want)
		}
	}
	for _, query := range []string{"resume", "résumé"} {
		a := asked(t, c, query)
		for _, hit := range a.Hits {
			if !strings.Contains(fmt.Sprint(hit.Snippet), " true}") {
				t.Errorf("%s: nothing is marked in page %d: %v", query, hit.ID, hit.Snippet)
			}
		}
	}
	if a := asked(t, c, "ecole"); !strings.Contains(fmt.Sprint(a.Hits[0].Snippet), "{École true}") {
		t.Errorf("not marked: %v", a.Hits[0].Snippet)
	}
}

// TestAnAccentMakesAnotherWordOfAStopWord: thé is what somebody looks for, and the is not.
func TestAnAccentMakesAnotherWordOfAStopWord(t *testing.T) {
	h := newHarvest(t)
	for range 3 {
		h.keep("http://a.example/the", article("Green", "The green of the hills is the best of the year."))
	}
	h.keep("http://b.example/4", article("Vert", "Le thé vert."))
	c, _ := opened(t, h.dir)
	for query, want := range map[string]string{"thé": "4", "thé vert": "4", "THÉ": "4"} {
		a := asked(t, c, query)
		if got := found(a); got != want {
			t.Fatalf("%s: pages %q, want %q", query, got, want)
		}
		if said := strings.ToLower(fmt.Sprint(a.Hits[0].Snippet)); !strings.Contains(said, "{thé true}") {
			t.Errorf("%s: not marked in %s", query, said)
		}
	}
}
