package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/watch"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// TestANearMissIsShownWithItsCopy: of a run that takes values off pages, those that were not kept stand whole beside their text, and
// the copy is shown as harmless as any. Of a run that does not, the page says why there is none.
func TestANearMissIsShownWithItsCopy(t *testing.T) {
	s, _ := taught(t, Options{}, crawlfile.Override{Key: "extract", Value: `{heading: {css: h1}}`})
	if w := got(s, "/api/v1/runs/tea/label?from=zzz"); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), `from is "zzz", want telling, near or finds`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	listedAsTold(t, s)
	page := got(s, "/runs/tea/label?from=near").Body.String()
	_, at, ok := strings.Cut(page, ` src="runs/tea/copy?`)
	if !ok || strings.Contains(page, `id="nocopy"`) {
		t.Fatalf("a near miss is shown without its copy: %s", page)
	}
	at, _, _ = strings.Cut(at, `"`)
	_, near := told(t, s, "near")
	w := got(s, "/runs/tea/copy?"+at)
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), near[0].Title) || !strings.Contains(w.Body.String(), "noopener") || strings.Contains(w.Body.String(), "<script") ||
		!strings.Contains(w.Header().Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("%d %v\n%s\nwant %q", w.Code, w.Header(), w.Body, near[0].Title)
	}
	for _, query := range []string{"id=x", "id=999999", ""} {
		if w := got(s, "/runs/tea/copy?"+query); w.Code != http.StatusNotFound {
			t.Errorf("?%s: %d %s", query, w.Code, w.Body)
		}
	}
	s, _ = taught(t, Options{})
	page = got(s, "/runs/tea/label?from=near").Body.String()
	if strings.Contains(page, "<iframe") || !strings.Contains(page, "The text is what the run has of it") {
		t.Errorf("it does not say why a near miss has no copy: %s", page)
	}
}

// pathsOfRun are the addresses of a run in a page.
var pathsOfRun = regexp.MustCompile(` (?:href|action|src|data-live)="(runs/[^"]*)"`)

// TestLinksOfARunByAnyName: what the name of a run has in it that means something in an address leads nowhere else.
func TestLinksOfARunByAnyName(t *testing.T) {
	was := endedRun(t, crawlfile.Override{Key: "extract", Value: `{heading: {css: h1}}`})
	name := "a #b?c%2F"
	dir := filepath.Join(filepath.Dir(was), name)
	if err := os.Rename(was, dir); err != nil {
		t.Skip(err)
	}
	s := taughtIn(t, dir, Options{})
	at := "/runs/" + url.PathEscape(name)
	kinds := map[string]bool{}
	for _, page := range []string{"/runs", at, at + "/label?from=near"} {
		for _, m := range pathsOfRun.FindAllStringSubmatch(got(s, page).Body.String(), -1) {
			link := "/" + html.UnescapeString(m[1])
			if link == at+"/live" { // which has no end
				continue
			}
			if w := got(s, link); w.Code != http.StatusOK {
				t.Errorf("%s leads to %s: %d %s", page, link, w.Code, w.Body)
			}
			path, _, _ := strings.Cut(link, "?")
			kinds[path] = true
		}
	}
	if len(kinds) != 3 { // itself, its labels, and a copy
		t.Errorf("addresses of the run: %v", kinds)
	}
	story := &watch.Story{}
	story.Run.State = watch.Running
	if page, err := rendered("story", s.view(wordsFor(httptest.NewRequest(http.MethodGet, "/", nil)), name, story)); err != nil || !strings.Contains(page, ` data-live="`+at[1:]+`/live"`) {
		t.Errorf("%v: it is not followed at %s/live", err, at)
	}
	address := html.UnescapeString(regexp.MustCompile(`name="address" value="([^"]*)"`).FindStringSubmatch(got(s, at+"/label").Body.String())[1])
	w := posted(s, at, url.Values{"do": {"label"}, "from": {"near"}, "address": {address}, "relevant": {"no"}})
	if to := w.Header().Get("Location"); !strings.HasPrefix(to, at+"/label?") {
		t.Errorf("the button leads to %q: %d %s", to, w.Code, w.Body)
	}
}

// TestPagesAreLabelled labels pages by forms, as a browser without a script does.
func TestPagesAreLabelled(t *testing.T) {
	s, dir := taught(t, Options{})
	list := filepath.Join(dir, "labels.tsv")
	if w := got(s, "/runs/tea/label"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "Words that decided") || !strings.Contains(w.Body.String(), `name="address" value="http`) {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	_, near := told(t, s, "near")
	_, finds := told(t, s, "finds")
	if len(near) != shownAsked || len(finds) != shownAsked || near[0].Relevance >= .2 || near[0].Relevance < near[1].Relevance || finds[0].Relevance < .2 || len(finds[0].Words) == 0 || finds[0].Text == "" {
		t.Fatalf("near misses %+v\nfinds %+v", near, finds)
	}
	if page := got(s, "/runs/tea/label?from=finds").Body.String(); !strings.Contains(page, `<iframe sandbox=`) || !strings.Contains(page, `src="copy?c=tea&amp;id=`) {
		t.Errorf("a page that is kept is shown without its copy: %s", page)
	}
	say := func(address, relevant string) *httptest.ResponseRecorder {
		return posted(s, "/runs/tea", url.Values{"do": {"label"}, "from": {"near"}, "address": {address}, "relevant": {relevant}})
	}
	w := say(near[0].URL, "no")
	if to := w.Header().Get("Location"); w.Code != http.StatusSeeOther || !strings.HasPrefix(to, "/runs/tea/label?") || !strings.Contains(got(s, to).Body.String(), "The label is written down.") {
		t.Errorf("%d, to %q: %s", w.Code, to, w.Body)
	}
	if raw, err := os.ReadFile(list); err != nil || string(raw) != near[0].URL+"\tother\n" {
		t.Errorf("labels.tsv has %q (%v)", raw, err)
	}
	say(near[1].URL, "skip")
	say(near[2].URL, "no")
	say(finds[0].URL, "yes")
	say(finds[1].URL, "yes")
	l, rest := told(t, s, "near")
	if l.Relevant != 2 || l.Other != 2 || l.F1 == 0 {
		t.Errorf("%+v, want a judge of two labels of each", l)
	}
	for _, p := range rest {
		if p.URL == near[0].URL || p.URL == near[1].URL || p.URL == near[2].URL {
			t.Errorf("%s is asked about again", p.URL)
		}
	}
	for name, w := range map[string]*httptest.ResponseRecorder{"a second time": say(near[0].URL, "yes"), "another page": say("http://nowhere.test/", "yes"), "another word": say(near[3].URL, "perhaps"),
		"no weight": posted(s, "/runs/tea", url.Values{"do": {"take"}, "term": {"tea"}, "weight": {"NaN"}})} {
		if w.Code != http.StatusBadRequest {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	// Somebody labels on the command line meanwhile.
	file, err := study.OpenList(list)
	if err == nil {
		err = study.WriteLabel(file, study.Label{Address: rest[0].URL})
	}
	noError(t, err)
	file.Close()
	if l, _ := told(t, s, "near"); l.Other != 3 {
		t.Errorf("%+v, want the label that somebody else has written", l)
	}
}

// TestTroubleIsSaidOnThePage: what goes wrong at a button of the page of labels stands on that page, and a look that was taken is no
// trouble though a cluster could not be told.
func TestTroubleIsSaidOnThePage(t *testing.T) {
	s, _ := taught(t, Options{Steer: Steering{Train: func(string) (float64, error) { return 0, errors.New("there are no labels yet") }}})
	w := posted(s, "/runs/tea", url.Values{"do": {"train"}, "from": {"near"}})
	if sent := w.Result().Header.Get("Content-Type"); w.Code != http.StatusConflict || sent != "text/html; charset=utf-8" || !strings.Contains(w.Body.String(), `role="alert">there are no labels yet`) || !strings.Contains(w.Body.String(), `id="answer"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	s.o.Steer.Winnow = func(string) (int, error) { return 7, Unsent{errors.New("away")} }
	if w := posted(s, "/api/v1/runs/tea", url.Values{"do": {"winnow"}}); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "7 pages are kept. A cluster does not have them yet") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// manyPages is a server of a run that keeps many pages for its second look.
func manyPages(t *testing.T) (s *Server, dir string, whole winnow.Archive) {
	t.Helper()
	dir = copied(t, "many", func(dir string) {
		noError(t, os.CopyFS(dir, os.DirFS(endedRun(t))))
		path := filepath.Join(dir, "look.jsonl")
		raw, err := os.ReadFile(path)
		noError(t, err)
		lines := strings.SplitAfter(strings.TrimSuffix(string(raw), "\n"), "\n")
		number, address := regexp.MustCompile(`"record":\{"schema":1,"id":\d+`), regexp.MustCompile(`"final_url":"([^"]*)"`)
		var more strings.Builder
		for n := range 13 {
			for i, line := range lines {
				line = number.ReplaceAllString(line, fmt.Sprintf(`"record":{"schema":1,"id":%d`, 1_000_000+n*10_000+i))
				more.WriteString(strings.TrimSuffix(address.ReplaceAllString(line, fmt.Sprintf(`"final_url":"${1}?copy=%d"`, n)), "\n") + "\n")
			}
		}
		noError(t, os.WriteFile(path, []byte(strings.Join(lines, "")+"\n"+more.String()), 0o600))
	})
	s = taughtIn(t, dir, Options{})
	whole, err := winnow.Open(dir, []string{dir})
	if err != nil || len(whole.Pages) < 2000 {
		t.Fatalf("%d pages, %v", len(whole.Pages), err)
	}
	return s, dir, whole
}

// TestOnlyWhatIsAskedAboutIsAtHand reads a run with many pages for its second look: few of them stay in memory, any may be labelled,
// and when those at hand are used up there are more.
func TestOnlyWhatIsAskedAboutIsAtHand(t *testing.T) {
	s, dir, whole := manyPages(t)
	told(t, s, "near")
	l := s.school.lessons[dir]
	if n := len(l.archive.Pages); n > 2*atHand+study.UsualPool || !l.more[fromNear] {
		t.Errorf("%d of %d pages are at hand", n, len(whole.Pages))
	}
	far := ""
	for _, p := range whole.Pages {
		if _, there := l.at[p.URL]; !there {
			far = p.URL
		}
	}
	say := func(address, relevant string) {
		t.Helper()
		if w := posted(s, "/api/v1/runs/tea", url.Values{"do": {"label"}, "address": {address}, "relevant": {relevant}}); w.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", address, w.Code, w.Body)
		}
	}
	say(far, "no")
	asked := map[string]bool{}
	for len(asked) < atHand+20 {
		_, near := told(t, s, "near")
		if len(near) == 0 || asked[near[0].URL] {
			t.Fatalf("after %d pages: %v", len(asked), near)
		}
		for _, p := range near {
			asked[p.URL] = true
			say(p.URL, "skip")
		}
	}
}

// TestFewNearMissesAreReadOnce: a run with many finds and few near misses is not read again by everybody who is asked about those.
func TestFewNearMissesAreReadOnce(t *testing.T) {
	s, dir, whole := manyPages(t)
	told(t, s, "near")
	l, left := s.school.lessons[dir], 3
	for _, p := range whole.Pages {
		if p.Relevance < whole.Options.Threshold {
			if left--; left < 0 {
				l.skipped[p.URL] = true
			}
		}
	}
	l.stamp = "" // it is read again
	for range 2 {
		if _, near := told(t, s, "near"); len(near) != 3 || l.stamp == "" {
			t.Errorf("%d near misses, want 3; it is to be read again: %v", len(near), l.stamp == "")
		}
	}
	if _, finds := told(t, s, "finds"); len(finds) != shownAsked || !l.more[fromFinds] {
		t.Errorf("%d finds, more: %v", len(finds), l.more)
	}
}

// TestLabelsChangeWhatIsKept says of kept pages that they are not of the topic, asks what that changes, and takes the second look.
func TestLabelsChangeWhatIsKept(t *testing.T) {
	s, dir := taught(t, Options{})
	_, finds := told(t, s, "finds")
	for _, p := range finds[:3] {
		if w := posted(s, "/runs/tea", url.Values{"do": {"label"}, "address": {p.URL}, "relevant": {"no"}}); w.Code != http.StatusSeeOther {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	before, err := os.ReadFile(filepath.Join(dir, "kept.jsonl"))
	noError(t, err)
	var c winnow.Change
	if w := got(s, "/api/v1/runs/tea/change"); w.Code != http.StatusOK || json.Unmarshal(w.Body.Bytes(), &c) != nil || c.Labels != 3 || len(c.Out) < 3 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	out := map[string]bool{}
	for _, p := range c.Out {
		out[p.URL] = true
	}
	if !out[finds[0].URL] || !out[finds[1].URL] || !out[finds[2].URL] {
		t.Errorf("%v go out, want what is said to be of no interest", out)
	}
	if again, err := os.ReadFile(filepath.Join(dir, "kept.jsonl")); err != nil || string(again) != string(before) {
		t.Errorf("asking has changed what is kept (%v)", err)
	}
	if w := posted(s, "/api/v1/runs/tea", url.Values{"do": {"winnow"}}); w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if w := got(s, "/api/v1/runs/tea/change"); !strings.Contains(w.Body.String(), `"in":[],"out":[]`) {
		t.Errorf("after the look: %s", w.Body)
	}
	f, err := run.ReadFigures(dir)
	if err != nil || f.Look == nil || len(f.Look.Out) == 0 {
		t.Errorf("%+v, %v", f, err)
	}
}

// TestNobodyTeachesAServerThatOnlyShows holds the rules of the other buttons.
func TestNobodyTeachesAServerThatOnlyShows(t *testing.T) {
	s, dir := taught(t, Options{ReadOnly: true})
	page := got(s, "/runs/tea/label").Body.String()
	if strings.Contains(page, "<form") || !strings.Contains(page, "Words that decided") {
		t.Errorf("it has forms, or no page: %s", page)
	}
	_, finds := told(t, s, "finds")
	for _, do := range []string{"label", "winnow", "train", "take"} {
		w := posted(s, "/runs/tea", url.Values{"do": {do}, "address": {finds[0].URL}, "relevant": {"yes"}, "term": {"tea"}, "weight": {"1"}})
		if w.Code != http.StatusForbidden {
			t.Errorf("%s: %d %s", do, w.Code, w.Body)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "labels.tsv")); !os.IsNotExist(err) {
		t.Errorf("there are labels: %v", err)
	}
}

// TestTenPagesAreLabelledInABrowser labels with the mouse and with keys, and winnows.
func TestTenPagesAreLabelledInABrowser(t *testing.T) {
	b := newBrowser(t)
	s, dir := taught(t, Options{})
	server := opened(t, s)
	b.do(chromedp.Navigate(server.URL + "/runs/tea"))
	b.clicks(`nav a`)
	b.do(chromedp.WaitVisible("#answer"))
	labelled := func(n int) {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			raw, _ := os.ReadFile(filepath.Join(dir, "labels.tsv"))
			shown, err := chromedp.Run(b.ctx, chromedp.Evaluate[int](`document.readyState === "complete" && document.getElementById("learned") ? document.getElementById("learned").textContent.match(/\d+/g).slice(0, 2).reduce((a, b) => +a + +b, 0) : -1`))
			if err == nil && shown == n && strings.Count(string(raw), "\n") == n {
				return
			}
		}
		t.Fatalf("waited in vain for %d labels: %s", n, b.read(chromedp.Text("body")))
	}
	for n := range 10 {
		answer := []string{"yes", "no"}[n%2]
		if n < 5 {
			b.clicks(`#answer button[value=` + answer + `]`)
		} else {
			b.do(chromedp.KeyEvent(answer[:1]))
		}
		labelled(n + 1)
	}
	if learned := b.read(chromedp.Text("#learned")); !strings.Contains(learned, "5 relevant, 5 not") || !strings.Contains(learned, "F1") {
		t.Errorf("it says %q", learned)
	}
	b.clicks("#would")
	b.do(chromedp.WaitVisible("#change"))
	if change := b.read(chromedp.Text("#change")); !strings.HasPrefix(change, "By 10 labels") {
		t.Errorf("it says %q", change)
	}
	b.clicks(`button[value=winnow]`)
	b.do(chromedp.WaitVisible(`#would`))
	if said := b.read(chromedp.Text("#said")); !strings.HasPrefix(said, "The second look was taken") {
		t.Errorf("it says %q", said)
	}
	b.bothPictures(server.URL, map[string]string{"label": "/runs/tea/label", "label-change": "/runs/tea/label?change=1&from=near", "label-words": "/runs/tea/label?suggest=1", "finished": "/runs/tea"})
}
