package sink

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// OpenSearch is the form that sends what a run keeps to a cluster of OpenSearch or Elasticsearch.
//
// Its queue is the run folder. What is written to harvest.jsonl is read back and sent in the background, how far is written down
// beside it, and a document says where in the harvest it comes from. So a cluster that is away or slow costs nothing but time, a
// crash loses nothing, and what a crash took back from the harvest is taken out of the cluster before anything else is sent. Once
// there is a kept.jsonl, it is that which is sent, and what it does not name is taken out.
const OpenSearch = "opensearch"

// environmentLogin names the variable that holds USER:PASSWORD for the cluster. It is written nowhere.
const environmentLogin = "THRESHER_OPENSEARCH_LOGIN"

// The files of a run folder that belong to a cluster.
const (
	fileCluster  = "opensearch.json"           // how far the cluster is
	FileRejected = "opensearch-rejected.jsonl" // what it did not take, and why
)

func init() {
	Register(OpenSearch, func(dir string, o Options) (Sink, error) { return openCluster(dir, o) })
}

// Follows tells of a form that it sends on what harvest.jsonl holds, which must therefore be written whole.
func (f Form) Follows() bool { return f == OpenSearch }

// CheckCluster says what is wrong with the address of a cluster, or nothing.
func CheckCluster(address string) error {
	u, err := url.Parse(address)
	switch {
	case address == "":
		return errors.New("is missing: where is the cluster? such as http://localhost:9200")
	case strings.Contains(address, "@"):
		return fmt.Errorf("holds a password: take it out, and set %s=USER:PASSWORD in the environment", environmentLogin)
	case strings.ContainsAny(address, "?#"): // where a key may stand
		return errors.New("has a ? or a #, want an address such as http://localhost:9200")
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("is %q, want an address such as http://localhost:9200", address)
	}
	return nil
}

// CheckIndex says what is wrong with the name of an index, or nothing.
func CheckIndex(name string) error {
	if name == "" || len(name) > 200 || name == "." || name == ".." || strings.ToLower(name) != name || strings.ContainsAny(name, "\\/*?\"<>| ,#:\t\n") || strings.ContainsAny(name[:1], "-_+") {
		return fmt.Errorf("is %q, want lower case, without spaces and \\ / * ? \" < > | , # : and not - _ + in front", name)
	}
	return nil
}

// indexOf is the index of a run where none is named.
func indexOf(run string) string {
	return "thresher-" + strings.Map(func(r rune) rune {
		if r <= ' ' || strings.ContainsRune("\\/*?\"<>|,#:", r) {
			return '-'
		}
		return r
	}, strings.ToLower(run))
}

// UnsentError tells of pages that a cluster does not have yet. They are in the run folder, and are sent when the sink is opened
// again.
type UnsentError struct {
	URL   string
	Dir   string
	Pages int
	Gone  bool  // it may have pages that are kept no more
	Err   error // why
}

func (e *UnsentError) Error() string {
	if e.Gone {
		return fmt.Sprintf("what %s keeps no more is still in the cluster %s, and %d pages are to be sent there: %v; they are kept, and the same command sees to both", e.Dir, e.URL, e.Pages, e.Err)
	}
	if e.Pages == 1 {
		return fmt.Sprintf("1 page of %s is not in the cluster %s yet: %v; it is kept, and the same command sends it", e.Dir, e.URL, e.Err)
	}
	return fmt.Sprintf("%d pages of %s are not in the cluster %s yet: %v; they are kept, and the same command sends them", e.Pages, e.Dir, e.URL, e.Err)
}

// OnlyUnsent tells of an error that says nothing but that a cluster has not got all pages yet; so does none.
func OnlyUnsent(err error) bool {
	if _, ok := err.(*UnsentError); ok || err == nil {
		return true
	}
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		return !slices.ContainsFunc(e.Unwrap(), func(part error) bool { return !OnlyUnsent(part) })
	case interface{ Unwrap() error }:
		within := e.Unwrap()
		return within != nil && OnlyUnsent(within)
	}
	return false
}

func (e *UnsentError) Unwrap() error { return e.Err }

// sent is what is sent of a page.
type sent struct {
	fields []field
	values map[string]string // what values are read as
}

// cluster sends a run to a cluster. All but the fields below mu belong to the goroutine that sends.
type cluster struct {
	dir, url, index string
	run             string // the name of the run
	sent
	most     int64 // bytes that may wait to be sent
	client   *http.Client
	login    string
	pause    func(time.Duration) // waits, or until the sink is closed
	patience time.Duration
	say      func(string)

	major    int // the version of the cluster, once the index is there; below 7 an index has a type
	batch    int // bytes of one request
	st       clusterState
	noted    clusterState    // as it is written down
	rejected map[string]bool // by document id
	answering
	leaving

	poke    chan struct{}
	closing chan struct{}
	done    chan struct{}
	mu      sync.Mutex
	why     error // why it does not take anything; nil where it does
	at      spot  // how far it is
	unsent  error
}

// leaving is how long a sink that is closed is waited for where the crawl was told to stop.
type leaving struct {
	hurry  sync.Once
	haste  time.Duration
	given  context.Context // ends when nobody wants to wait any more
	giveUp context.CancelCauseFunc
}

// answering is how the cluster has answered of late.
type answering struct {
	silent time.Duration // how long nothing got on while the sink is being closed
	took   time.Duration // by the last request
	away   bool          // it did not take what was sent the last time
	heard  bool          // but it answered
}

// How much is sent at once, and how long a cluster that does not answer is waited for when the sink is closed, by requests and between
// them; for one that answers that it is busy, so many times as long. Where the crawl was told to stop, haste is what all of it may take.
const (
	mostBatch    = 4 << 20
	patience     = 10 * time.Second
	busyPatience = 30
	haste        = time.Second
	localWait    = 5 * time.Second // between tries where the run folder is what fails
)

// openCluster goes on behind what the cluster has acknowledged. Nothing is asked of it here: one that is away holds no crawl up before it
// has begun.
func openCluster(dir string, o Options) (*cluster, error) {
	if err := CheckCluster(o.URL); err != nil {
		return nil, fmt.Errorf("sink %s: url %w", o.To, err)
	}
	name := filepath.Base(dir)
	if o.Run != "" && o.Run != name {
		name = o.Run + "/" + name
	}
	c := &cluster{dir: dir, url: strings.TrimRight(o.URL, "/"), index: o.Index, run: name, sent: sent{values: o.Values}, most: o.Queue, batch: mostBatch,
		client: &http.Client{Timeout: 5 * time.Minute, CheckRedirect: noRedirect}, login: os.Getenv(environmentLogin), say: o.Say, patience: cmp.Or(o.patience, patience),
		poke: make(chan struct{}, 1), closing: make(chan struct{}), done: make(chan struct{})}
	if o.Waited {
		c.patience /= 10
	}
	if c.index == "" {
		c.index = indexOf(o.Run)
	}
	if err := CheckIndex(c.index); err != nil {
		return nil, fmt.Errorf("sink %s: index %w", o.To, err)
	}
	if c.say == nil {
		c.say = func(string) {}
	}
	c.haste = haste
	c.given, c.giveUp = context.WithCancelCause(context.Background())
	if c.pause = o.pause; c.pause == nil {
		c.pause = c.wait
	}
	var err error
	if c.fields, err = choose(o.Fields); err != nil {
		return nil, fmt.Errorf("sink %s: %w", o.To, err)
	}
	if err := c.remember(); err != nil {
		return nil, fmt.Errorf("sink %s: %w", o.To, err)
	}
	c.reached(c.st.Acked)
	go c.follow()
	return c, nil
}

// noRedirect follows none: the client would make something else of what is put or posted, and who is meant says the crawl file.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// wait waits, at most until the sink is closed; then each wait is one more, so that a cluster is given its time.
func (c *cluster) wait(d time.Duration) {
	closing := c.closing
	if c.isClosing() {
		closing = nil
	}
	select {
	case <-time.After(d):
	case <-closing:
	case <-c.given.Done():
	}
}

// errStopped: the crawl was told to stop while pages were still to be sent.
var errStopped = errors.New("the crawl was stopped")

// Hurry tells the sink that whoever closes it, now or later, does not want to wait for the cluster.
func (c *cluster) Hurry() {
	c.hurry.Do(func() {
		go func() {
			<-c.closing
			select {
			case <-time.After(c.haste):
				c.giveUp(errStopped)
			case <-c.done:
			}
		}()
	})
}

func (c *cluster) isClosing() bool {
	select {
	case <-c.closing:
		return true
	default:
		return false
	}
}

// Write has nothing to do: the page is in the harvest, and is sent from there.
func (c *cluster) Write(*Record) error { return nil }

// Lengths are none: the harvest's are what a crash is cut back to.
func (c *cluster) Lengths() map[string]int64 { return nil }

// Sync lets what was written since be sent.
func (c *cluster) Sync() error {
	select {
	case c.poke <- struct{}{}:
	default:
	}
	return nil
}

// Behind says why the crawl must wait: more waits to be sent than may. It is empty where it need not.
func (c *cluster) Behind() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.most == 0 {
		return ""
	}
	waiting, err := c.waiting(c.at)
	if err != nil || waiting < c.most {
		return ""
	}
	why := "it is slower than the crawl"
	if c.why != nil {
		why = c.why.Error()
	}
	return fmt.Sprintf("%d MB wait to be sent to the cluster %s: %s", waiting>>20, c.url, why)
}

// Close sends what is left. A cluster that does not answer for a while gets it another time, and the error says so.
func (c *cluster) Close() error {
	close(c.closing)
	<-c.done
	c.giveUp(nil)
	if n := len(c.rejected); n > 0 {
		c.say(fmt.Sprintf("the cluster %s did not take some pages (%d); they and the reasons are in %s", c.url, n, filepath.Join(c.dir, FileRejected)))
	}
	return c.unsent
}

// follow sends whatever there is to be sent, until the sink is closed.
func (c *cluster) follow() {
	defer close(c.done)
	said := ""
	for {
		closing := c.isClosing() // what was written before that is there to be read
		err := c.level()
		if closing || errors.Is(err, errGivenUp) || err != nil && c.isClosing() {
			c.unsent = c.left(err)
			return
		}
		c.awaits(err)
		if err != nil { // of the run folder, such as a full disk: nobody else may come to tell that it is over
			if said != err.Error() {
				said = err.Error()
				c.say(fmt.Sprintf("nothing is sent to the cluster %s: %s; it is tried again and again", c.url, said))
			}
			c.pause(localWait)
			continue
		}
		said = ""
		select {
		case <-c.poke:
		case <-c.closing:
		}
	}
}

// awaits notes why nothing is sent; nil is that it is.
func (c *cluster) awaits(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.why = err
}

// left is the error of a sink that is closed before all was sent.
func (c *cluster) left(err error) error {
	if err == nil {
		return nil
	}
	c.mu.Lock()
	if c.why != nil && errors.Is(err, errGivenUp) {
		err = c.why
	}
	c.mu.Unlock()
	e, at := &UnsentError{URL: c.url, Dir: c.dir, Err: err}, c.st.Acked
	if now := c.source(); c.st.Epoch == 0 || c.st.Source != now { // it had not even begun anew
		e.Gone = c.st.Source != ""
		c.st.Source, at = now, spot{}
	}
	for {
		b, next, err := c.read(at, 1<<30)
		if err != nil || len(b) == 0 {
			return e
		}
		e.Pages, at = e.Pages+len(b), next
	}
}
