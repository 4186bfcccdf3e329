// Package serve answers one question: what does a person see?
//
// A Server shows harvests in a browser: a search page, each page with the way the crawl came to it, and its kept copy; for
// programs there is a JSON API, and a feed of what was found last. Runs are watched as they go on, and steered (runs.go, story.go,
// steer.go), and the web is asked what they do not have (ask.go). All of it is embedded; nothing is loaded from elsewhere.
//
// # Safe
//
// What stands in a harvest was written by strangers. No text of theirs is put into a page of ours but through html/template;
// a kept copy is taken apart and written anew from a list of elements that do nothing, and shown in a frame without rights.
// Every answer forbids the browser to load anything from elsewhere or to run anything but our one script. The server
// answers only those who call it by its own name (a page of a stranger cannot have a browser do so) or know its token, which is wanted
// of all where it listens beyond this machine, only GET and HEAD but for what steers a run or asks the web, and never for a page of
// another origin. It asks the web only where it was told so when it was started.
package serve

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/thresher-crawler/thresher/focus/index"
	"github.com/thresher-crawler/thresher/focus/run"
)

// Options say what is served, and to whom.
type Options struct {
	Collections func() []*index.Collection // those that are searched now
	Making      func() *index.Collection   // the one whose index is being made, as long as nothing is searched for it; nil where none ever is
	Weights     index.Weights
	Listen      string // host:port
	Token       string // wanted of everybody where the address is not of this machine alone; New makes one where it is empty

	Runs     func() []string                                // the folders of the runs that are watched, those begun last first
	Together func(dir string, hosts []string) *run.Together // how a run on Redis stands for all machines, and these hosts; nil of any other
	Steer    Steering                                       // how they are told what to do
	ReadOnly bool                                           // nobody tells them anything
	Begin    Begin                                          // starts crawls; nil where the server starts none

	Ask Asking // how the web is asked
}

// Server shows harvests.
type Server struct {
	Token string // what callers must know; empty where the server answers to this machine alone
	o     Options
	mux   *http.ServeMux
	busy  chan struct{}

	desk      desk
	school    school
	questions questions
	streams   atomic.Int64
	working   sync.Map        // the folders of runs at which work goes on
	work      sync.WaitGroup  // what is not left half done at the end: questions, second looks, training
	serving   context.Context // until the server is to end: streams have no end of their own
	end       context.CancelFunc
}

// atOnce is how many queries are answered at the same time; more wait, and are sent away when they have waited long.
const (
	atOnce  = 4
	waiting = 5 * time.Second
)

// New makes a server.
func New(o Options) (*Server, error) {
	host, _, err := net.SplitHostPort(o.Listen)
	if err != nil {
		return nil, fmt.Errorf("--listen %s: %w; want HOST:PORT, such as 127.0.0.1:7700", o.Listen, err)
	}
	s := &Server{o: o, mux: http.NewServeMux(), busy: make(chan struct{}, atOnce)}
	s.serving, s.end = context.WithCancel(context.Background())
	if !loopback(host) {
		if s.Token = o.Token; s.Token == "" {
			s.Token = rand.Text()
		}
	}
	s.routes()
	return s, nil
}

// loopback tells of a host that only this machine can reach.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback()
}

// Serve answers on a listener until the context ends.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 20 * time.Second, WriteTimeout: time.Minute,
		IdleTimeout: time.Minute, MaxHeaderBytes: 32 << 10}
	go s.forgets()
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		s.end()
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
		defer cancel()
		err := server.Shutdown(last)
		if errors.Is(err, context.DeadlineExceeded) { // a connection on which nothing was asked yet counts as busy
			err = server.Close()
		}
		stopped <- err
	}()
	err := server.Serve(l)
	s.end()
	if errors.Is(err, http.ErrServerClosed) {
		err = <-stopped
	}
	s.work.Wait() // what was found is saved
	return err
}

// ServeHTTP answers one request, if it comes from where it may.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w = placed{w, root(r)}
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin") // with none at all some browsers do not say that a form of ours is ours
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "Accept-Language, Cookie")
	ours := strings.HasPrefix(r.URL.Path, "/assets/") // the same for everybody; a kept copy, which has no origin, has our style
	if ours {
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	}
	switch {
	case (steers(r) || asks(r)) && s.o.ReadOnly:
		http.Error(w, "this server only shows: it was started with --read-only", http.StatusForbidden)
	case r.Method != http.MethodGet && r.Method != http.MethodHead && !steers(r) && !asks(r):
		http.Error(w, "only GET and HEAD are answered", http.StatusMethodNotAllowed)
	case !s.named(r.Host):
		http.Error(w, "this server is not called by that name: use the address that 'thresher serve' printed; a proxy is to call it "+s.o.Listen+" (Host)", http.StatusMisdirectedRequest)
	case !ours && !sameOrigin(r):
		http.Error(w, "pages of other sites get no answer; a proxy is to say by what name it was called itself (X-Forwarded-Host)", http.StatusForbidden)
	case !ours && !s.knows(w, r):
		return
	case asks(r) && len(s.o.Ask.Of) == 0:
		http.Error(w, errNoAsk.Error(), errNoAsk.status)
	default:
		s.mux.ServeHTTP(w, r)
	}
}

// policy lets a browser load our own style and script, and nothing else.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; frame-src 'self'; " +
	"form-action 'self'; base-uri 'self'; frame-ancestors 'none'"

// named tells whether a request calls the server by a name of its own. A name that a stranger has pointed at this machine is
// none; where a token is wanted any is, of a proxy, too: what a browser keeps of the token it sends to no other name.
func (s *Server) named(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	return s.Token != "" || loopback(strings.Trim(name, "[]"))
}

// sameOrigin tells whether a request comes from a page of ours, from an address that was typed, or from a program. What the browser
// says of it holds also where a proxy has put another name in the place of the one that the browser knows. Over plain HTTP it says nothing,
// and the proxy has to: no page can have a browser put its word into a request to another site.
func sameOrigin(r *http.Request) bool {
	from := r.Header.Get("Sec-Fetch-Site")
	if origin := r.Header.Get("Origin"); origin != "" && from != "same-origin" {
		u, err := url.Parse(origin)
		return err == nil && u.Host != "" && (u.Host == r.Host || u.Host == r.Header.Get("X-Forwarded-Host"))
	}
	if r.Method == http.MethodPost {
		return from == "" || from == "same-origin"
	}
	// A link on a page of another site may lead here, but no such page may load anything from here.
	return from != "cross-site" && from != "same-site" || r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

// cookieName is that of the cookie with the token: servers of one host at different ports have one each, which cookies do not tell apart.
func (s *Server) cookieName() string {
	_, port, _ := net.SplitHostPort(s.o.Listen)
	return "thresher-token-" + port
}

// knows tells whether a caller knows the token, where there is one. One that brings it in its address gets a cookie, and what programs
// ask, which keep none, is answered at once.
func (s *Server) knows(w http.ResponseWriter, r *http.Request) bool {
	if s.Token == "" {
		return true
	}
	right := func(given string) bool { return subtle.ConstantTimeCompare([]byte(given), []byte(s.Token)) == 1 }
	if given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok && right(given) {
		return true
	}
	if c, err := r.Cookie(s.cookieName()); err == nil && right(c.Value) {
		return true
	}
	q := r.URL.Query()
	switch {
	case !right(q.Get("token")):
		http.Error(w, "the token is missing or wrong: use the whole address that 'thresher serve' printed", http.StatusUnauthorized)
		return false
	case r.Method != http.MethodGet && r.Method != http.MethodHead: // what is to be done is not done by being led elsewhere
		return true
	case r.URL.Path == "/feed" || strings.HasPrefix(r.URL.Path, "/api/"):
		return true
	}
	// It is sent along from a link on another page, too, as one in a letter; what is posted from there is refused beforehand.
	http.SetCookie(w, &http.Cookie{Name: s.cookieName(), Value: s.Token, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: r.Header.Get("X-Forwarded-Proto") == "https"})
	q.Del("token")
	to := url.URL{Path: "/" + strings.TrimLeft(r.URL.Path, `/\`), RawQuery: q.Encode()}
	http.Redirect(w, r, to.String(), http.StatusSeeOther)
	return false
}

// turn waits until a query may be answered.
func (s *Server) turn(r *http.Request) (done func(), err error) {
	return seat(r.Context(), s.busy, errCrowded)
}

var errCrowded = errAs{http.StatusServiceUnavailable, errors.New("too much is asked at the same time: try again")}
