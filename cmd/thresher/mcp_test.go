package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/thresher-crawler/thresher/focus/run"
)

// client is a client of the program, which runs as a process of its own.
type client struct {
	t       *testing.T
	cmd     *exec.Cmd
	out     bytes.Buffer // all that the program wrote on stdout
	errs    bytes.Buffer
	in      io.Closer // its stdin
	session *mcp.ClientSession
	mu      sync.Mutex
	said    []string // progress
}

func speaking(t *testing.T, args ...string) *client {
	t.Helper()
	c := &client{t: t}
	c.cmd = exec.Command(os.Args[0], "-test.run=^TestInterrupt$")
	c.cmd.Env = append(os.Environ(), "THRESHER_BE=mcp "+strings.Join(args, " "))
	c.cmd.Stderr = &c.errs
	in, err := c.cmd.StdinPipe()
	noError(t, err)
	out, err := c.cmd.StdoutPipe()
	noError(t, err)
	c.in = in
	noError(t, c.cmd.Start())
	t.Cleanup(func() { _ = c.cmd.Process.Kill() })
	me := mcp.NewClient(&mcp.Implementation{Name: "test"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.said = append(c.said, r.Params.Message)
		}})
	c.session, err = me.Connect(t.Context(), &mcp.IOTransport{Reader: io.NopCloser(io.TeeReader(out, &c.out)), Writer: in}, nil)
	if err != nil {
		t.Fatalf("%v: %s", err, c.errs.String())
	}
	return c
}

// A line that is no JSON, or no message, or too long, is answered, and what follows it is read.
func TestLinesThatAreNoMessages(t *testing.T) {
	long := `{"a":"` + strings.Repeat("x", 100) + "\"}\n"
	known := []string{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","method":"said"}`, `{"jsonrpc":"2.0","id":"a","method":"ping"}`, `{"jsonrpc":"2.0","id":2,"result":{}}`,
		`{"jsonrpc":"2.0","id":2,"error":{"code":-1,"message":"no"}}`}
	unknown := []string{`{"id":7,"method":"ping"}`, `{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, `{"jsonrpc":"2.0","id":true,"method":"ping"}`, `[1]`, `5`, `null`, `"x"`, `{}`,
		`{"jsonrpc":"2.0","id":9,"method":7}`, `{"jsonrpc":"2.0","error":{}}`, `{"jsonrpc":"2.0","error":5,"id":3}`, `{"jsonrpc":"2.0","id":3,"error":{"code":"x"}}`,
		`{"jsonrpc":"2.0","id":3,"error":{"code":1.5}}`, `{"jsonrpc":"2.0","id":1e400,"method":"ping"}`, `[{"jsonrpc":"2.0","id":12,"method":"ping"}]`, `{"jsonrpc":5,"jsonrpc":"2.0","id":1,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":` + strings.Repeat("[", 1500) + strings.Repeat("]", 1500) + `}}`, `{"JSONRPC":"2.0","id":5,"method":"ping"}`, `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, `{"jsonrpc":"2.0","Id":5,"Method":"ping"}`}
	var answers bytes.Buffer
	gone := 0
	for _, size := range []int{16, 4096} {
		answers.Reset()
		text := "no\n" + strings.Join(known, "\r\n") + "\n\n" + long + strings.Repeat("x", 5000) + "\n{\"id\":\n" + strings.Join(unknown, "\n") + "\n" + strings.Repeat("{", 5000)
		h := &hearer{in: bufio.NewReaderSize(strings.NewReader(text), size), most: 4096, wrong: &answers, gone: func() { gone++ }}
		heard, err := io.ReadAll(h)
		noError(t, err)
		if want := strings.Join(known, "\r\n") + "\n\n"; string(heard) != want {
			t.Errorf("heard %q, want %q", heard, want)
		}
		if want := noJSON + noMessage + tooLong + noJSON + strings.Repeat(noMessage, len(unknown)) + tooLong; answers.String() != want {
			t.Errorf("answered %s, want %s", answers.String(), want)
		}
	}
	if gone != 2 {
		t.Errorf("gone %d times", gone)
	}
	for version, want := range map[string]string{"2025-03-26": "", "2025-06-18": noMessage} {
		h := &hearer{}
		first := h.amiss([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + version + `"}}`))
		if got := h.amiss([]byte("[" + known[0] + "," + known[1] + "]")); first != "" || got != want {
			t.Errorf("several messages in a line of version %s are answered %q, want %q", version, got, want)
		}
		if got := h.amiss([]byte("[" + known[0] + "," + unknown[0] + "]")); got != noMessage {
			t.Errorf("several in a line of version %s, of which one is none, are answered %q", version, got)
		}
	}
}

// end closes the program's stdin, and holds that it ends as it should and has written nothing but the protocol.
func (c *client) end() {
	c.t.Helper()
	if err := c.session.Close(); err != nil {
		c.t.Error(err)
	}
	if err := c.cmd.Wait(); err != nil {
		c.t.Errorf("%v: %s", err, c.errs.String())
	}
	lines := bufio.NewScanner(&c.out)
	lines.Buffer(nil, 10<<20)
	n := 0
	for ; lines.Scan(); n++ {
		var message struct {
			Version string `json:"jsonrpc"`
		}
		if err := json.Unmarshal(lines.Bytes(), &message); err != nil || message.Version != "2.0" {
			c.t.Errorf("stdout has %.200s", lines.Bytes())
		}
	}
	if n == 0 {
		c.t.Error("nothing was written")
	}
}

// does calls a tool, and tells what it says and whether that is an error.
func (c *client) does(tool string, arguments map[string]any) (string, bool) {
	c.t.Helper()
	return c.waits(c.t.Context(), tool, arguments)
}

func (c *client) waits(ctx context.Context, tool string, arguments map[string]any) (string, bool) {
	c.t.Helper()
	p := &mcp.CallToolParams{Name: tool, Arguments: arguments}
	p.SetProgressToken(tool)
	r, err := c.session.CallTool(ctx, p)
	if err != nil {
		return err.Error(), true
	}
	if len(r.Content) != 1 {
		c.t.Fatalf("%s answers %d contents", tool, len(r.Content))
	}
	return r.Content[0].(*mcp.TextContent).Text, r.IsError
}

// gives calls a tool that answers an object.
func (c *client) gives(tool string, arguments map[string]any, to any) {
	c.t.Helper()
	text, failed := c.does(tool, arguments)
	if err := json.Unmarshal([]byte(text), to); failed || err != nil {
		c.t.Fatalf("%s: %.400s", tool, text)
	}
}

func (c *client) tools() (names []string) {
	for tool, err := range c.session.Tools(c.t.Context(), nil) {
		if err != nil {
			c.t.Fatal(err)
		}
		names = append(names, tool.Name)
	}
	slices.Sort(names)
	return names
}

type arguments = map[string]any

// TestMcp speaks to the program as a client does: over its stdin and stdout, with the client of the protocol's own kit.
func TestMcp(t *testing.T) {
	ran := quickstartRun(t, "--budget", "120")
	c := speaking(t, ran)
	if tools := c.tools(); !slices.Equal(tools, []string{"read", "search", "sites", "why"}) {
		t.Errorf("the tools are %v: its crawl file does not say ask", tools)
	}
	var hits struct {
		Total   int
		Results []struct {
			ID                     uint64
			Collection, URL, Title string
		}
	}
	c.gives("search", arguments{"query": "regatta", "limit": 3}, &hits)
	if hits.Total < 4 || len(hits.Results) != 3 {
		t.Fatalf("search: %+v", hits)
	}
	first := hits.Results[0]
	byAddress, failed := c.does("read", arguments{"url": first.URL})
	byID, _ := c.does("read", arguments{"collection": first.Collection, "id": first.ID})
	if failed || byAddress != byID || !strings.Contains(byAddress, "url: "+first.URL+"\n") || !strings.Contains(strings.ToLower(byAddress), "regatta") {
		t.Errorf("read: %s\n%s", byAddress, byID)
	}
	var why struct {
		Fate, Sentence string
		Trail          []any
	}
	c.gives("why", arguments{"url": first.URL}, &why)
	if why.Fate != "kept" || why.Sentence == "" || len(why.Trail) == 0 {
		t.Errorf("why: %+v", why)
	}
	var sites struct {
		Total int
		Sites []run.SiteRow
	}
	c.gives("sites", arguments{"top": 2}, &sites)
	if sites.Total < 3 || len(sites.Sites) != 2 {
		t.Errorf("sites: %+v", sites)
	}
	for _, wrong := range []struct {
		tool string
		with arguments
		want string
	}{
		{"search", arguments{"query": " "}, "what is looked for"},
		{"search", arguments{"query": "tea", "limit": 500}, "limit is 500, want 1 to 20"},
		{"search", arguments{"query": "tea", "from": -1}, "from is -1"},
		{"search", arguments{"query": "tea", "sort": "size"}, "want best or date"},
		{"search", arguments{"query": "tea", "collection": "no"}, `no collection "no"; there is run`},
		{"search", arguments{"words": "tea"}, "additional properties"},
		{"read", arguments{"url": "http://nowhere.test/"}, "no such page"},
		{"read", arguments{}, "by its url, or"},
		{"read", arguments{"url": first.URL, "from": 100_000}, "from is 100000, and the page has"},
		{"why", arguments{"url": "nowhere"}, "is not an address"},
		{"why", arguments{"url": "http://nowhere.test/"}, "is not known"},
		{"sites", arguments{"top": 101}, "want 1 to 100"},
		{"ask", arguments{"question": "who won?"}, "ask"},
	} {
		if said, failed := c.does(wrong.tool, wrong.with); !failed || !strings.Contains(said, wrong.want) {
			t.Errorf("%s %v: %s, want %s", wrong.tool, wrong.with, said, wrong.want)
		}
	}
	c.end()
}

// TestMcpReadsInParts: a page that is longer than one answer is read on with, and nothing of it is lost.
func TestMcpReadsInParts(t *testing.T) {
	line := "a line of a long page about boats\n"
	ran := quickstartRun(t, "--budget", "20")
	harvest := filepath.Join(ran, "harvest.jsonl")
	first, _, _ := strings.Cut(mustRead(t, harvest), "\n")
	var record map[string]any
	noError(t, json.Unmarshal([]byte(first), &record))
	whole := strings.Repeat(line, 2000)
	record["markdown"] = whole
	long, err := json.Marshal(record)
	noError(t, err)
	for _, name := range []string{"harvest.jsonl", "kept.jsonl"} {
		noError(t, os.WriteFile(filepath.Join(ran, name), append(long, '\n'), 0o600))
	}
	c := speaking(t, ran)
	read := ""
	for from := 0; from < len(whole); {
		said, failed := c.does("read", arguments{"url": record["final_url"], "from": from})
		if failed || len(said) > mostRead+2000 {
			t.Fatalf("from %d: %d characters: %.300s", from, len(said), said)
		}
		_, part, _ := strings.Cut(said, "\n\n")
		part = strings.TrimSuffix(part, "\n")
		read += part
		if from+len(part) < len(whole) && !strings.Contains(said, fmt.Sprintf("read on with from %d\n", from+len(part))) {
			t.Fatalf("from %d: it does not say that there is more: %.300s", from, said)
		}
		from += len(part)
	}
	if read != whole {
		t.Errorf("%d characters were read, the page has %d", len(read), len(whole))
	}
	c.end()
}

// TestMcpAsk: where the crawl file allows it the web is asked, one question at a time, and what is found can be searched.
func TestMcpAsk(t *testing.T) {
	ran := quickstartRun(t, "--budget", "60", "--set", "ask=true")
	c := speaking(t, ran)
	if tools := c.tools(); !slices.Contains(tools, "ask") {
		t.Fatalf("the tools are %v", tools)
	}
	var got foundOut
	c.gives("ask", arguments{"question": "who won the yacht regatta in the harbour", "pages": 40}, &got)
	if len(got.Known) < 3 || len(got.Found) < 5 || len(got.Found) > mostAnswers || got.Fetched != 40 || got.FoundInAll < len(got.Found) {
		t.Errorf("%+v", got)
	}
	c.mu.Lock()
	if len(c.said) < 5 {
		t.Errorf("it said %d times what it had found", len(c.said))
	}
	c.mu.Unlock()
	if below, err := filepath.Glob(filepath.Join(filepath.Dir(ran), "ask-*")); err != nil || len(below) != 1 || filepath.Base(below[0]) != got.Collection {
		t.Errorf("the answers are in %v, and called %s", below, got.Collection)
	}
	if text, failed := c.does("read", arguments{"url": got.Found[0].URL, "collection": got.Collection}); failed || !strings.Contains(text, got.Found[0].URL) {
		t.Errorf("what was found is not read: %s", text)
	}
	for want, with := range map[string]arguments{
		"pages is 500, want 1 to 200":   {"question": "boats", "pages": 500},
		"seconds is 500, want 1 to 120": {"question": "boats", "seconds": 500},
		"one that may be asked is run":  {"question": "boats", "collection": "other"},
		"0 characters":                  {"question": " "},
	} {
		if said, failed := c.does("ask", with); !failed || !strings.Contains(said, want) {
			t.Errorf("%v: %s, want %s", with, said, want)
		}
	}
	c.end()
	c = speaking(t, ran, "--read-only")
	if tools := c.tools(); slices.Contains(tools, "ask") {
		t.Errorf("with --read-only the tools are %v", tools)
	}
	c.end()
}

// TestMcpAnswersAPipe: all is said before the first answer is there, and each question is answered.
func TestMcpAnswersAPipe(t *testing.T) {
	ran := quickstartRun(t, "--budget", "20")
	var in strings.Builder
	for i, method := range []string{
		`"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"pipe","version":"1"}}`, `"tools/list"`,
		`"tools/call","params":{"name":"search","arguments":{"query":"tea"}}`, `"tools/call","params":{"name":"sites","arguments":{}}`, `"no/such"`, `"ping"`,
	} {
		fmt.Fprintf(&in, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":%s}\n", i, method)
		if i == 0 {
			in.WriteString(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
		}
	}
	cmd := itself("mcp " + ran)
	cmd.Stdin = strings.NewReader(in.String())
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	answers := map[float64]int{}
	for line := range strings.Lines(string(out)) {
		var answer struct{ ID any }
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			continue // what tests say of themselves
		}
		if id, ok := answer.ID.(float64); ok {
			answers[id]++
		}
	}
	for id := range 6 {
		if answers[float64(id)] != 1 {
			t.Errorf("%d was answered %d times: %s", id, answers[float64(id)], out)
		}
	}
}

// TestMcpEnds: a question that is under way is given up when the client has gone, and when the program is told to end.
func TestMcpEnds(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("signals are those of Unix")
	}
	asked := make(chan struct{}, 100)
	var slow atomic.Bool
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
		case slow.Load():
			asked <- struct{}{}
			<-r.Context().Done() // a page that never comes
		default:
			fmt.Fprint(w, `<html><title>Sailing</title><p>Sailing boats and more sailing boats in the wind.</p>`)
		}
	}))
	defer host.Close()
	t.Chdir(t.TempDir())
	files(t, "live.yaml", "name: live\nask: true\ntopic: {language: en, terms: [sailing]}\nseeds: ["+host.URL+"/]\nbudget: {pages: 1}\n"+
		"polite: {contact: you@example.org, delay: 0s}\nfetch: {private: [127.0.0.1], timeout: 40s}\nmin_free: 0\n")
	must(t, "crawl", "live.yaml", "--quiet")
	slow.Store(true)
	for question, end := range map[string]func(c *client) error{
		"sailing boats": func(c *client) error { return c.in.Close() },
		"sailing winds": func(c *client) error { return c.cmd.Process.Signal(os.Interrupt) },
	} {
		for len(asked) > 0 {
			<-asked
		}
		c := speaking(t, "live.yaml")
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = c.session.CallTool(context.WithoutCancel(t.Context()), &mcp.CallToolParams{Name: "ask", Arguments: arguments{"question": question, "seconds": 120}})
		}()
		select {
		case <-asked:
		case <-time.After(time.Minute):
			t.Fatalf("nothing was fetched: %s", c.errs.String())
		}
		if said, failed := c.does("ask", arguments{"question": "another one"}); !failed || !strings.Contains(said, "another question is being asked") {
			t.Errorf("a second question: %s", said)
		}
		began := time.Now()
		if err := errors.Join(end(c), c.cmd.Wait()); err != nil {
			t.Errorf("%s: %v: %s", question, err, c.errs.String())
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%s: it went on for %v", question, took)
		}
		<-done
	}
}
