package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/ask"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/index"
)

func TestServeSaysWhatIsWrong(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	defer busy.Close()
	run := quickstartRun(t)
	for _, c := range []struct{ args, want string }{
		{"serve " + run + " --listen " + busy.Addr().String(), "in use"},
		{"serve " + run + " --listen nowhere", "want HOST:PORT"},
		{"serve /no/such/run --listen 127.0.0.1:0", "no run in this folder"},
		{"serve " + run + " --read-only --listen 127.0.0.1:0", "has no index yet"},
		{"serve " + run + " --read-only --ask --listen 127.0.0.1:0", "nothing is written"},
	} {
		code, _, errs := thresher(t, strings.Fields(c.args)...)
		if code == exitDone || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit code %d: %s, want %q", c.args, code, errs, c.want)
		}
	}
}

// TestAnAddressToOpen: what is printed leads to the server, whatever it listens to.
func TestAnAddressToOpen(t *testing.T) {
	for listen, want := range map[string]string{"0.0.0.0:80": "127.0.0.1:80", "[::]:80": "127.0.0.1:80", "127.0.0.1:80": "127.0.0.1:80", "[::1]:80": "[::1]:80", "192.0.2.7:80": "192.0.2.7:80"} {
		if got := toOpen(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(listen))); got != want {
			t.Errorf("%s is opened as %s, want %s", listen, got, want)
		}
	}
	at, err := url.Parse(serving(t, quickstartRun(t), "--listen", "0.0.0.0:0"))
	if err != nil || at.Hostname() != "127.0.0.1" {
		t.Fatalf("%v (%v)", at, err)
	}
	jar, err := cookiejar.New(nil) // in which the token is kept
	noError(t, err)
	response, err := (&http.Client{Jar: jar}).Get(at.String())
	noError(t, err)
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("it answers %s", response.Status)
	}
}

// TestServeTriesAgain holds that a harvest which could not be indexed is tried again though nothing of it changes, and then left in
// peace.
func TestServeTriesAgain(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"harvest.jsonl": `{"id":1,"url":"http://a.example.com/","text":"tea"}` + "\n", "index": "no folder"} {
		noError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	c, err := index.Open(dir, index.Options{})
	noError(t, err)
	all, seen := collections{c}, map[*index.Collection]string{}
	defer all.Close()
	var said bytes.Buffer
	if err := all.follow(t.Context(), &said, seen); err == nil || c.Len() != 0 {
		t.Fatalf("%v, %d pages: want an index that cannot be made", err, c.Len())
	}
	noError(t, os.Remove(filepath.Join(dir, "index")))
	if err := all.follow(t.Context(), &said, seen); err != nil || c.Len() != 1 || !strings.Contains(said.String(), "1 new") {
		t.Errorf("%v, %d pages, %q: want the page that is there", err, c.Len(), said.String())
	}
	said.Reset()
	if err := os.WriteFile(filepath.Join(dir, "index", "current"), nil, 0o600); err != nil { // what is not looked at is not mended
		t.Fatal(err)
	}
	if err := all.follow(t.Context(), &said, seen); err != nil || said.Len() > 0 {
		t.Errorf("%v, %q: want nothing to do", err, said.String())
	}
}

// TestServeReadsWhatAnotherProcessHasIndexed: a server that writes no index itself looks at a harvest that was written anew before its owner
// has indexed it, as each round of --again leaves it. It must not find nothing until the next round.
func TestServeReadsWhatAnotherProcessHasIndexed(t *testing.T) {
	dir := t.TempDir()
	kept := filepath.Join(dir, "kept.jsonl")
	keep := func(pages ...string) {
		t.Helper()
		noError(t, os.WriteFile(kept+".new", []byte(strings.Join(pages, "\n")+"\n"), 0o600))
		noError(t, os.Rename(kept+".new", kept))
	}
	open := func(readOnly bool) collections {
		t.Helper()
		c, err := index.Open(dir, index.Options{ReadOnly: readOnly})
		noError(t, err)
		all := collections{c}
		t.Cleanup(func() { all.Close() })
		return all
	}
	first, second := `{"id":1,"url":"http://a.example.com/","text":"tea"}`, `{"id":2,"url":"http://b.example.com/","text":"tea and cups"}`
	keep(first)
	owner := open(false)
	noError(t, owner.update(t.Context(), io.Discard, false))
	server, seen := open(true), map[*index.Collection]string{}
	noError(t, server.follow(t.Context(), io.Discard, seen))
	keep(second, first)
	noError(t, server.follow(t.Context(), io.Discard, seen)) // there is nothing new to read yet
	noError(t, owner.update(t.Context(), io.Discard, false))
	if !server[0].Behind() || owner[0].Behind() {
		t.Errorf("the server is behind: %v, its owner: %v", server[0].Behind(), owner[0].Behind())
	}
	noError(t, server.follow(t.Context(), io.Discard, seen))
	if server[0].Behind() || server.rewritten() || server[0].Len() != 2 {
		t.Errorf("the server is behind: %v, searches nothing: %v, and has %d pages", server[0].Behind(), server.rewritten(), server[0].Len())
	}
}

// TestServeAnswersWhileItIndexes: a server answers from the beginning, also while the index is made for the first time, and prints its
// address when it searches. Where no index can be made it ends, and prints none.
func TestServeAnswersWhileItIndexes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	noError(t, os.MkdirAll(filepath.Join(dir, "index"), 0o700))
	noError(t, os.WriteFile(filepath.Join(dir, "kept.jsonl"), []byte(`{"id":1,"url":"http://a.example.com/","text":"tea"}`+"\n"), 0o600))
	lock, err := disk.LockFolder(filepath.Join(dir, "index")) // another process makes it
	noError(t, err)
	serveIt := func(readOnly bool) (l *library, stop func(), lines chan string, answering, ended chan error) {
		c, err := index.Open(dir, index.Options{ReadOnly: readOnly})
		noError(t, err)
		t.Cleanup(func() { c.Close() })
		out, in := io.Pipe()
		cmd := &cobra.Command{}
		cmd.SetOut(in)
		cmd.SetErr(io.Discard)
		l = emptyLibrary(cmd, &collectionFlags{})
		l.all = collections{c}
		ctx, stop := context.WithCancel(t.Context())
		lines, answering, ended = make(chan string, 1), make(chan error), make(chan error, 1)
		go func() {
			for at := bufio.NewScanner(out); at.Scan(); {
				lines <- at.Text()
			}
			close(lines)
		}()
		go func() {
			err := l.serve(ctx, stop, func() error {
				answering <- nil
				<-ctx.Done()
				return nil
			}, "http://127.0.0.1:7700/")
			in.Close()
			ended <- err
		}()
		return l, stop, lines, answering, ended
	}
	l, stop, lines, answering, ended := serveIt(false)
	<-answering
	if under := l.making.Load(); under != l.all[0] || len(lines) > 0 {
		t.Errorf("it answers, and says of the index: %v", under)
	}
	lock.Release()
	if line := <-lines; line != "http://127.0.0.1:7700/" || l.making.Load() != nil || l.all[0].Len() != 1 {
		t.Errorf("it prints %q, and searches %d pages", line, l.all[0].Len())
	}
	stop()
	noError(t, <-ended)
	noError(t, os.RemoveAll(filepath.Join(dir, "index")))
	noError(t, os.MkdirAll(filepath.Join(dir, "index"), 0o700))
	lock, err = disk.LockFolder(filepath.Join(dir, "index"))
	noError(t, err)
	_, stop, lines, answering, ended = serveIt(false)
	<-answering
	stop() // Ctrl-C
	line, printed := <-lines
	if err := <-ended; printed || err != nil {
		t.Errorf("stopped before the index is made it prints %q, and ends with %v", line, err)
	}
	lock.Release()
	noError(t, os.RemoveAll(filepath.Join(dir, "index")))
	_, _, lines, answering, ended = serveIt(true)
	<-answering
	line, printed = <-lines
	if err := <-ended; printed || err == nil || !strings.Contains(err.Error(), "has no index yet") {
		t.Errorf("it prints %q, and ends with %v", line, err)
	}
}

// serving is the address of a server that runs as a process of its own.
func serving(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestInterrupt$")
	cmd.Env = append(os.Environ(), "THRESHER_BE=serve --listen 127.0.0.1:0 "+strings.Join(args, " "))
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	noError(t, err)
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	return strings.TrimSuffix(strings.TrimSpace(line), "/")
}

// TestServeAsks: a server that was told so asks the web by a real crawl. The answers lie beside the run, are searched with it, and are
// not taken for the newest run.
func TestServeAsks(t *testing.T) {
	ran := quickstartRun(t, "--budget", "60")
	dir := filepath.Dir(ran)
	at := serving(t, ran, "--ask")
	post := func(path string, form url.Values) (int, string) {
		t.Helper()
		response, err := http.PostForm(at+path, form)
		noError(t, err)
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		noError(t, err)
		return response.StatusCode, string(body)
	}
	get := func(path string, to any) {
		t.Helper()
		response, err := http.Get(at + path)
		noError(t, err)
		defer response.Body.Close()
		noError(t, json.NewDecoder(response.Body).Decode(to))
	}
	_, said := post("/api/v1/ask", url.Values{"q": {"who won the yacht regatta in the harbour"}, "pages": {"40"}})
	var begun struct{ Events, ID string }
	if err := json.Unmarshal([]byte(said), &begun); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	response, err := http.Get(at + begun.Events)
	noError(t, err)
	defer response.Body.Close()
	stream, err := io.ReadAll(response.Body) // until the question has ended
	if known, found := bytes.Count(stream, []byte("event: known")), bytes.Count(stream, []byte("event: found")); err != nil || known < 3 || found < 5 || !bytes.Contains(stream, []byte("event: end")) {
		t.Fatalf("%d known, %d found (%v): %s", known, found, err, stream)
	}
	var told struct {
		State, Answers string
		Fetched        int
		Found          []ask.Known
	}
	get("/api/v1/ask/"+begun.ID, &told)
	if told.State != "answered" || told.Fetched != 40 {
		t.Errorf("%+v", told)
	}
	var reply index.Reply
	get("/api/v1/search?q=regatta&c="+told.Answers, &reply)
	if reply.Total == 0 {
		t.Error("what was found is not searched")
	}
	if !hasRun(filepath.Join(dir, told.Answers)) || !ask.Is(filepath.Join(dir, told.Answers)) || ask.Is(ran) {
		t.Errorf("the answers are in %s", told.Answers)
	}
	if newest := newestRun(dir); newest != ran {
		t.Errorf("the newest run is %s", newest)
	}
	noError(t, os.RemoveAll(ran))
	if newest := newestRun(dir); filepath.Base(newest) != told.Answers {
		t.Errorf("where there are only answers the newest run is %q", newest)
	}
}
