package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/run"
)

// redisAddress is a Redis of this test's own: the real one where it is installed.
func redisAddress(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("redis-server is not installed, and CI demands it")
		}
		return "redis://" + miniredis.RunT(t).Addr() + "/0"
	}
	said, port := listener{}, freePort(t)
	cmd := exec.Command(path, "--port", port, "--bind", "127.0.0.1", "--dir", t.TempDir(), "--save", "")
	cmd.Stdout = &said
	noError(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	said.await(t, "eady to accept connections")
	return "redis://127.0.0.1:" + port + "/0"
}

// freePort is a port at which nobody listens. It is none of those that systems give to whoever asks for any: what is free is
// not another's connection the next moment.
func freePort(t *testing.T) string {
	t.Helper()
	for range 1000 {
		port := fmt.Sprint(10000 + rand.IntN(20000))
		if l, err := net.Listen("tcp", "127.0.0.1:"+port); err == nil {
			l.Close()
			return port
		}
	}
	t.Fatal("no port is free")
	return ""
}

// tooLate is when something that is waited for does not come any more.
const tooLate = 5 * time.Minute

// listener hears what a program says while it runs.
type listener struct {
	mu    sync.Mutex
	heard bytes.Buffer
	wakes []chan struct{}
}

func (l *listener) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, w := range l.wakes {
		close(w)
	}
	l.wakes = nil
	return l.heard.Write(b)
}

func (l *listener) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.heard.String()
}

// await waits until something was said.
func (l *listener) await(t *testing.T, what string) {
	t.Helper()
	late := time.After(tooLate)
	for {
		l.mu.Lock()
		said, wake := strings.Contains(l.heard.String(), what), make(chan struct{})
		l.wakes = append(l.wakes, wake)
		l.mu.Unlock()
		if said {
			return
		}
		select {
		case <-wake:
		case <-late:
			t.Fatalf("nobody said %q: %s", what, l)
		}
	}
}

// running is a crawl of a web without end, in this process.
type running struct {
	errs  listener
	asked chan string // every address but those of the chain
	pages atomic.Int64
	over  chan int
}

// startRunning begins to crawl a web in which each page leads to the next, and to one that says nothing of the topic.
func startRunning(t *testing.T, flags ...string) *running {
	t.Helper()
	r := &running{asked: make(chan string, 100), over: make(chan int, 1)}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		n, err := strconv.Atoi(strings.TrimPrefix(q.URL.Path, "/"))
		if err != nil && q.URL.Path != "/" {
			if strings.HasPrefix(q.URL.Path, "/given") {
				r.asked <- q.URL.Path
			}
			http.NotFound(w, q)
			return
		}
		r.pages.Add(1)
		fmt.Fprintf(w, "<title>Sailing %d</title><p>sailing boat yacht %d <a href=/%d>sailing boat</a> <a href=/knitting/%d>knitting</a>", n, n, n+1, n)
	}))
	t.Cleanup(web.Close)
	files(t, "live.yaml", "name: live\ntopic: {language: en, terms: [sailing, boat]}\nseeds: ["+web.URL+"/]\nstrategy: best-first\nduplicates: keep\n"+
		"scope: {traps: ignore, soft_404: ignore}\nbudget: {pages: 0}\npolite: {contact: you@example.org, delay: 8ms, robots: ignore, parallel: 2}\n"+
		"fetch: {private: [127.0.0.1]}\nmin_free: 0\n")
	r.start(t, flags...)
	return r
}

func (r *running) start(t *testing.T, flags ...string) {
	go func() {
		r.over <- execute(t.Context(), append([]string{"crawl", "live.yaml"}, flags...), &bytes.Buffer{}, &r.errs)
	}()
	before := r.pages.Load()
	for late := time.Now().Add(tooLate); r.pages.Load() < before+5; time.Sleep(time.Millisecond) {
		if time.Now().After(late) || len(r.over) > 0 {
			t.Fatalf("the crawl does not go on: %s", &r.errs)
		}
	}
}

// isAsked waits until the crawl asks for an address that it was given.
func (r *running) isAsked(t *testing.T, want string) {
	t.Helper()
	select {
	case path := <-r.asked:
		if path != want {
			t.Errorf("asked for %s, want %s", path, want)
		}
	case code := <-r.over:
		t.Fatalf("%s is not visited, and the crawl ended with exit %d: %s", want, code, &r.errs)
	case <-time.After(tooLate):
		t.Fatalf("%s is not visited: %s", want, &r.errs)
	}
}

// does runs a command that must succeed, and answers what it says.
func does(t *testing.T, args ...string) (out, errs string) {
	t.Helper()
	code, out, errs := thresher(t, args...)
	if code != exitDone {
		t.Fatalf("thresher %v: exit %d: %s", args, code, errs)
	}
	return out, errs
}

// checkTold pauses a crawl that runs, gives it an address, lets it go on, and stops it.
func checkTold(t *testing.T, r *running, of ...string) {
	t.Helper()
	web := "http://" + strings.TrimPrefix(listTop(t, of...), "http://")
	does(t, append([]string{"pause"}, of...)...)
	r.errs.await(t, "standing still: paused")
	_, errs := does(t, append([]string{"inject", web + "given", "https://[nothing"}, of...)...)
	if !strings.Contains(errs, "refused: https://[nothing: ") || !strings.Contains(errs, "1 of 2 addresses ") {
		t.Errorf("inject says %s", errs)
	}
	does(t, append([]string{"resume"}, of...)...)
	r.errs.await(t, "going on")
	r.isAsked(t, "/given")
	does(t, append([]string{"stop"}, of...)...)
	if code := <-r.over; code != exitDone {
		t.Errorf("the crawl that was stopped: exit %d: %s", code, &r.errs)
	}
}

// listTop is the root of the server that the first link that waits is at, as list frontier tells while the crawl runs.
func listTop(t *testing.T, of ...string) string {
	t.Helper()
	var o struct {
		Total    int
		Frontier []struct{ URL string }
	}
	for late := time.Now().Add(tooLate); ; time.Sleep(10 * time.Millisecond) { // what waits may be taken while it is counted
		out, _ := does(t, append([]string{"list", "frontier", "--top", "1", "--json"}, of...)...)
		err := json.Unmarshal([]byte(out), &o)
		if err == nil && o.Total > 0 && len(o.Frontier) == 1 {
			break
		}
		if err != nil || time.Now().After(late) {
			t.Fatalf("the links that wait: %v: %s", err, out)
		}
	}
	host, _, _ := strings.Cut(strings.TrimPrefix(o.Frontier[0].URL, "http://"), "/")
	return "http://" + host + "/"
}

// TestARunningCrawlIsSpokenTo: a crawl that runs is read, paused, given an address, resumed and stopped by its folder.
func TestARunningCrawlIsSpokenTo(t *testing.T) {
	r := startRunning(t)
	const dir = "runs/live"
	root := listTop(t, "--run", dir)
	for late := time.Now().Add(tooLate); ; time.Sleep(10 * time.Millisecond) { // the log is written out now and then
		out, _ := does(t, "why", root, "--run", dir)
		if strings.Contains(out, "how we got there") && strings.Contains(out, "kept on ") {
			break
		}
		if time.Now().After(late) {
			t.Fatalf("why, of a crawl that runs:\n%s", out)
		}
	}
	if out, _ := does(t, "list", "harvest", "--run", dir); !strings.Contains(out, root) {
		t.Errorf("the harvest of a crawl that runs:\n%s", out)
	}
	checkTold(t, r, "--run", dir)
	replies(t, exitFailed, "no crawl is running in "+dir, "pause", "--run", dir)
	if _, errs := does(t, "inject", root+"given-later", "--run", dir); !strings.Contains(errs, "the address will be taken when the crawl is started again") {
		t.Errorf("inject into a crawl that does not run: %s", errs)
	}
	r.start(t)
	r.isAsked(t, "/given-later")
	does(t, "stop", "--run", dir)
	<-r.over
}

// TestASharedCrawlIsSpokenTo: a crawl on Redis is read, paused, given an address, resumed, stopped and gone on with, by
// nothing but its address.
func TestASharedCrawlIsSpokenTo(t *testing.T) {
	store := redisAddress(t)
	r := startRunning(t, "--store", store)
	checkTold(t, r, "--run", store+"?crawl=live")
	r.start(t, "--store", store) // what was stopped goes on
	folders, root := run.Parts("runs/live"), listTop(t, "--run", store)
	if len(folders) != 1 {
		t.Fatalf("the folders are %v", folders)
	}
	_, errs := does(t, "inject", root, "--run", store)
	if !strings.Contains(errs, "the address will be taken in crawl live by the machine that comes first; it is known already") {
		t.Errorf("inject of a page that was visited: %s", errs)
	}
	does(t, "stop", "--run", store)
	if code := <-r.over; code != exitDone {
		t.Errorf("exit %d: %s", code, &r.errs)
	}
	does(t, "inject", root+"given-late", "--run", store)
	if out, _ := does(t, "why", root+"given-late", "--run", store); !strings.Contains(out, "it waits in the frontier (it was given to the crawl as a start page)") {
		t.Errorf("why, of what was given:\n%s", out)
	}
	replies(t, exitFailed, "is not known to this run", "why", root+"nothing", "--run", store)
	for _, list := range []string{"harvest", "refused", "sites"} {
		if out, errs := does(t, "list", list, "--run", store); strings.Count(out, "\n") < 2 || !strings.Contains(errs, "reading "+folders[0]+"\n") {
			t.Errorf("list %s:\n%s%s", list, out, errs)
		}
	}
	if out, _ := does(t, "why", root+"3", "--run", store); !strings.Contains(out, "kept on ") {
		t.Errorf("why:\n%s", out)
	}
	t.Chdir(t.TempDir())
	for address, want := range map[string]string{
		"given-late": "it waits in the frontier (it was given to the crawl as a start page)",
		"3":          "a machine elsewhere has visited it: what became of it stands in that machine's folder: bring it below runs/live",
		"nothing":    "no page that was fetched links to it, or it was refused",
	} {
		if _, out, errs := thresher(t, "why", root+address, "--run", store); !strings.Contains(out+errs, want) {
			t.Errorf("why %s, where no machine has written anything:\n%s%s", address, out, errs)
		}
	}
	for _, c := range []struct {
		line string
		code int
		want string
	}{
		{"list harvest --run " + store, exitMisuse, "no machine has written anything of crawl live into runs/live here"},
		{"export --run " + store, exitMisuse, "try: thresher export --run runs/live\n"},
		{"why " + root + "given-late --run " + store, exitDone, "there is nothing below runs/live here: Redis is asked"},
		{"stop --run " + store + "?crawl=solar", exitMisuse, `there is no crawl "solar"; there are live: name one with ?crawl=live`},
		{"list frontier --run " + strings.TrimSuffix(store, "0") + "1", exitMisuse, "which crawl? there is none at all: 'thresher crawl FILE --store redis://…' begins one"},
		{"pause --run redis://me:secret@127.0.0.1:1/0?max_retries=-1", exitFailed, "redis://…@127.0.0.1:1/0"},
	} {
		code, _, errs := thresher(t, strings.Fields(c.line)...)
		if code != c.code || !strings.Contains(errs, c.want) || strings.Contains(errs, "secret") {
			t.Errorf("%s: exit %d: %s", c.line, code, errs)
		}
	}
}

// TestMachinesHarvestsAreJoined: what two machines have written of one crawl is read as one, and what both have kept once.
func TestMachinesHarvestsAreJoined(t *testing.T) {
	crawled(t)
	whole, _ := does(t, "export", "--run", "runs/small")
	list, _ := does(t, "list", "harvest", "--run", "runs/small")
	sites, _ := does(t, "list", "sites", "--run", "runs/small")
	kept := strings.SplitAfter(strings.TrimSuffix(whole, "\n"), "\n")
	for name, own := range map[string][]string{"a": kept[:len(kept)/2+2], "b": kept[len(kept)/2:]} {
		dir := filepath.Join("runs/both", name)
		noError(t, os.CopyFS(dir, os.DirFS("runs/small")))
		noError(t, os.WriteFile(filepath.Join(dir, "harvest.jsonl"), []byte(strings.TrimSuffix(strings.Join(own, ""), "\n")+"\n"), 0o644))
	}
	joined, errs := does(t, "export", "--run", "runs/both")
	if joined != whole || !strings.Contains(errs, "reading runs/both/a, runs/both/b\n") || !strings.Contains(errs, fmt.Sprintf("%d of %d pages\n", len(kept), len(kept))) {
		t.Errorf("joined %d pages of %d: %s", strings.Count(joined, "\n"), len(kept), errs)
	}
	if both, _ := does(t, "list", "harvest", "--run", "runs/both"); both != list {
		t.Errorf("the lists of both:\n%s\nwant\n%s", both, list)
	}
	if both, _ := does(t, "list", "sites", "--run", "runs/both"); both != sites {
		t.Errorf("the sites of both:\n%s\nwant\n%s", both, sites)
	}
	does(t, "list", "frontier", "--run", "runs/both")
	replies(t, exitMisuse, "is the run's own", "export", "--run", "runs/both", "--out", "runs/both/b/harvest.jsonl")
	replies(t, exitMisuse, "name one (runs/both/a, runs/both/b), or the crawl: redis://…", "repair", "--run", "runs/both")
}

// TestAMachineTellsOfItsOwnFiles: what a page takes is not told where pages are counted that other machines keep.
func TestAMachineTellsOfItsOwnFiles(t *testing.T) {
	dir := t.TempDir()
	noError(t, errors.Join(os.Mkdir(filepath.Join(dir, "state"), 0o700), os.WriteFile(filepath.Join(dir, "pages-0000.warc.gz"), make([]byte, 3000), 0o600)))
	r := focus.Report{Folder: dir, Counts: ledger.Counts{Kept: 3}}
	for _, want := range []string{"  the WARC files grew to 3000 bytes, 1000 bytes for each page kept\n", "  the WARC files grew to 3000 bytes\n"} {
		var out bytes.Buffer
		if printArchive(&out, r); out.String() != want {
			t.Errorf("%q, want %q", &out, want)
		}
		noError(t, os.WriteFile(filepath.Join(dir, "state/machine"), []byte("x"), 0o600))
	}
}

// TestRedisIsWaitedForVisibly: while Redis does not answer, the crawl says so at once, waits, and goes on.
func TestRedisIsWaitedForVisibly(t *testing.T) {
	files(t, "small.yaml", smallCrawl())
	db := miniredis.RunT(t)
	var errs listener
	var scripts atomic.Int32
	db.Server().SetPreHook(func(p *server.Peer, cmd string, _ ...string) bool {
		if strings.EqualFold(cmd, "EVALSHA") {
			scripts.Add(1)
		}
		if scripts.Load() < 30 || strings.Contains(errs.String(), "waiting for ") {
			return false
		}
		p.WriteError("LOADING Redis is loading the dataset in memory")
		return true
	})
	code := execute(context.Background(), []string{"crawl", "small.yaml", "--store", "redis://" + db.Addr() + "/0"}, &bytes.Buffer{}, &errs)
	said := errs.String()
	waits, back := strings.Index(said, "waiting for redis://"+db.Addr()+"/0: "), strings.Index(said, "Redis answers again\n")
	if code != exitDone || waits < 0 || back < waits || !strings.Contains(said[waits:back], "LOADING") {
		t.Errorf("exit %d after %d scripts: %s", code, scripts.Load(), said)
	}
}

// TestOnlyOurOwnWords: a Redis that cannot be reached is told once, without the password, and by nobody else.
func TestOnlyOurOwnWords(t *testing.T) {
	cmd := itself("pause --run redis://ann:secret@127.0.0.1:1/0?crawl=solar")
	var errs strings.Builder
	cmd.Stderr = &errs
	if err := cmd.Run(); err == nil || cmd.ProcessState.ExitCode() != exitFailed {
		t.Errorf("%v: %s", err, errs.String())
	}
	if said := errs.String(); strings.Count(said, "\n") != 1 || !strings.HasPrefix(said, "thresher: redis://…@127.0.0.1:1/0?crawl=solar: ") ||
		!strings.Contains(said, "connection refused") {
		t.Errorf("it says %q", said)
	}
}
