package focus_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// redisServer is a real Redis that keeps everything, and can be killed and started again.
type redisServer struct {
	testing.TB
	path, dir string
	port      int
	more      []string // of its arguments
	cmd       *exec.Cmd
}

func startRedis(t testing.TB) *redisServer {
	t.Helper()
	s := newRedis(t)
	s.start()
	return s
}

// newRedis is a Redis with a port of its own, that is not started yet.
func newRedis(t testing.TB, more ...string) *redisServer {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("redis-server is not installed, and CI demands it")
		}
		t.Skip("redis-server is not installed")
	}
	s := &redisServer{TB: t, path: path, dir: t.TempDir(), port: freePort(t), more: more}
	t.Cleanup(func() { s.kill() })
	return s
}

// freePort is a port at which nobody listens. It is none of those that systems give to whoever asks for any: what was free,
// or is free again because its server was killed, is not another's connection the next moment.
func freePort(t testing.TB) int {
	t.Helper()
	for range 1000 {
		port := 10000 + rand.IntN(20000)
		if l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			l.Close()
			return port
		}
	}
	t.Fatal("no port is free")
	return 0
}

// start begins a server that has written down what it was told before it says so. That outlives its process, which is all
// that is killed here; the disk is not waited for.
func (s *redisServer) start() {
	s.Helper()
	s.run(append([]string{"--port", strconv.Itoa(s.port), "--bind", "127.0.0.1", "--dir", s.dir, "--save", "",
		"--appendonly", "yes", "--appendfsync", "no"}, s.more...), "eady to accept connections")
}

// run runs the program until it is killed, and waits for what it says when it is there.
func (s *redisServer) run(args []string, ready string) {
	s.Helper()
	s.cmd = exec.Command(s.path, args...)
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		s.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		s.Fatal(err)
	}
	var said strings.Builder
	for lines := bufio.NewScanner(out); lines.Scan(); {
		fmt.Fprintln(&said, lines.Text())
		if strings.Contains(lines.Text(), ready) {
			go io.Copy(io.Discard, out)
			return
		}
	}
	s.Fatalf("%s ended: %s", s.path, said.String())
}

func (s *redisServer) kill() {
	if s.cmd == nil {
		return
	}
	s.cmd.Process.Kill()
	s.cmd.Wait()
}

func (s *redisServer) address(params string) string {
	return fmt.Sprintf("redis://127.0.0.1:%d/0?crawl=shared%s", s.port, params)
}

// servedWeb serves a web for any number of hosts under one address, answers each request after a while, and writes down
// who asked for what and when.
type servedWeb struct {
	web     http.RoundTripper
	latency time.Duration
	server  *httptest.Server

	mu    sync.Mutex
	log   []served
	now   map[string]int  // requests that are being answered, by agent
	dead  map[string]bool // those who hear no answer any more, by agent
	most  int             // how many of the requests are answered for the time being; those after them wait
	awake *sync.Cond
}

type served struct {
	host, path, agent string
	at, answered      time.Time
}

func serveWeb(t testing.TB, web http.RoundTripper, latency time.Duration) *servedWeb {
	s := &servedWeb{web: web, latency: latency, now: map[string]int{}, dead: map[string]bool{}, most: math.MaxInt}
	s.awake = sync.NewCond(&s.mu)
	s.server = httptest.NewServer(s)
	t.Cleanup(s.server.Close)
	return s
}

func (s *servedWeb) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	agent, _, _ := strings.Cut(r.UserAgent(), " ")
	s.log = append(s.log, served{r.Host, r.URL.RequestURI(), agent, time.Now(), time.Time{}})
	n := len(s.log) - 1
	s.now[agent]++
	s.awake.Broadcast()
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.now[agent]--
	}()
	if !s.mayAnswer(r.Context(), n) {
		return
	}
	time.Sleep(s.latency) // what the web takes to answer
	s.mu.Lock()
	if !s.dead[agent] {
		s.log[n].answered = time.Now()
	}
	s.mu.Unlock()
	out := r.Clone(r.Context())
	out.URL.Scheme, out.URL.Host, out.RequestURI = r.Header.Get(servedScheme), r.Host, ""
	resp, err := s.web.RoundTrip(out)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	for k, v := range resp.Header {
		w.Header()[k] = v
	}
	w.WriteHeader(resp.StatusCode)
	io.Copy(w, resp.Body)
}

// answersOnly lets the web answer so many requests, counted from the first, and not those after them: a crawl that is not over
// by then does not get over, however fast it is or slow whoever watches it.
func (s *servedWeb) answersOnly(most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.most = most
	s.awake.Broadcast()
}

// answersAll lets the web answer all requests.
func (s *servedWeb) answersAll() { s.answersOnly(math.MaxInt) }

// isDead notes that nobody hears the answers any more that somebody waits for: they begin no pause.
func (s *servedWeb) isDead(agent string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dead[agent] = true
}

// mayAnswer waits until request n is one of those that are answered, and answers false if whoever asked is gone before.
func (s *servedWeb) mayAnswer(ctx context.Context, n int) bool {
	return s.awaitThat(func() bool { return n < s.most }, ctx.Done())
}

// await waits for the nth request, and answers false if over is closed first.
func (s *servedWeb) await(n int, over <-chan struct{}) bool {
	return s.awaitThat(func() bool { return len(s.log) >= n }, over)
}

// awaitAgent waits for the first request of somebody, and answers false if over is closed first.
func (s *servedWeb) awaitAgent(agent string, over <-chan struct{}) bool {
	return s.awaitThat(func() bool { _, asked := s.now[agent]; return asked }, over)
}

func (s *servedWeb) awaitThat(is func() bool, over <-chan struct{}) bool {
	go func() {
		<-over
		s.mu.Lock()
		defer s.mu.Unlock()
		s.awake.Broadcast()
	}()
	s.mu.Lock()
	defer s.mu.Unlock()
	for !is() {
		select {
		case <-over:
			return false
		default:
			s.awake.Wait()
		}
	}
	return true
}

// awaitUnderWay waits until a request of somebody is being answered, and answers false if over is closed first.
func (s *servedWeb) awaitUnderWay(agent string, over <-chan struct{}) bool {
	return s.awaitThat(func() bool { return s.now[agent] > 0 }, over)
}

// address is where the server listens.
func (s *servedWeb) address() string { return s.server.Listener.Addr().String() }

func (s *servedWeb) requests() []served {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.log)
}

// sharing is what a worker process is told.
type sharing struct {
	Store, Web, Agent string
	Seeds             []string
	Delay             time.Duration
	Parallel          int
	Pages             int // the budget; 0 means no bound
	Strategy, Judge   string
	PerHost           int    // 0 means 1
	Robots            string // empty means ignore
	Deaf              bool   // it hears nothing of what the others learn
	Looks             int64  // bytes of the pages for a second look; 0 means as many as there are
}

// sharedWorker is a process that works on a shared crawl, as TestMain finds it in its environment.
func sharedWorker(told string) int {
	var s sharing
	if err := json.Unmarshal([]byte(told), &s); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	crawler, err := focus.NewWith(s.config())
	if err == nil {
		if s.Deaf {
			crawler.Deafen()
		}
		if s.Looks > 0 {
			crawler.BoundLooks(s.Looks)
		}
		_, err = crawler.Run(context.Background())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// config is a crawl in which what is kept does not depend on the order of visits.
func (s *sharing) config() focus.Setting {
	c := focus.DefaultSetting()
	c.Name, c.Store, c.Seeds = "shared", s.Store, s.Seeds
	c.Strategy.Name = cmp.Or(s.Strategy, "breadth")
	c.Topic.Judge, c.Topic.Calibrate, c.Topic.Threshold = topic.JudgeName(cmp.Or(s.Judge, "vsm-restricted")), "off", .05
	c.Topic.Terms = []crawlfile.TermConfig{{Term: "sailing", Weight: 1}, {Term: "boat", Weight: 1}, {Term: "yacht", Weight: 1}}
	c.Scope.Traps, c.Scope.Soft404, c.Duplicates = "ignore", "ignore", "keep"
	c.Budget.Pages = s.Pages
	c.Polite.Contact, c.Polite.Robots, c.Polite.Agent = "test@example.org", cmp.Or(s.Robots, "ignore"), s.Agent
	c.Polite.Delay, c.Polite.Parallel = strict.Pace(s.Delay), s.Parallel
	c.Polite.PerHost, c.Polite.Adapt = max(s.PerHost, 1), 0 // an answer that a test has held back makes no host a slow one
	c.Sinks = []crawlfile.SinkConfig{{To: "jsonl", Rotate: 1 << 30}, {To: "warc", Rotate: 1 << 30}}
	if c.MinFree = 0; s.Looks > 0 {
		c.SecondLook = "all"
	}
	c.Fetch.Timeout, c.Fetch.Answer = strict.Duration(time.Hour), strict.Duration(time.Hour) // the web may answer when the test is ready
	c.RetryWait = 50 * time.Millisecond
	dial := net.Dialer{}
	ground := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return dial.DialContext(ctx, "tcp", s.Web)
	}, MaxIdleConnsPerHost: 2}
	c.Transport = transport(func(r *http.Request) (*http.Response, error) {
		plain := r.Clone(r.Context())
		plain.Header.Set(servedScheme, r.URL.Scheme)
		plain.URL.Scheme = "http"
		return ground.RoundTrip(plain)
	})
	return c
}

// startWorkers begins so many processes, worker0 and so on, and holds the web until each has a part in the crawl: on a busy
// machine the first could be through before the last is there.
func (s *servedWeb) startWorkers(t testing.TB, dir string, told sharing, processes int) (workers []*worker) {
	t.Helper()
	s.answersOnly(10)
	defer s.answersAll()
	for i := range processes {
		told.Agent = fmt.Sprint("worker", i)
		workers = append(workers, startWorker(t, dir, told))
	}
	for i, w := range workers {
		if !s.awaitAgent(fmt.Sprint("worker", i), timeout(w.done, late)) {
			t.Fatalf("worker%d does nothing: %s", i, w.stuck())
		}
	}
	return workers
}

// servedScheme tells the server whether https was asked for, which it does not speak.
const servedScheme = "X-Scheme"

// worker is a process that is running, or was.
type worker struct {
	cmd    *exec.Cmd
	said   strings.Builder
	killed bool
	done   chan struct{}
	err    error
}

func startWorker(t testing.TB, dir string, s sharing) *worker {
	t.Helper()
	told, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	w := &worker{cmd: exec.Command(os.Args[0]), done: make(chan struct{})}
	w.cmd.Dir, w.cmd.Stderr = dir, &w.said
	w.cmd.Env = append(os.Environ(), "THRESHER_SHARED_WORKER="+string(told))
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		w.err = w.cmd.Wait()
		close(w.done)
	}()
	t.Cleanup(w.kill)
	return w
}

// ends waits until a process has ended by itself, and well.
func (w *worker) ends(t testing.TB) {
	t.Helper()
	select {
	case <-w.done:
	case <-timeout(nil, late):
		t.Fatalf("a worker does not end: %s", w.stuck())
	}
	if w.err != nil {
		t.Errorf("%v: %s", w.err, w.said.String())
	}
}

// stuck ends a process that does not do what is waited for, and answers what it has said, and last what each of its goroutines did.
func (w *worker) stuck() string {
	w.cmd.Process.Signal(syscall.SIGQUIT)
	select {
	case <-w.done:
	case <-timeout(nil, late):
		w.kill()
	}
	return w.said.String()
}

func (w *worker) kill() {
	w.killed = true
	w.cmd.Process.Kill()
	<-w.done
}
