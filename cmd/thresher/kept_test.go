package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/watch"
)

// What the second look keeps has an importance, and whoever shows what is kept shows that one, and sorts by it.
func TestImportanceIsOneNumberEverywhere(t *testing.T) {
	run := quickstartRun(t)
	said := map[string]float64{} // by address
	sum := 0.0
	for r, err := range sink.Kept(run) {
		noError(t, err)
		if r.Importance <= 0 || !r.Looked() || len(r.Why) == 0 && r.Depth > 0 {
			t.Fatalf("%s: importance %v, second %v, why %v", r.URL, r.Importance, r.Second, r.Why)
		}
		said[r.FinalURL], sum = r.Importance, sum+r.Importance
	}
	if mean := sum / float64(len(said)); math.Abs(mean-1) > 1e-6 {
		t.Errorf("the mean importance is %v", mean)
	}
	rows, err := csv.NewReader(strings.NewReader(must(t, "export", "--run", run, "--to", "csv", "--sort", "importance"))).ReadAll()
	if err != nil || len(rows) != len(said)+1 {
		t.Fatalf("%d rows of %d: %v", len(rows), len(said), err)
	}
	second, important := slices.Index(rows[0], "second"), slices.Index(rows[0], "importance")
	if second < 0 || important < 0 {
		t.Fatalf("columns: %v", rows[0])
	}
	descending(t, "export", len(rows)-1, func(i int) float64 { return asNumber(t, rows[i+1][important]) })
	jsonl := strings.Split(strings.TrimSpace(must(t, "export", "--run", run, "--sort", "relevance")), "\n")
	descending(t, "export by relevance", len(jsonl), func(i int) float64 {
		var r sink.Record
		noError(t, json.Unmarshal([]byte(jsonl[i]), &r))
		return r.Second
	})
	var listed struct{ Harvest []row }
	if err := json.Unmarshal([]byte(must(t, "list", "harvest", "--run", run, "--sort", "importance", "--json")), &listed); err != nil || len(listed.Harvest) != len(said) {
		t.Fatalf("%d listed: %v", len(listed.Harvest), err)
	}
	descending(t, "list", len(listed.Harvest), func(i int) float64 { return *listed.Harvest[i].Important })
	var found struct {
		Results []struct {
			URL        string
			Importance float64
		}
	}
	out := must(t, "search", run, "sailing", "--json")
	if err := json.Unmarshal([]byte(out), &found); err != nil || len(found.Results) == 0 {
		t.Fatalf("%v: %.300s", err, out)
	}
	for _, h := range found.Results {
		if math.Abs(h.Importance-said[h.URL]) > 1e-4*said[h.URL] {
			t.Errorf("the index says %v of %s, and kept.jsonl %v", h.Importance, h.URL, said[h.URL])
		}
	}
	replies(t, exitMisuse, "want relevance or importance", "export", "--run", run, "--sort", "beauty")
	report := mustRead(t, filepath.Join(run, "report.html"))
	for _, part := range []string{"The best of what is kept", "Near misses", "What the second look took in", `<a dir="auto" href="http://fairwind.test/s0/" rel="noreferrer">On the Water</a>`} {
		if strings.Count(report, part) < 1 {
			t.Errorf("report.html does not say %s", part)
		}
	}
	must(t, "winnow", "--run", run, "--top", "5")
	if again := mustRead(t, filepath.Join(run, "report.html")); strings.Count(again, "Near misses") != 1 || !strings.Contains(again, "What the second look took out") || strings.Contains(again, "Pages from 0.20 on") {
		t.Error("another cut does not stand in report.html")
	}
}

func descending(t *testing.T, what string, n int, of func(int) float64) {
	t.Helper()
	for i := 1; i < n; i++ {
		if of(i) > of(i-1) {
			t.Fatalf("%s: %v follows %v", what, of(i), of(i-1))
		}
	}
}

func asNumber(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	noError(t, err)
	return v
}

// Without a second look there is no importance, and it is said how to come by it.
func TestImportanceTakesASecondLook(t *testing.T) {
	run := quickstartRun(t, "--budget", "40", "--set", "second_look=off")
	for _, args := range [][]string{{"export"}, {"list", "harvest"}} {
		replies(t, exitFailed, "thresher winnow --run", append(args, "--run", run, "--sort", "importance")...)
		must(t, append(args, "--run", run, "--sort", "relevance")...)
	}
}

// poorSite is a site of pages from which nobody can learn what they are about, and of one that can be read.
func poorSite(t *testing.T) string {
	t.Helper()
	long := "<title>Harbour of a long text</title><p>" + strings.Repeat("The yacht lies in the harbour, and her mast is down. ", 100_000)
	pages := map[string]string{
		"/":              "<title>Yacht club</title><p>All about sailing, the yacht, the regatta and the harbour.<p><a href=/shell>sailing</a> <a href=/five>sailing</a> <a href=/long>sailing</a> <a href=/mixed>sailing</a> <a href=/round>sailing</a> <a href=/moved>sailing</a> <a href=/away>sailing</a> <a href=/home>sailing</a> <a href=/away/too>sailing</a> <a href=/copy>sailing</a> <a href=/told>sailing</a>",
		"/shell":         `<!doctype html><title>Sailing yacht regatta</title><div id="root">Loading…</div><a href=/behind>Yacht harbour</a><script src="/app.js"></script>`,
		"/told":          `<title>A mast</title><script type="application/ld+json">{"headline":"A mast","articleBody":"` + strings.Repeat("The yacht that was sailing to the regatta broke her mast off the harbour. ", 4) + `"}</script><div id="root"></div><script src="/app.js"></script>`,
		"/behind":        "<title>The yacht harbour</title><p>Behind an empty page a yacht is sailing to the regatta.",
		"/five":          "<title>A yacht</title><p>Five words on a yacht.",
		"/berth-50%-off": "<title>A berth</title><p>The berth of a yacht in the harbour.",
		"/long":          long,
		"/mixed":         "<title>帆船 regatta</title><p>帆船比赛 the sailing yacht 在港口 harbour 举行 every summer，桅杆 mast 很高。",
	}
	pages["/copy"] = pages["/behind"]
	away := map[string]string{"/round": "/round", "/moved": "/berth-50%-off", "/away": "/boat.zip", "/home": "/", "/away/too": "/boat.zip"}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if to := away[r.URL.Path]; to != "" {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if page, ok := pages[r.URL.Path]; ok {
			w.Write([]byte(page))
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// A page that only a script fills is refused by that name, whatever its title says: in the crawl, in lists, by judge and why. The
// links that it has are followed. Of a redirect it is said where it leads, and why nobody went there.
// Pages of five words, of 5 MB and in two languages at once are judged as any other.
func TestPagesThatSayLittleOrMuch(t *testing.T) {
	at := poorSite(t)
	files(t, "poor.yaml", "name: poor\ntopic: {terms: [sailing, yacht, regatta, harbour, 帆船, zeppelin]}\nmin_free: 0\npolite: {delay: 0s, contact: tests@example.org}\nfetch: {private: [127.0.0.1], retries: 0}\nseeds: ['"+at+"/']\n")
	must(t, "crawl", "poor.yaml", "--quiet")
	allCountersAgree(t, filepath.Join("runs", "poor"))
	harvest := must(t, "list", "harvest")
	for _, path := range []string{"/five", "/long", "/mixed", "/told"} {
		if !strings.Contains(harvest, at+path) {
			t.Errorf("%s is not kept:\n%s", path, harvest)
		}
	}
	if behind, copied := strings.Contains(harvest, at+"/behind"), strings.Contains(harvest, at+"/copy"); behind == copied {
		t.Errorf("of two pages of one text the one that comes first is kept: /behind %t, /copy %t:\n%s", behind, copied, harvest)
	}
	refused := must(t, "list", "refused")
	if strings.Contains(harvest, "/shell") || !strings.Contains(refused, "script-only") {
		t.Errorf("the shell: %s\n%s", harvest, refused)
	}
	if why := must(t, "why", at+"/shell"); !strings.HasPrefix(why, "Not kept, because only a script fills it, so that there is nothing to judge; it was found by the link “sailing” on the start page "+at+"/.\n") {
		t.Errorf("why: %s", why)
	}
	for path, because := range map[string]string{
		"/round": "it leads back to itself;", "/moved": "it leads on to " + at + "/berth-50%25-off;",
		"/away": "it leads on to " + at + "/boat.zip, which was refused: it is no page, by its ending or its media type",
		"/home": "it leads on to " + at + "/;", "/away/too": "it leads on to " + at + "/boat.zip, which was refused: it is no page",
	} {
		if why := must(t, "why", at+path); !strings.HasPrefix(why, "Not kept, because "+because) {
			t.Errorf("why: %s", why)
		}
	}
	if why := must(t, "why", at+"/"); !strings.Contains(why, "; it is a start page.\n") {
		t.Errorf("why: %s", why)
	}
	if why := must(t, "why", at+"/berth-50%-off"); !strings.HasPrefix(why, "Kept, because") {
		t.Errorf("why: %s", why)
	}
	if why := must(t, "why", at+"/away", "--json"); !strings.Contains(why, `"leads_to":"`+at+`/boat.zip"`) || !strings.Contains(why, `"refused_there":"type`) {
		t.Errorf("why --json: %s", why)
	}
	if said := must(t, "judge", "poor.yaml", at+"/shell"); !strings.HasPrefix(said, "not judged: script-only\n") {
		t.Errorf("judge: %s", said)
	}
	said := must(t, "judge", "poor.yaml", at+"/shell", at+"/five", at+"/long", at+"/mixed", at+"/")
	lines := strings.Split(strings.TrimSpace(said), "\n")
	if cut := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "-- threshold") }); cut != 4 || len(lines) != 6 || !strings.Contains(lines[5], "(script-only)") {
		t.Errorf("several pages:\n%s", said)
	}
	descending(t, "judge", len(lines), func(i int) float64 { return asNumber(t, strings.Fields(lines[i])[0]) })
	var object struct {
		Threshold float64
		Pages     []verdict
	}
	if err := json.Unmarshal([]byte(must(t, "judge", "poor.yaml", at+"/five", at+"/shell", "--json")), &object); err != nil || object.Threshold != .3 || len(object.Pages) != 2 || object.Pages[1].Refused != "script-only" {
		t.Errorf("%v: %+v", err, object)
	}
	if code, out, errs := thresher(t, "judge", "poor.yaml", at+"/five", at+"/nowhere"); code != exitFailed || !strings.Contains(out, "/five") || !strings.Contains(errs, "/nowhere") {
		t.Errorf("one that is not there: exit %d: %s%s", code, out, errs)
	}
}

// allCountersAgree holds what is read of a run's log, and what a repair makes of it, against what the crawl counted as relevant.
func allCountersAgree(t *testing.T, dir string) {
	t.Helper()
	crawled, err := run.ReadStanding(dir)
	noError(t, err)
	w, err := watch.Open(dir)
	noError(t, err)
	noError(t, w.Update())
	var listed struct{ Sites []struct{ Relevant int } }
	noError(t, json.Unmarshal([]byte(must(t, "list", "sites", "--run", dir, "--json")), &listed))
	sites := 0
	for _, s := range listed.Sites {
		sites += s.Relevant
	}
	again := filepath.Join(t.TempDir(), "again")
	noError(t, os.CopyFS(again, os.DirFS(dir)))
	noError(t, os.RemoveAll(filepath.Join(again, "state")))
	must(t, "repair", "--run", again)
	repaired, err := run.ReadStanding(again)
	noError(t, err)
	if crawled.Relevant != crawled.Kept {
		t.Errorf("%d pages are kept and %d relevant: what repeats a page is no find", crawled.Kept, crawled.Relevant)
	}
	if story := w.Story().Counts.Relevant; crawled.Relevant == 0 || story != crawled.Relevant || sites != crawled.Relevant || repaired.Relevant != crawled.Relevant {
		t.Errorf("relevant: %d by the crawl, %d on the live page, %d in the site table, %d after a repair", crawled.Relevant, story, sites, repaired.Relevant)
	}
}

// A topic of which nothing is said is refused where it is checked, too; what a centre is made of may be the start pages.
func TestATopicOfNothingIsRefused(t *testing.T) {
	files(t, "nothing.yaml", "seeds: [https://www.example.org/]\npolite: {contact: you@example.org}\n",
		"centre.yaml", "topic: {judge: centroid}\nseeds: [https://www.example.org/]\npolite: {contact: you@example.org}\n")
	for _, command := range []string{"check", "crawl"} {
		replies(t, exitMisuse, "nothing says what is looked for: give terms", command, "nothing.yaml")
	}
	replies(t, exitDone, "# the start pages are the topic", "check", "centre.yaml")
}

// Two terms of one stem are one, and pages that have it have both.
func TestTermsOfOneStemAreWatchedAsOne(t *testing.T) {
	run := filepath.Join(t.TempDir(), "run")
	t.Chdir(home)
	said := must(t, "crawl", "configs/quickstart.yaml", "--store", run, "--quiet", "--budget", "80", "--set", "topic.terms=[zeppelins, zeppelin, boats, boat]")
	if !strings.Contains(said, "none has “zeppelins”: ") {
		t.Errorf("%s", said)
	}
}

// Terms that stand on no page, or on every page, are told of in the summary, with what to do.
func TestTermsThatDoNoWorkAreTold(t *testing.T) {
	run := filepath.Join(t.TempDir(), "run")
	t.Chdir(home)
	said := must(t, "crawl", "configs/quickstart.yaml", "--store", run, "--quiet", "--budget", "120", "--set", "topic.terms=[sailing, zeppelin, regatta]")
	if !strings.Contains(said, "none has “zeppelin”: write it as pages write it, or take it out") || strings.Contains(said, "“sailing”") {
		t.Errorf("%s", said)
	}
	checked := must(t, "check", "configs/quickstart.yaml", "--set", "topic.terms=[sailing, zeppelin]", "--store", filepath.Join(t.TempDir(), "none"))
	lines := strings.Split(checked, "\n")
	cut := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "#   0.20  -- threshold") })
	if cut != 6 || !strings.HasPrefix(lines[2], "# what the threshold of 0.20 means, by ") || !strings.HasPrefix(lines[cut+3], "#   0.") || !strings.Contains(checked, "none has “zeppelin”") {
		t.Errorf("check: %.900s", checked)
	}
	if after := must(t, "check", "configs/quickstart.yaml", "--store", run); !strings.Contains(after, " pages of "+run+":\n") {
		t.Errorf("check beside a run: %.600s", after)
	}
	threshold := ":\n#   0.20  -- threshold"
	for _, c := range []struct{ set, web, want string }{
		{"topic.terms=[sailing, zeppelin, regatta]", "testdata/webs/quickstart", "of " + run + ":\n#   0.37"},
		{"topic.terms=[sailing, zeppelin, regatta]", "testdata/webs/quickstart", "none has “zeppelin”: write it"},
		{"topic.terms=[granite, zeppelin]", "testdata/webs/quickstart", " pages of " + run + threshold}, // judged again: none has enough of it
		{"topic.terms=[granite, zeppelin]", "", "none has “granite”, “zeppelin”"},
		{"topic.terms=[sailing]", "testdata/webs/small", " pages of testdata/webs/small:\n"},
		{"topic.positions.title=2", "", "# what the threshold of 0.20 means is not shown:\n# the pages of " + run + " were judged otherwise (topic.positions.title was nothing and is 2): "},
	} {
		if have := must(t, "check", "configs/quickstart.yaml", "--store", run, "--web", c.web, "--set", c.set); !strings.Contains(have, c.want) {
			t.Errorf("%s %s: %q is not in %.900s", c.set, c.web, c.want, have)
		}
	}
	w := &termWatch{terms: []string{"a", "b", "c"}, on: map[string]int{"a": 60, "c": 5}, pages: 60}
	if have := fmt.Sprint(w.short(), len(w.notes())); have != "[no page has “b” every page has “a”] 2" {
		t.Errorf("%s", have)
	}
	if w.pages = 20; len(w.notes()) > 0 {
		t.Error("20 pages are too few to say anything")
	}
	w = &termWatch{terms: []string{"sailing", "zeppelin"}, on: map[string]int{}, pages: 60} // the last links of a run are its poor ones
	w.goesOn(run, 100)
	if have := fmt.Sprint(w.short()); have != "[no page has “zeppelin”]" || w.pages <= 60 || w.pages > 160 {
		t.Errorf("of a run that goes on: %s, of %d pages", have, w.pages)
	}
}

// To check a file nothing is fetched, though an example page is an address.
func TestCheckFetchesNothing(t *testing.T) {
	var asked atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Store(true) }))
	defer server.Close()
	files(t, "solar.html", `<title>solar</title><p>solar panels</p>`, "a.yaml", "name: a\ntopic: {terms: [{term: solar}], examples: ['"+server.URL+"/', solar.html]}\n"+
		"seeds: ['"+server.URL+"/']\nfetch: {private: [127.0.0.1]}\npolite: {contact: me@example.org}\n")
	if out := must(t, "check", "a.yaml"); asked.Load() || strings.Contains(out, "threshold of") {
		t.Errorf("asked %v:\n%s", asked.Load(), out)
	}
}

// Figures that cannot be read keep no second look from being taken: it is said, and they stay as they are.
func TestDamagedFiguresAreSaid(t *testing.T) {
	run := quickstartRun(t)
	path := filepath.Join(run, "figures.json")
	noError(t, os.WriteFile(path, []byte("{"), 0o600))
	code, out, errs := thresher(t, "winnow", "--run", run, "--top", "20")
	if code != exitDone || !strings.Contains(out, "20 pages kept") || !strings.Contains(errs, "figures.json") || mustRead(t, path) != "{" {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
}
