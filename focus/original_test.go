package focus_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/run"
)

// A page that names another address as its own is not kept beside the page at that address; a page that calls itself by
// the address of the front page is kept, as is one whose own address was not fetched; and that address is not fetched any more.
func TestAPageThatCallsItselfByAnotherAddress(t *testing.T) {
	w := solarWeb()
	own := func(canonical, word string) answer {
		return answer{status: 200, body: fmt.Sprintf("<title>Solar %s</title><link rel=canonical href=%q><p>solar energy panel %s", word, canonical, strings.Repeat(word+" solar energy ", 40))}
	}
	w.pages["http://a.example/story"] = own("http://a.example/story", "original")
	for path, a := range map[string]answer{
		"/story?print=1": own("/story", "print"), "/story?from=mail": own("http://a.example/story", "mail"),
		"/front": own("http://a.example/", "front"), "/lost?page=2": own("/lost", "lost"),
		"/late-roofs?from=mail": own("/late-roofs", "late"), "/late-roofs": own("/late-roofs", "late, too"),
	} {
		w.pages["http://a.example"+path] = a
	}
	for _, c := range []struct {
		duplicates string
		want       string
	}{{"drop", "/story /front /lost?page=2 /late-roofs?from=mail"}, {"keep", "/story /story?print=1 /story?from=mail /front /lost?page=2 /late-roofs?from=mail /late-roofs"}} {
		config := solarConfig(t, w)
		config.Seeds = nil
		for _, path := range []string{"/story", "/story?print=1", "/story?from=mail", "/front", "/lost?page=2", "/late-roofs?from=mail", "/late-roofs"} {
			config.Seeds = append(config.Seeds, "http://a.example"+path)
		}
		config.Polite.PerHost, config.Polite.Parallel, config.Topic.Threshold, config.Duplicates = 1, 1, 0, c.duplicates
		report := crawlWith(t, config)
		var kept []string
		for _, r := range harvest(t, config) {
			if path, ok := strings.CutPrefix(r.URL, "http://a.example"); ok {
				kept = append(kept, path)
			}
			if r.URL == "http://a.example/late-roofs?from=mail" && r.Canonical != "http://a.example/late-roofs" {
				t.Errorf("its record says that it calls itself %q", r.Canonical)
			}
		}
		if got := strings.Join(kept, " "); got != c.want {
			t.Errorf("duplicates: %s: kept are %s, want %s; dropped %v", c.duplicates, got, c.want, report.Counts.Dropped)
		}
		spared := report.Counts.Dropped[admit.RefusedNamed]
		if asked := w.count("http://a.example/late-roofs"); c.duplicates == "drop" && (asked != 0 || spared != 1) {
			t.Errorf("the address by which a kept page calls itself was asked for %d times, and refused %d times", asked, spared)
		}
		named := 0
		if err := run.ReadLog(filepath.Join(config.Store, run.FileLog), func(d *run.Decision) bool {
			if d.Reason == "duplicate: calls itself http://a.example/story" {
				named++
			}
			return true
		}); err != nil || c.duplicates == "drop" && (named != 2 || report.Counts.Dropped[admit.RefusedDuplicate] != 2) {
			t.Errorf("%d pages were dropped by name: %v, %v", named, report.Counts.Dropped, err)
		}
		if counts := report.Counts; counts.Relevant != counts.Kept {
			t.Errorf("duplicates: %s: %d are kept and %d relevant: what repeats a page is no find", c.duplicates, counts.Kept, counts.Relevant)
		}
	}
}

// Articles that all call themselves by the address of the program which shows them are kept beside the list that stands there.
func TestArticlesThatCallThemselvesByTheirProgram(t *testing.T) {
	w := solarWeb()
	head := `<link rel=canonical href="http://a.example/news.php"><title>Solar %s</title><p>solar energy panel `
	list := fmt.Sprintf(head, "news")
	config := solarConfig(t, w)
	config.Seeds = []string{"http://a.example/news.php"}
	for i, word := range []string{"roofs", "fields", "boats", "farms"} {
		w.pages[fmt.Sprintf("http://a.example/news.php?id=%d", i+7)] = answer{status: 200, body: fmt.Sprintf(head, word) + strings.Repeat(word+" solar energy ", 40)}
		list += fmt.Sprintf("<a href=?id=%d>solar %s</a> ", i+7, word)
	}
	w.pages["http://a.example/news.php"] = answer{status: 200, body: list}
	config.Topic.Threshold = 0
	if report := crawlWith(t, config); report.Counts.Kept != 5 {
		t.Errorf("%d of 5 pages are kept; dropped %v", report.Counts.Kept, report.Counts.Dropped)
	}
}

// What a kept page calls itself by is known to a run whose state was made anew, too.
func TestARepairKnowsWhatKeptPagesCallThemselves(t *testing.T) {
	w := solarWeb()
	article := answer{status: 200, body: `<title>Solar roofs</title><link rel=canonical href="http://a.example/late-roofs"><p>solar energy panel ` + strings.Repeat("solar energy ", 40)}
	w.pages["http://a.example/late-roofs?from=mail"], w.pages["http://a.example/late-roofs"] = article, article
	for _, duplicates := range []string{"drop", "keep"} {
		config := solarConfig(t, w)
		config.Seeds = []string{"http://a.example/late-roofs?from=mail", "http://a.example/late-roofs"}
		config.Polite.PerHost, config.Polite.Parallel, config.Topic.Threshold, config.Duplicates = 1, 1, 0, duplicates
		config.Budget.Pages = 1
		if kept := crawlWith(t, config).Counts.Kept; kept != 1 {
			t.Fatalf("%d pages are kept", kept)
		}
		if err := os.RemoveAll(filepath.Join(config.Store, run.FileState)); err != nil {
			t.Fatal(err)
		}
		if done, err := focus.Repair(config.Store); err != nil || !done.Rebuilt {
			t.Fatalf("%+v, %v", done, err)
		}
		config.Budget.Pages = 2
		before := w.count("http://a.example/late-roofs")
		spared := crawlWith(t, config).Counts.Dropped[admit.RefusedNamed]
		if asked := w.count("http://a.example/late-roofs") - before; (asked == 0) != (duplicates == "drop") || asked+spared != 1 {
			t.Errorf("duplicates: %s: the address by which a kept page calls itself was asked for %d times, and refused %d times", duplicates, asked, spared)
		}
	}
}
