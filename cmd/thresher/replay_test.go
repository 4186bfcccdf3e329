package main

import (
	"bytes"
	"context"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/replay"
)

// heard is what a command that still runs has said so far.
type heard struct {
	mu   sync.Mutex
	said bytes.Buffer
	more chan struct{}
}

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case h.more <- struct{}{}:
	default:
	}
	return h.said.Write(p)
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.said.String()
}

var proxyAddress = regexp.MustCompile(`use (http://\S+) as the proxy`)

// replaying runs thresher replay until the test ends, or stop is called, and answers the address of the proxy.
func replaying(t *testing.T, args ...string) (proxy string, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	errs, code := &heard{more: make(chan struct{}, 1)}, make(chan int, 1)
	go func() {
		code <- execute(ctx, append([]string{"replay", "--listen", "127.0.0.1:0"}, args...), &bytes.Buffer{}, errs)
	}()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			if c := <-code; c != exitDone {
				t.Errorf("replay ends with exit code %d: %s", c, errs)
			}
		})
	}
	t.Cleanup(stop)
	for {
		if m := proxyAddress.FindStringSubmatch(errs.String()); m != nil {
			return m[1], stop
		}
		select {
		case <-errs.more:
		case c := <-code:
			code <- c
			t.Fatalf("replay ended with exit code %d: %s", c, errs)
		case <-time.After(tooLate):
			t.Fatal("replay says nothing")
		}
	}
}

// program is another crawler, or a reason to skip the test.
func program(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed, so nobody crawls through replay here", name)
	}
	cmd := exec.Command(path, args...)
	for _, e := range os.Environ() {
		if !strings.Contains(strings.ToLower(strings.SplitN(e, "=", 2)[0]), "_proxy") {
			cmd.Env = append(cmd.Env, e)
		}
	}
	return cmd
}

// askedFor are the addresses of a replay log by status, in order.
func askedFor(t *testing.T, log string) map[string][]string {
	t.Helper()
	raw := mustRead(t, log)
	asked := map[string][]string{}
	for line := range strings.Lines(raw) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 4 {
			t.Fatalf("the log has the line %q", line)
		}
		asked[f[3]] = append(asked[f[3]], f[2])
	}
	return asked
}

// TestWgetCrawlsADrawnWeb: another program fetches what can be reached, page by page, without knowing that there is no
// network.
func TestWgetCrawlsADrawnWeb(t *testing.T) {
	wget := program(t, "wget", "--recursive", "--level=inf", "--span-hosts", "--quiet", "--execute", "robots=off", "--tries=1",
		"--directory-prefix=got", "http://daily.example/")
	files(t)
	web := filepath.Join(home, "testdata", "webs", "small")
	proxy, stop := replaying(t, web, "--log", "asked.tsv")
	wget.Env = append(wget.Env, "http_proxy="+proxy)
	out, err := wget.CombinedOutput()
	if err != nil && wget.ProcessState.ExitCode() != 8 { // 8: some answer was an error, as dead links are
		t.Fatalf("wget: %v\n%s", err, out)
	}
	stop()
	recorded, err := replay.Open(web)
	noError(t, err)
	defer recorded.Close()
	got := map[string]bool{}
	asked := askedFor(t, "asked.tsv")
	for _, address := range asked["200"] {
		at, ok := recorded.Has(address)
		if !ok {
			t.Errorf("%s is not of the web, and was answered", address)
		}
		got[at] = true
	}
	if len(got) < 55 || len(asked["404"]) == 0 || len(asked["301"]) == 0 {
		t.Errorf("wget got %d pages, %d redirects and %d dead links of a web of 60 pages", len(got), len(asked["301"]), len(asked["404"]))
	}
	kept := 0
	if err := filepath.WalkDir("got", func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			kept++
		}
		return err
	}); err != nil || kept < 55 {
		t.Errorf("wget wrote %d files, %v", kept, err)
	}
}

// TestCurlOverTLS: https is answered through CONNECT, with a certificate that the client is given to trust.
func TestCurlOverTLS(t *testing.T) {
	curl := program(t, "curl", "--silent", "--show-error", "--fail", "--cacert", "ca.pem", "https://secure.example/", "http://plain.example/")
	files(t)
	writeWeb(t, "web", map[string]string{"https://secure.example/": "over TLS\n", "http://plain.example/": "in the open\n"})
	proxy, stop := replaying(t, "web", "--ca", "ca.pem", "--log", "asked.tsv", "--latency", "1ms", "--jitter", "1ms")
	curl.Env = append(curl.Env, "http_proxy="+proxy, "https_proxy="+proxy)
	out, err := curl.CombinedOutput()
	if err != nil || string(out) != "over TLS\nin the open\n" {
		t.Errorf("curl: %v, %q", err, out)
	}
	untrusting := program(t, "curl", "--silent", "https://secure.example/")
	untrusting.Env = append(untrusting.Env, "https_proxy="+proxy)
	if out, err := untrusting.CombinedOutput(); err == nil {
		t.Errorf("without the certificate curl takes %q", out)
	}
	stop()
	if asked := askedFor(t, "asked.tsv")["200"]; strings.Join(asked, " ") != "https://secure.example/ http://plain.example/" {
		t.Errorf("the log has %v", asked)
	}
}

func TestReplayMisuse(t *testing.T) {
	files(t, "web/readme.txt", "no web")
	small := filepath.Join(home, "testdata", "webs", "small")
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	defer taken.Close()
	for _, c := range []struct {
		want string
		code int
		args []string
	}{
		{taken.Addr().String() + " is in use by another program: give another address with --listen", exitFailed, []string{small, "--listen", taken.Addr().String()}},
		{"needs one folder of a recorded web", exitMisuse, nil},
		{"--latency and --jitter are times of 0 or more", exitMisuse, []string{small, "--latency=-1s"}},
		{"there is no pages.warc.gz in it", exitMisuse, []string{"web"}},
		{"no such file or folder", exitMisuse, []string{"nowhere"}},
		{"give another address with --listen", exitMisuse, []string{small, "--listen", "nonsense:1:2"}},
		{"--log no/such/folder: there is no folder no/such", exitMisuse, []string{small, "--log", "no/such/folder"}},
	} {
		code, out, errs := thresher(t, append([]string{"replay"}, c.args...)...)
		if code != c.code || !strings.Contains(errs, c.want) || out != "" {
			t.Errorf("replay %v: exit code %d: %s%s", c.args, code, out, errs)
		}
	}
}
