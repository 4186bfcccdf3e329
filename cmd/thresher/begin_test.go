package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/index"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/serve"
)

// beginner begins crawls by processes of this test, and tells before each what is to be run; ended waits until all of them are gone.
func beginner(t *testing.T, before func(command string)) (b *beginning, ended func()) {
	t.Helper()
	read, write, err := os.Pipe()
	noError(t, err)
	drained := make(chan error, 1)
	go func() {
		_, err := io.Copy(io.Discard, read) // each has the pipe open for as long as it lives
		drained <- err
	}()
	ended = sync.OnceFunc(func() {
		if err := errors.Join(write.Close(), <-drained, read.Close()); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(ended)
	cmd := &cobra.Command{}
	cmd.SetErr(io.Discard)
	return &beginning{cmd: cmd, program: func(ctx context.Context, args ...string) *exec.Cmd {
		before(args[0])
		p := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestInterrupt$")
		p.Env, p.Stdout = append(os.Environ(), "THRESHER_BE="+strings.Join(args, " ")), write
		return p
	}, begun: func(string) error { return nil }}, ended
}

func boats() serve.Topic {
	return serve.Topic{Name: "boats", Terms: "sailing,yacht,regatta,keel", Language: "en", Web: filepath.Join(home, "testdata", "webs", "quickstart"),
		Seeds: []string{"http://daily.test/", "http://gazette.test/"}, Pages: 80}
}

// TestATopicIsBegun begins a topic as the page does: by init and crawl, in processes of their own. What it keeps is searched by the
// server that began it.
func TestATopicIsBegun(t *testing.T) {
	t.Chdir(t.TempDir())
	b, ended := beginner(t, func(string) {})
	l := emptyLibrary(b.cmd, &collectionFlags{})
	defer l.close()
	b.begun = l.begun
	var crawl *exec.Cmd
	program := b.program
	b.program = func(ctx context.Context, args ...string) *exec.Cmd {
		crawl = program(ctx, args...)
		return crawl
	}
	topic := boats()
	dir, err := b.begin(t.Context(), &topic)
	if crawl.SysProcAttr == nil { // where the system has such
		t.Error("what ends the server by Ctrl-C ends the crawl")
	}
	if err != nil || dir != filepath.Join("runs", "boats") || !hasRun(dir) {
		t.Fatalf("%s, %v", dir, err)
	}
	ended()
	if s, err := run.ReadStanding(dir); err != nil || s.State != "finished" || s.Pages != 80 || s.Relevant == 0 {
		t.Errorf("%+v, %v: want a crawl of 80 pages that has ended", s, err)
	}
	if err := l.now().follow(t.Context(), io.Discard, map[*index.Collection]string{}); err != nil || len(l.now()) != 1 || l.now()[0].Len() < 5 {
		t.Errorf("%d collections, %v: want one that has what was kept", len(l.now()), err)
	}
	b, _ = beginner(t, func(string) {})
	for want, change := range map[string]func(*serve.Topic){
		"is there already: give": func(*serve.Topic) {},
		"crawl file twice":       func(t *serve.Topic) { t.Name = "second.yaml.yaml" },
		"is no name":             func(t *serve.Topic) { t.Name = "../boats" },
		"is no address":          func(t *serve.Topic) { t.Name, t.Seeds = "second", []string{"--force"} },
		"whom to write to":       func(t *serve.Topic) { t.Name, t.Web = "second", "" },
		"no such file or folder": func(t *serve.Topic) { t.Name, t.Web = "second", "nowhere" },
		"something to tell":      func(t *serve.Topic) { t.Name, t.Terms = "second", "" },
	} {
		other := topic
		change(&other)
		if dir, err := b.begin(t.Context(), &other); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "try:") {
			t.Errorf("want %q: %s, %v", want, dir, err)
		}
	}
	if left, err := filepath.Glob("second*"); err != nil || len(left) > 0 {
		t.Errorf("%q stand there of topics that were not begun (%v)", left, err)
	}
}

// TestAServerThatEndsNamesItsCrawls: those that go on, and how they are stopped.
func TestAServerThatEndsNamesItsCrawls(t *testing.T) {
	b := &beginning{cmd: &cobra.Command{}}
	var said bytes.Buffer
	b.cmd.SetErr(&said)
	b.goes("runs/done", true)
	b.goes("runs/two words", true)
	b.goes("runs/done", false)
	b.leave()
	if want := "the crawl in runs/two words goes on; to stop it: thresher stop --run 'runs/two words'\n"; said.String() != want {
		t.Errorf("it says %q, want %q", &said, want)
	}
}

// TestWhoeverBeginsATopicMayLeave holds that a browser which leaves while its topic is begun changes nothing: the crawl begins, and
// has its file.
func TestWhoeverBeginsATopicMayLeave(t *testing.T) {
	t.Chdir(t.TempDir())
	var asked *http.Request
	left := make(chan struct{})
	b, ended := beginner(t, func(command string) {
		if command == "crawl" {
			close(left)
			<-asked.Context().Done() // the server has seen it
		}
	})
	type begun struct {
		dir string
		err error
	}
	done := make(chan begun, 1)
	s, err := serve.New(serve.Options{Listen: "127.0.0.1:0", Begin: func(ctx context.Context, topic *serve.Topic) (string, error) {
		dir, err := b.begin(ctx, topic)
		done <- begun{dir, err}
		return dir, err
	}})
	noError(t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { asked = r; s.ServeHTTP(w, r) }))
	defer server.Close()
	topic := boats()
	form := url.Values{"name": {topic.Name}, "terms": {topic.Terms}, "language": {"en"}, "web": {topic.Web}, "seeds": {strings.Join(topic.Seeds, " ")}, "pages": {"30"}}
	ctx, leave := context.WithCancel(t.Context())
	go func() { <-left; leave() }()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/api/v1/new", strings.NewReader(form.Encode()))
	noError(t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if answer, err := http.DefaultClient.Do(r); err == nil {
		answer.Body.Close()
		t.Error("it has not left")
	}
	if what := <-done; what.err != nil || !hasRun(what.dir) {
		t.Errorf("%+v: want a crawl that has begun", what)
	}
	ended()
	if _, err := os.Stat("boats.yaml"); err != nil {
		t.Errorf("the crawl has lost its file: %v", err)
	}
}

// TestABeginningIsBroken ends a server before the crawl was started, and after: what nobody reads goes, what a crawl reads stays.
func TestABeginningIsBroken(t *testing.T) {
	for command, stays := range map[string]bool{"seeds": false, "crawl": true} {
		t.Run(command, func(t *testing.T) {
			t.Chdir(t.TempDir())
			ctx, leave := context.WithCancel(t.Context())
			b, ended := beginner(t, func(next string) {
				if next == command {
					leave()
				}
			})
			topic := boats()
			if command == "seeds" {
				topic.Engines = []string{"searxng=http://127.0.0.1:1"}
			}
			_, err := b.begin(ctx, &topic)
			ended()
			_, gone := os.Stat("boats.yaml")
			if stays && (gone != nil || err != nil && !errors.Is(err, errNoFolderYet)) || !stays && (gone == nil || err == nil) {
				t.Errorf("%v; the file: %v", err, gone)
			}
			if hasRun(filepath.Join("runs", "boats")) != stays {
				t.Errorf("a crawl: %v, want %v", !stays, stays)
			}
		})
	}
}

// TestACrawlThatIsNotSearchedHasBegun: whoever began it gets its folder, and the server says what is wrong.
func TestACrawlThatIsNotSearchedHasBegun(t *testing.T) {
	t.Chdir(t.TempDir())
	b, ended := beginner(t, func(string) {})
	var said bytes.Buffer
	b.cmd.SetErr(&said)
	b.begun = func(string) error { return errors.New("no room for an index") }
	topic := boats()
	topic.Pages = 10
	dir, err := b.begin(t.Context(), &topic)
	ended()
	if err != nil || dir != filepath.Join("runs", "boats") || !strings.Contains(said.String(), "no room for an index") {
		t.Errorf("%q, %v; it says %q", dir, err, said.String())
	}
}

// TestOfACrawlThatGoesOnForWeeksTheEndIsKept holds that a server keeps whole lines of what a crawl says last, and not all that it says.
func TestOfACrawlThatGoesOnForWeeksTheEndIsKept(t *testing.T) {
	var said ending
	for n := range 50_000 {
		fmt.Fprintf(&said, "http://a.example/%d: not relevant\n", n)
	}
	fmt.Fprintln(&said, "thresher: the disk is full")
	told := firstOf(said.String(), errors.New("exit status 1"))
	if lines := strings.Split(told, "\n"); len(told) > 2*mostSaid || !strings.HasPrefix(lines[0], "http://a.example/") || lines[len(lines)-1] != "the disk is full" {
		t.Errorf("%d bytes, from %q to %q", len(told), lines[0], lines[len(lines)-1])
	}
}

// asLocalhost is the address of a server by another name than that of the engine, whose own pages are no results.
func asLocalhost(s *httptest.Server) string {
	return strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
}

// TestATopicFindsItsStartPages begins a topic without start pages, by the form of the page: an engine is asked for some, and the crawl
// begins at those.
func TestATopicFindsItsStartPages(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("THRESHER_FETCH_PRIVATE", "127.0.0.1")
	t.Setenv("THRESHER_POLITE_DELAY", "1ms")
	asked := make(chan string, 1000)
	var web *httptest.Server
	web = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
		case r.URL.Path == "/search":
			asked <- r.URL.Query().Get("q")
			fmt.Fprintf(w, `{"results": [{"url": "%s/yachts", "title": "Yachts and their keels", "text": "sailing a yacht"}, {"url": "%[1]s/regatta", "title": "The regatta", "text": "sailing"}]}`, asLocalhost(web))
		default:
			fmt.Fprintf(w, `<title>Sailing: the yachts of %s</title><p>%s<p><a href="/more%s">a regatta of sailing yachts</a>`, r.URL.Path, strings.Repeat("A yacht is sailing in the regatta, with a deep keel. ", 20), r.URL.Path)
		}
	}))
	defer web.Close()
	files(t, "local.yaml", "name: local\naddress: "+web.URL+"/search?q={query}&from={start}\nfirst: 0\nper_page: 10\npages: 1\nrobots: ignore\njson: {results: results, link: url, title: title, text: text}\n")
	b, ended := beginner(t, func(string) {})
	s, err := serve.New(serve.Options{Listen: "127.0.0.1:0", Begin: b.begin, Runs: func() []string { return run.RunsBelow("runs") }})
	noError(t, err)
	server := httptest.NewServer(s)
	defer server.Close()
	form := url.Values{"name": {"boats"}, "terms": {"sailing,yacht,regatta,keel"}, "language": {"en"}, "engines": {"local.yaml"}, "contact": {"you@example.org"}, "pages": {"6"}}
	answer, err := http.PostForm(server.URL+"/new", form)
	noError(t, err)
	defer answer.Body.Close()
	page, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK || answer.Request.URL.Path != "/runs/boats" {
		t.Fatalf("%s %s (%v): %s", answer.Status, answer.Request.URL, err, page)
	}
	ended()
	if query := <-asked; !strings.Contains(query, "sailing") && !strings.Contains(query, "yacht") {
		t.Errorf("the engine was asked for %q", query)
	}
	if file := mustRead(t, "boats.yaml"); !strings.Contains(file, "- "+asLocalhost(web)+"/\n") {
		t.Errorf("the crawl file has not what the engine found:\n%s", file)
	}
	if s, err := run.ReadStanding(filepath.Join("runs", "boats")); err != nil || s.Pages < 2 || s.Kept == 0 {
		t.Errorf("%+v, %v: want a crawl of what was found", s, err)
	}
}
