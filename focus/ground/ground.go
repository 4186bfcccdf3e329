// Package ground is what a crawl stands on: the web, live or recorded, the way to it, and the time that passes there. A crawl
// and whoever asks for single pages go to it by the same way, under the same name and within the same bounds.
package ground

import (
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"path/filepath"
	"time"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/robots"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/shell"
	"github.com/thresher-crawler/thresher/focus/signing"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// Options are what a program brings along to the web that a crawl file names; the zero value brings nothing.
type Options struct {
	Transport http.RoundTripper // asked instead of the network
	Brought   http.RoundTripper // the network by the program's own way; one of net/http gets the bounds of the live web
	Clock     frontier.Clock    // the time of the live web, instead of that on the wall
	Pages     *study.Pages      // a recorded web whose pages were read before; it is gone to instead of the one in the file
	Agent     string            // the name that is gone by; empty is that of the crawl file
	Record    string            // the folder that everything is recorded into; empty records nothing

	Network  []wire.Layer                                                 // further layers, on the network alone
	Lookup   func(ctx context.Context, host string) ([]netip.Addr, error) // nil is the resolver of the standard library
	OnLookup func(host string, known bool)                                // hears of every name that is looked up
	Proxied  func(r *http.Request, proxy string)                          // hears by which proxy of Brought a request goes
	Spared   func(*http.Request)                                          // hears of every page that has not changed since fetch.since
	Keep     func(*http.Request, wire.Answer, func([]byte) []byte)        // hears of every answer as it was received; see wire.Catch
	Say      func(string)                                                 // hears what a rendering service cannot do; may be nil
}

// Ground is the web of one crawl. It is closed when nobody asks it anything any more.
type Ground struct {
	Clock     Clock
	Transport http.RoundTripper // with all layers
	Client    *http.Client      // over the transport; it follows the redirects of a robots.txt
	Awaited   wire.Awaited
	Reach     wire.Reach // whether anybody can be reached on the live web
	Logins    Logins
	Web       *replay.Web // the recorded web; nil on the live one
	Pages     *study.Pages

	config   *crawlfile.Config
	with     Options
	earlier  *replay.Web      // what is taken from an earlier crawl where it has not changed; nil if there is none
	cookies  *wire.Cookies    // of a browser; nil are none
	trusted  *x509.CertPool   // nil are the system's authorities
	recorder *replay.Recorder // nil where nothing is recorded
	renders  *renderer        // nil where nothing is rendered
	key      *signing.Key     // nil where nothing is signed
}

// Slack is what a request may take beyond the time that the transport keeps, and what came in it.
const Slack = 5 * time.Second

// Open opens the web that a crawl file names. The file must stay as it is while the ground is open.
func Open(config *crawlfile.Config, o Options) (*Ground, error) {
	if o.Transport != nil || o.Brought != nil {
		if err := config.NoProxies(); err != nil {
			return nil, err
		}
	}
	g := &Ground{Clock: Wall{o.Clock}, Pages: o.Pages, config: config, with: o}
	err := g.openWeb()
	if err == nil {
		err = g.openAccess()
	}
	if err == nil {
		err = g.stack()
	}
	if err != nil {
		return nil, errors.Join(err, g.Close())
	}
	return g, nil
}

// openWeb opens the recorded web, if there is one, and chooses the clock.
func (g *Ground) openWeb() (err error) {
	switch {
	case g.Pages != nil:
		g.Clock = newRecorded(g.Pages.Web.Latency)
		g.with.Transport = g.Pages
	case g.config.Web != "":
		if g.Web, err = replay.Open(g.config.Web); err != nil {
			return err
		}
		g.Web.Keep(2 << 20)
		g.Clock, g.with.Transport = newRecorded(g.Web.Latency), g.Web
	}
	return nil
}

// stack puts the layers of the transport on the network, on a recorded web, or on what the program brought along.
func (g *Ground) stack() (err error) {
	limits := g.limits()
	base := g.with.Transport
	if base == nil {
		base = g.through(limits)
	}
	if base, err = g.openSince(base); err != nil {
		return err
	}
	if g.with.Record != "" {
		if g.recorder, err = replay.NewRecorder(g.with.Record, base, g.recording()); err != nil {
			return err
		}
		base = g.recorder
	}
	layers := append(g.sent(), limits, wire.Charset(), g.decode())
	if g.with.Keep != nil {
		layers = append(layers, wire.Catch(g.with.Keep))
	}
	top, err := g.rendering(wire.Stack(base, layers...))
	if err != nil {
		return err
	}
	g.Transport = g.Awaited.Over(top)
	g.Client = robots.Client(g.Transport)
	return nil
}

// Outside is the live web and its clock, also where the crawl is over a recorded one.
func (g *Ground) Outside() (http.RoundTripper, Clock) {
	if g.Web == nil {
		return g.Transport, g.Clock
	}
	limits := g.limits()
	return wire.Stack(g.through(limits), append(g.sent(), limits, wire.Charset(), g.decode())...), Wall{g.with.Clock}
}

// limits are the bounds on what one answer may cost. No more connections wait for their next page than there are workers: those to one
// host are as many as its manners let at it, and behind a proxy they are one host's.
func (g *Ground) limits() wire.Layer {
	f := &g.config.Fetch
	return wire.Limits(wire.LimitsConfig{MaxBody: int64(f.MaxBody), MaxHeader: int64(f.MaxHeader),
		Connect: f.Connect.Duration(), Answer: f.Answer.Duration(), Whole: f.Timeout.Duration(), Idle: g.config.Polite.Parallel})
}

func (g *Ground) decode() wire.Layer {
	return wire.Decode(wire.DecodeConfig{MaxBytes: int64(g.config.Fetch.MaxBody)})
}

// network is the live web: only its public part, unless the crawl file allows more, and each name looked up once in a while.
// A nil base is a transport of our own.
func (g *Ground) network(base http.RoundTripper, limits wire.Layer) http.RoundTripper {
	layers := []wire.Layer{limits, wire.PrivateNetworks(wire.PrivateNetworksConfig{Allow: g.config.Fetch.Private}),
		wire.Resolver(wire.ResolverConfig{Lookup: g.with.Lookup, OnLookup: g.with.OnLookup}), g.Reach.Layer()}
	if base == nil {
		layers = append(layers, g.ways()...)
	} else if g.trusted != nil {
		layers = append(layers, wire.Authorities(g.trusted))
	}
	return wire.Stack(base, append(layers, g.with.Network...)...)
}

// openSince puts what an earlier crawl has kept on the network, or on what stands for it: what has not changed since is
// taken from there, and costs its host no body.
func (g *Ground) openSince(base http.RoundTripper) (http.RoundTripper, error) {
	if g.config.Fetch.Since == "" {
		return base, nil
	}
	earlier, err := replay.Open(g.config.Fetch.Since)
	if err != nil {
		return nil, fmt.Errorf("fetch.since: %w; want the folder of a run with the sink warc, or a recorded web", err)
	}
	g.earlier = earlier
	return wire.Stack(base, wire.Unchanged(earlier, g.with.Spared)), nil
}

// recording is what a recorded web says of itself: the topic of this crawl can be measured on it, once its pages are
// labelled "relevant" or otherwise. It is named after its folder, so that two recordings of a crawl can be told apart; in
// the folder of the run, after the crawl.
func (g *Ground) recording() replay.Recording {
	c := g.config
	t := replay.Topic{Name: c.Name, Seeds: c.Seeds, Relevant: "^relevant(\t|$)"}
	for _, term := range c.Topic.Terms {
		t.Terms = append(t.Terms, term.Term)
	}
	name := c.Name
	if filepath.Dir(g.with.Record) != filepath.Clean(c.Store) {
		name = ""
	}
	return replay.Recording{Name: name, Language: string(c.Topic.Language), Topics: []replay.Topic{t}, Now: g.Clock.Now}
}

// Recorded is the recorded web that is gone to, opened here or read before; nil on the live one.
func (g *Ground) Recorded() *replay.Web {
	if g.Pages != nil {
		return g.Pages.Web
	}
	return g.Web
}

// Load fetches one page. Redirects are followed.
func (g *Ground) Load(address string) ([]byte, error) {
	req, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", cmp.Or(g.with.Agent, g.config.Polite.UserAgent()))
	resp, err := g.Client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if !page.Arrived(resp.StatusCode) {
		return nil, fmt.Errorf("the answer was %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	}
	reading, err := g.config.PageOptions()
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return body, err
	}
	media := wire.MediaType(resp.Header)
	if !wire.IsPage(media) && !reading.Reads(media, body) {
		return nil, fmt.Errorf("it is %.100s and no page", media)
	}
	return reading.HTML(resp.Request.Context(), media, body)
}

// Flaws are what cannot be read of the web that is gone to, and of what is taken from an earlier crawl.
func (g *Ground) Flaws() (said []string) {
	if g.Web != nil {
		for _, p := range study.FlawsOf(g.Web) {
			said = append(said, p.String())
		}
	}
	if g.earlier != nil {
		for _, p := range study.FlawsOf(g.earlier) {
			if since := g.config.Fetch.Since; run.Is(since) {
				p.Want += fmt.Sprintf("; 'thresher repair --run %s' names the pages", shell.Word(since))
			}
			said = append(said, p.String())
		}
	}
	return said
}

// Close lets go of connections and of the webs that were opened, and ends a recording.
func (g *Ground) Close() error {
	var errs []error
	if t, ok := g.Transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
	if g.renders != nil && g.with.Say != nil && g.renders.sum() != "" {
		g.with.Say(g.renders.sum())
	}
	if g.recorder != nil {
		errs = append(errs, g.recorder.Close())
	}
	for _, w := range []*replay.Web{g.Web, g.earlier} {
		if w != nil {
			errs = append(errs, w.Close())
		}
	}
	return errors.Join(errs...)
}

// Logins are the names and passwords that start pages and a program's own visits bring along. They leave the address before
// anybody keeps it.
type Logins struct{ wire.Logins }

// Take is an address without name and password, which are kept for its origin. It is for addresses that those who run the
// crawl have given it: what stands in a link of a page is left out, and sent to nobody.
func (l *Logins) Take(address string) string {
	plain, user, password, ok := page.Login(address)
	if ok {
		l.Add(plain, user, password)
	}
	return plain
}
