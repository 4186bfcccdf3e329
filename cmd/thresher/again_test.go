package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// changingWeb is a site that a test changes between visits. Its pages have names of their state, but for those under /plain.
type changingWeb struct {
	*httptest.Server
	mu       sync.Mutex
	text     map[string]string // what a page says beside its number
	title    map[string]string // where it is not that by its number
	status   map[string]int    // where it is not 200
	more     string            // on the front page
	feed     string            // the items of one, that the front page names
	lastmod  map[string]string
	away     map[string]string // where a page redirects to
	untagged bool              // no page has a name of its state
	moved    int               // bytes of bodies that went out
	asked    []string          // paths, in order
	requests int               // those for robots.txt and the like among them
	kills    map[string]bool
	process  *os.Process // that is killed where it asks for one of those, once each
	seen     func(path string)
}

const (
	sitePages  = 40
	namedPages = sitePages - sitePages/10 // those whose state has a name
)

func newChangingWeb(t *testing.T) *changingWeb {
	w := &changingWeb{text: map[string]string{}, status: map[string]int{}, lastmod: map[string]string{}}
	w.Server = httptest.NewServer(http.HandlerFunc(w.serve))
	t.Cleanup(w.Close)
	return w
}

func (w *changingWeb) serve(out http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.kills[r.URL.Path] {
		delete(w.kills, r.URL.Path)
		w.process.Kill()
		w.mu.Unlock()
		<-r.Context().Done() // until it is dead
		w.mu.Lock()
		return
	}
	w.requests++
	if w.seen != nil {
		w.seen(r.URL.Path)
	}
	if to := w.away[r.URL.Path]; to != "" {
		http.Redirect(out, r, to, cmp.Or(w.status[r.URL.Path], http.StatusFound))
		return
	}
	body, tag := w.page(r.URL.Path)
	if !ofHost(r.URL.Path) {
		w.asked = append(w.asked, r.URL.Path)
	}
	if s := w.status[r.URL.Path]; s != 0 {
		body, tag = "", ""
		out.WriteHeader(s)
	} else if body == "" {
		http.NotFound(out, r)
		return
	}
	if tag != "" {
		out.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			out.WriteHeader(http.StatusNotModified)
			return
		}
	}
	w.moved += len(body)
	fmt.Fprint(out, body)
}

func (w *changingWeb) page(path string) (body, tag string) {
	var b strings.Builder
	switch {
	case path == "/robots.txt":
		return "User-agent: *\nAllow: /\nSitemap: " + w.URL + "/sitemap.xml\n", ""
	case path == "/sitemap.xml":
		b.WriteString(`<urlset>`)
		for n := range sitePages {
			path := sitePath(n)
			fmt.Fprintf(&b, "<url><loc>%s%s</loc>", w.URL, path)
			if at := w.lastmod[path]; at != "" {
				fmt.Fprintf(&b, "<lastmod>%s</lastmod>", at)
			}
			b.WriteString("</url>")
		}
		b.WriteString("</urlset>")
	case path == "/feed":
		if w.feed == "" {
			return "", ""
		}
		b.WriteString(`<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>What is new</title>` + w.feed + `</feed>`)
	case path == "/":
		b.WriteString("<title>All our pages</title><ul>")
		if w.feed != "" {
			b.WriteString(`<link rel="alternate" type="application/atom+xml" href="/feed">`)
		}
		for n := range sitePages {
			fmt.Fprintf(&b, "<li><a href=%s>%s</a>", sitePath(n), sitePath(n))
		}
		b.WriteString("</ul>" + w.more)
	default:
		own, known := w.text[path]
		if n := slices.Index(allSitePaths(), path); n < 0 && !known {
			return "", ""
		}
		fmt.Fprintf(&b, "<title>%s</title><h1>%[1]s</h1><p>%s</p>", cmp.Or(w.title[path], "Sailing "+path), own)
		for n := range 40 {
			fmt.Fprintf(&b, "<p>A sailing boat called %s%d leaves the harbour with sails of colour %d, and its crew is sailing home by night.</p>\n", path, n, 7*n)
		}
	}
	body = b.String()
	if !isPlain(path) && !w.untagged {
		tag = fmt.Sprintf(`"%x"`, len(body)) + fmt.Sprint(strings.Count(body, "e"))
		tag = `"` + strings.ReplaceAll(tag, `"`, "") + `"`
	}
	return body, tag
}

func isPlain(path string) bool { return strings.HasPrefix(path, "/plain") }

func sitePath(n int) string {
	if n%10 == 4 {
		return fmt.Sprintf("/plain/%d", n)
	}
	return fmt.Sprintf("/boats/%d", n)
}

func allSitePaths() (all []string) {
	for n := range sitePages {
		all = append(all, sitePath(n))
	}
	return all
}

// reset forgets what was asked, and answers how many bytes that moved.
func (w *changingWeb) reset() (moved int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	moved, w.moved, w.asked, w.requests = w.moved, 0, nil, 0
	return moved
}

func (w *changingWeb) write(t *testing.T, more string) {
	t.Helper()
	files(t, "boats.yaml", "name: boats\ntopic: {language: en, terms: [sailing, boat]}\nseeds: ['"+w.URL+"/']\n"+
		"polite: {contact: you@example.org, delay: 0s}\nfetch: {private: [127.0.0.1], retries: 0}\nmin_free: 0\nduplicates: keep\nbudget: {pages: 500}\n"+more)
}

func keptByPath(t *testing.T, w *changingWeb) map[string]*sink.Record {
	t.Helper()
	all := map[string]*sink.Record{}
	for r, err := range sink.Kept("runs/boats") {
		noError(t, err)
		path := strings.TrimPrefix(r.URL, w.URL)
		if all[path] != nil {
			t.Errorf("%s is kept twice", path)
		}
		all[path] = r
	}
	return all
}

// roundTold is what crawl --again --json prints.
type roundTold struct {
	Visited, Unchanged, Changed, Gone, Still_gone, New, New_not_kept, Taken_out, Not_answered, Left int
	pages                                                                                           map[string]event // by address
}

func toldAgain(t *testing.T, args ...string) (told roundTold) {
	t.Helper()
	out := must(t, append([]string{"crawl", "boats.yaml", "--again", "--json"}, args...)...)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &told); err != nil {
		t.Fatal(err, out)
	}
	told.pages = map[string]event{}
	for _, line := range lines[:len(lines)-1] {
		var e event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err, line)
		}
		told.pages[e.URL] = e
	}
	if sum := told.Unchanged + told.Changed + told.Gone + told.Still_gone + told.New + told.New_not_kept; sum > told.Visited || sum+told.Not_answered < told.Visited { // what is not answered may not have been asked
		t.Errorf("of %d visits %d are told of, and %d that were not answered", told.Visited, sum, told.Not_answered)
	}
	return told
}

// checkAsTheyWere holds the events of the first pages that hosts say are as they were against what is kept of them.
func checkAsTheyWere(t *testing.T, w *changingWeb, told roundTold, kept map[string]*sink.Record) {
	t.Helper()
	for n := range sitePages {
		path := sitePath(n)
		e, r := told.pages[w.URL+path], kept[path]
		if visited := !isPlain(path); visited != (e.Relevance != nil) || visited && (!e.Unchanged || !e.Kept || e.Reason != "" || e.Title != r.Title || *e.Relevance != r.Relevance) {
			t.Errorf("of %s, which has not changed, the event is %+v", path, e)
		}
	}
	if e := told.pages[w.URL+"/"]; !e.Unchanged || e.Kept || e.Relevance != nil || e.Title != "" {
		t.Errorf("of the front page, which is not kept, the event is %+v", e)
	}
}

// TestAgainWhereNothingIsDue: where every page would be sent whole, and was seen a moment ago, no round is begun, which is no failure;
// nothing of the site is asked for but what lists its pages.
func TestAgainWhereNothingIsDue(t *testing.T) {
	w := newChangingWeb(t)
	w.untagged = true
	w.write(t, "")
	must(t, "crawl", "boats.yaml", "--quiet")
	first := w.reset()
	if told := toldAgain(t); told.Left < sitePages || told.Visited > 0 {
		t.Errorf("it tells %+v", told)
	}
	replies(t, exitDone, "is likely to have changed yet: they are left for the next round", "crawl", "boats.yaml", "--again", "--quiet")
	if moved := w.reset(); moved > first/20 {
		t.Errorf("%d of %d bytes moved", moved, first)
	}
}

// TestAgain: a web that has not changed costs next to nothing, and of one that has, what changed, went and came is found, marked
// and taken in; records say when.
func TestAgain(t *testing.T) {
	for _, way := range []string{"", "second_look: 'off'\n"} {
		t.Run("with "+way, func(t *testing.T) {
			w := newChangingWeb(t)
			w.write(t, way+"sinks: [{to: jsonl}, {to: warc}]\n")
			must(t, "crawl", "boats.yaml", "--quiet")
			first := w.reset()
			before := keptByPath(t, w)
			if len(before) != sitePages {
				t.Fatalf("the first crawl kept %d pages", len(before))
			}

			// Every tenth page has no name of its state: whoever asks for it again so soon would have it sent again for nothing.
			told := toldAgain(t)
			moved := w.reset()
			t.Logf("the first crawl moved %d bytes, a round over a web that has not changed %d (%.1f %%)", first, moved, 100*float64(moved)/float64(first))
			if moved > first/50 || told.Left != sitePages-namedPages || told.Changed+told.Gone+told.New > 0 {
				t.Errorf("nothing has changed, and %d of %d bytes moved: %+v", moved, first, told)
			}
			checkAsTheyWere(t, w, told, before)
			same := keptByPath(t, w)
			for path, r := range before {
				s := same[path]
				if s == nil || s.ID != r.ID || s.Text != r.Text || !s.FirstSeen.Equal(r.FirstSeen) || !s.LastChanged.Equal(r.LastChanged) || s.LastSeen.After(r.LastSeen) == isPlain(path) {
					t.Fatalf("%s was %+v, is %+v", path, r, s)
				}
			}

			replies(t, exitDone, w.URL+"/boats/5\"", "search", "runs/boats", `title:"/boats/5"`, "--json")
			w.text["/boats/3"] = "Regatta: a zeppelin was seen."
			w.status["/boats/5"], w.status["/boats/7"], w.status["/boats/8"] = http.StatusGone, http.StatusServiceUnavailable, http.StatusNotFound
			w.text["/boats/new"] = "A quokka came aboard."
			w.more = "<a href=/boats/new>sailing boat, new</a>"
			told = toldAgain(t)
			if told.Changed != 1 || told.Gone != 2 || told.New != 1 || told.Not_answered != 1 {
				t.Errorf("it tells %+v", told)
			}
			now := keptByPath(t, w)
			changed, gone, failing, fresh := now["/boats/3"], now["/boats/5"], now["/boats/7"], now["/boats/new"]
			if !strings.Contains(changed.Text, "zeppelin") || !changed.LastChanged.After(before["/boats/3"].Time) || !changed.FirstSeen.Equal(before["/boats/3"].Time) {
				t.Errorf("what changed is %+v", changed)
			}
			if gone.Gone == "" || gone.Text != before["/boats/5"].Text || !gone.LastSeen.Equal(same["/boats/5"].LastSeen) || now["/boats/8"].Gone == "" {
				t.Errorf("what is gone is %+v", gone)
			}
			if failing.Gone != "" || !failing.LastSeen.Equal(same["/boats/7"].LastSeen) {
				t.Errorf("what does not answer is %+v", failing)
			}
			if fresh == nil || !strings.Contains(fresh.Text, "quokka") || !fresh.FirstSeen.Equal(fresh.Time) {
				t.Errorf("what is new is %+v", fresh)
			}

			if told = toldAgain(t); told.Gone != 0 || told.Still_gone != 2 || told.Visited != told.Unchanged+told.Still_gone+told.Not_answered {
				t.Errorf("of what has not changed since it tells %+v", told)
			}

			for query, want := range map[string]int{"zeppelin": 1, "quokka": 1, "title:\"/boats/5\"": 0} {
				out := must(t, "search", "runs/boats", query, "--json")
				var found struct{ Total int }
				if err := json.Unmarshal([]byte(out), &found); err != nil || found.Total != want {
					t.Errorf("%s is found %d times, want %d: %v %s", query, found.Total, want, err, out)
				}
			}
			if out := must(t, "list", "harvest"); !strings.Contains(out, "/boats/new") || strings.Count(out, "(gone)") != 2 {
				t.Errorf("list harvest says %s", out)
			}
			if out := must(t, "export"); !strings.Contains(out, "zeppelin") || strings.Count(out, "\n") != sitePages+1 {
				t.Errorf("the export has %d lines", strings.Count(out, "\n"))
			}
			for form, want := range map[string]int{"csv": 1, "text": 2, "chunks": 2} { // in a table the column is called so
				if out := must(t, "export", "--to", form); strings.Count(out, "gone") < want || !strings.Contains(out, gone.Gone) {
					t.Errorf("as %s it says %d times that a page is gone, want %d", form, strings.Count(out, "gone"), want)
				}
			}
			if out := must(t, "export", "--there"); strings.Count(out, "\n") != sitePages-1 || strings.Contains(out, gone.Gone) {
				t.Errorf("the export of what is there has %d lines", strings.Count(out, "\n"))
			}
			if way == "" { // another second look does not bring back what was
				must(t, "winnow", "--run", "runs/boats")
				if r := keptByPath(t, w); !strings.Contains(r["/boats/3"].Text, "zeppelin") || r["/boats/5"].Gone == "" || r["/boats/new"] == nil {
					t.Error("winnow has brought back what was")
				}
			}

			delete(w.status, "/boats/5")
			w.reset()
			if way == "" {
				checkLastCut(t)
			} else if told = toldAgain(t); told.New+told.Changed > 0 {
				t.Errorf("then it tells %+v", told)
			}
			if r := keptByPath(t, w)["/boats/5"]; r.Gone != "" {
				t.Error("a page that came back is gone")
			}
			for _, name := range []string{"plan.json", "round", "lists", "next", "since"} {
				if _, err := os.Stat("runs/boats/again/" + name); err == nil {
					t.Errorf("%s is left", name)
				}
			}
			if way == "" {
				damagedRounds(t, w)
			}
		})
	}
}

// checkLastCut holds that a round leaves what winnow was asked to keep, and says so, until winnow is asked for something else.
func checkLastCut(t *testing.T) {
	t.Helper()
	kept := func() (n int) {
		for range sink.Kept("runs/boats") {
			n++
		}
		return n
	}
	all := kept()
	must(t, "winnow", "--run", "runs/boats", "--top", "7")
	said := must(t, "crawl", "boats.yaml", "--again", "--quiet")
	cure := "thresher winnow --run runs/boats"
	if n := kept(); n != 7 || !strings.Contains(said, "by the cut of the last winnow (--top 7): '"+cure+"' takes that of the run") {
		t.Errorf("%d pages are kept: %s", n, said)
	}
	must(t, strings.Fields(cure)[1:]...)
	if n := kept(); n != all {
		t.Errorf("then %d of %d pages are kept", n, all)
	}
}

func plainSize(w *changingWeb) int {
	body, _ := w.page(sitePath(4))
	return len(body)
}

// TestWhatIsToldToHaveChangedComesFirst: with a budget for four pages, what the sitemap says has changed is visited, and so is
// what is new on the front page. A page that asks not to be kept any more goes, is counted, and why says which visit found that.
func TestWhatIsToldToHaveChangedComesFirst(t *testing.T) {
	w := newChangingWeb(t)
	w.write(t, "")
	must(t, "crawl", "boats.yaml", "--quiet")
	now := time.Now().UTC()
	w.text["/boats/31"], w.lastmod["/boats/31"] = "Two otters.", now.Format(time.RFC3339Nano)
	w.text["/boats/32"], w.lastmod["/boats/32"] = "<meta name=robots content=noindex>", now.Format(time.RFC3339Nano)
	w.reset()
	told := toldAgain(t, "--budget", "4")
	if told.Changed+told.Unchanged != 4 || told.Visited != 4 || told.Taken_out != 1 || told.Left < 30 || !slices.Contains(w.asked, "/boats/31") {
		t.Errorf("it tells %+v, and asked for %v", told, w.asked)
	}
	said := must(t, "why", w.URL+"/boats/32")
	if want := "Not kept any more, because a visit on " + now.Format("2006-01-02") + " found that it asks not to be kept"; !strings.Contains(said, want) {
		t.Errorf("why says %s, want %q", said, want)
	}
	if said := must(t, "why", w.URL+"/boats/31"); !strings.HasPrefix(said, "Kept, because") {
		t.Errorf("of the other that has changed why says %s", said)
	}
}

// TestAKilledRoundGoesOn: a process that is killed in the middle of a round has changed nothing of what is kept, and the next one
// goes on where it was.
func TestAKilledRoundGoesOn(t *testing.T) {
	w := newChangingWeb(t)
	w.write(t, "")
	must(t, "crawl", "boats.yaml", "--quiet")
	was, err := os.ReadFile("runs/boats/kept.jsonl")
	noError(t, err)
	w.text["/boats/3"], w.status["/boats/5"], w.status["/boats/30"] = "Regatta.", http.StatusGone, http.StatusNotFound
	w.reset()
	killed := 0
	for _, path := range []string{"/sitemap.xml", "/boats/7", "/boats/21", ""} {
		cmd := itself("crawl boats.yaml --again --quiet")
		var out strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &out
		w.mu.Lock()
		w.kills = map[string]bool{path: true}
		err := cmd.Start()
		w.process = cmd.Process
		w.mu.Unlock()
		noError(t, err)
		switch err := cmd.Wait(); {
		case err == nil && path == "":
			if !strings.Contains(out.String(), "1 changed") || !strings.Contains(out.String(), "2 gone") {
				t.Errorf("at its end it says %s", out.String())
			}
		case err == nil || cmd.ProcessState.ExitCode() >= 0:
			t.Fatalf("%s: %v: %s", path, err, out.String())
		default:
			killed++
			if is, err := os.ReadFile("runs/boats/kept.jsonl"); err != nil || !slices.Equal(is, was) {
				t.Errorf("killed at %s: what is kept has changed: %v", path, err)
			}
		}
	}
	times := map[string]int{}
	for _, path := range w.asked {
		times[path]++
	}
	if killed != 3 {
		t.Errorf("it was killed %d times", killed)
	}
	for _, path := range allSitePaths() { // what is not yet written down when a process is killed is asked for once more
		if n := times[path]; !isPlain(path) && (n < 1 || n > killed+1) {
			t.Errorf("%s was asked for %d times", path, n)
		}
	}
	if now := keptByPath(t, w); !strings.Contains(now["/boats/3"].Text, "Regatta") || now["/boats/5"].Gone == "" || now["/boats/30"].Gone == "" || len(now) != sitePages {
		t.Error("what changed, or went, is not taken in")
	}
}

// TestAgainIsRefused where there is nothing to visit, or it cannot be done.
func TestAgainIsRefused(t *testing.T) {
	w := newChangingWeb(t)
	w.write(t, "")
	for _, c := range []struct {
		code int
		args []string
		says string
	}{
		{exitFailed, nil, "there is no run in runs/boats to visit again"},
		{exitMisuse, []string{"--fresh"}, "give one of them"},
		{exitMisuse, []string{"--compare", "breadth", "--web", "."}, "--compare"},
		{exitMisuse, []string{"--web", home + "/testdata/webs/quickstart"}, "it is crawled anew with --fresh"},
		{exitMisuse, []string{"--store", "redis://127.0.0.1:1/0?crawl=boats"}, "not yet those of a crawl on Redis"},
	} {
		code, _, errs := thresher(t, append([]string{"crawl", "boats.yaml", "--again"}, c.args...)...)
		if code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("%v: exit %d, %s", c.args, code, errs)
		}
	}
	if len(w.asked) > 0 {
		t.Errorf("it asked for %v", w.asked)
	}
	must(t, "crawl", "boats.yaml", "--quiet", "--budget", "5")
	code, _, errs := thresher(t, "crawl", "boats.yaml", "--again", "--set", "topic.terms=[tea]")
	if code == exitDone || !strings.Contains(errs, "holds a run of another crawl") {
		t.Errorf("another topic: exit %d, %s", code, errs)
	}
}
