package robots

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// Keeper remembers what the robots.txt files of hosts say, and which of them are being asked for. Whoever keeps it guards
// it and tells it the time, so that what it knows at a moment does not depend on who was faster.
type Keeper struct {
	Hosts    map[string]*Host   // by origin
	Flights  map[string]*Flight // by origin: what is being asked for
	Terms    bool               // a host's tdmrep.json is asked for, too, when its robots.txt has come and allows it
	held     map[[sha256.Size]byte]*held
	size     int // bytes of all rules
	tries    int
	remember int
}

// Host is what is known of one host.
type Host struct {
	rules   *held
	Expires time.Time
	Tries   int // answers in a row that said nothing
}

// NewKeeper makes a keeper that knows nothing. A host whose answer said nothing is asked again after a while, so many
// times in all, before its pages are refused; so many hosts are remembered.
func NewKeeper(tries, remember int) *Keeper {
	return &Keeper{Hosts: map[string]*Host{}, Flights: map[string]*Flight{}, held: map[[sha256.Size]byte]*held{}, tries: tries, remember: remember}
}

// Flight is a robots.txt that is being asked for, or the tdmrep.json after it. Of several who want it the first asks; the others
// share its answer.
type Flight struct {
	Origin string
	Terms  bool // it is the tdmrep.json
	Begun  bool // somebody was told to ask
	Answer Answer

	Sitemaps    bool // those it names wait
	Learned     bool // the keeper has taken the answer, and said how long to Wait and what Delay the host asks for
	Wait, Delay time.Duration

	done chan struct{}
}

// NewFlight is what nobody has asked for yet.
func NewFlight(asks string) *Flight {
	origin, terms := strings.CutSuffix(asks, termsPath)
	return &Flight{Origin: origin, Terms: terms, Sitemaps: terms, done: make(chan struct{})}
}

// Asks is what is asked for, as Known says it.
func (f *Flight) Asks() string {
	if f.Terms {
		return f.Origin + termsPath
	}
	return f.Origin
}

// Asked are the addresses that are asked for before a page.
func Asked(address string) []string {
	origin := Origin(address)
	return []string{origin + "/robots.txt", origin + termsPath}
}

// Address is what is asked for.
func (f *Flight) Address() string {
	if f.Terms {
		return f.Origin + termsPath
	}
	return f.Origin + "/robots.txt"
}

// Rules are what the host says by the answer, to the crawler of a product token.
func (k *Keeper) Rules(f *Flight, token string) *Rules {
	if !f.Terms {
		return f.Answer.Rules(token)
	}
	if before := k.RulesOf(f.Origin); before != nil {
		return before.withTerms(&f.Answer)
	}
	return &Rules{refused: "robots.txt: forgotten meanwhile", asked: true, life: again} // there was no room for so many hosts
}

// firstWait is how long a host that said nothing is left alone before the second try; four times as long before the third.
const firstWait = 15 * time.Second

// Origin is the scheme and host that a robots.txt speaks for: a dot behind a name makes no other host of it.
func Origin(address string) string {
	scheme, _, _ := strings.Cut(address, "://")
	return strings.ToLower(scheme) + "://" + page.Host(address)
}

// Known answers the rules of an origin, and what is to be asked for before a page of it is: nothing where all is known and still
// holds, otherwise what Flight wants to be told.
func (k *Keeper) Known(origin string, now time.Time) (rules *Rules, asks string) {
	h, known := k.Hosts[origin]
	switch {
	case !known || !now.Before(h.Expires):
		return nil, origin
	case k.Terms && !h.Rules().settled():
		return h.Rules(), origin + termsPath
	}
	return h.Rules(), ""
}

// RulesOf are those of an address's host, also when they hold no longer; nil if they are not known. They never change.
func (k *Keeper) RulesOf(address string) *Rules {
	if h := k.Hosts[Origin(address)]; h != nil {
		return h.Rules()
	}
	return nil
}

// Flight is the robots.txt or the tdmrep.json of an origin, as Known has said, as it is being asked for, now or already.
func (k *Keeper) Flight(asks string) *Flight {
	f := k.Flights[asks]
	if f == nil {
		f = NewFlight(asks)
		k.Flights[asks] = f
	}
	return f
}

// Unasked forgets a flight that nobody could begin: it says nothing of the host, and whoever wants the answer next begins another.
func (k *Keeper) Unasked(f *Flight) {
	if f != nil && k.Flights[f.Asks()] == f {
		delete(k.Flights, f.Asks())
	}
}

// Fly asks if that is this caller's part, and waits for the answer otherwise. Whoever asks lets the others go even if asking panics;
// they then find no answer, which counts as one that could not be had.
func (f *Flight) Fly(ctx context.Context, first bool, ask func() Answer) {
	if first {
		defer close(f.done)
		f.Answer = ask()
		return
	}
	select {
	case <-f.done:
	case <-ctx.Done():
	}
}

// Take remembers what the robots.txt of an origin says, and tells all who wait for it: how long the host is to be left
// alone, and the delay it asks for.
func (k *Keeper) Take(origin string, rules *Rules, now time.Time) {
	wait, delay := k.take(origin, rules, now)
	asks := origin
	if rules.ofTerms() {
		asks += termsPath
	}
	if f := k.Flights[asks]; f != nil {
		f.Learned, f.Wait, f.Delay = true, wait, delay
		delete(k.Flights, asks)
	}
}

// take keeps the rules, and counts how often in a row a host did not say whether it may be asked. After the last try its pages are
// refused rather than fetched unasked; pages that are found later ask again.
func (k *Keeper) take(origin string, rules *Rules, now time.Time) (wait, delay time.Duration) {
	h := k.Hosts[origin]
	if h == nil {
		if len(k.Hosts) >= k.remember {
			k.forget(now)
		}
		h = &Host{}
		k.Hosts[origin] = h
	}
	k.Give(h, rules)
	if !rules.ofTerms() || !now.Before(h.Expires) { // a tdmrep.json makes a robots.txt no younger
		h.Expires = now.Add(rules.Life())
	}
	k.bound(h.rules)
	if !rules.Unreachable() {
		h.Tries = 0
		return rules.termsWait(), rules.Delay()
	}
	if h.Tries++; h.Tries >= k.tries {
		return 0, 0 // what is waiting is refused now, and links found later ask again
	}
	h.Expires = now // asked again when the host has its next turn
	return min(rules.Life(), firstWait<<(2*(h.Tries-1))), 0
}

// Why is what is known of an origin whose robots.txt could not be had.
func (k *Keeper) Why(origin string) string {
	if h := k.Hosts[origin]; h != nil && h.rules != nil {
		if h.rules.termsWait() > 0 {
			return "tdmrep.json: it could not be had"
		}
		_, said := h.rules.Allowed("/")
		return said
	}
	return "robots.txt"
}

// forget makes room by dropping what has expired, and everything if nothing has: a host that was dropped is asked again before its next
// page, which costs a request and never a rule.
func (k *Keeper) forget(now time.Time) {
	for at, h := range k.Hosts {
		if !now.Before(h.Expires) {
			k.drop(at)
		}
	}
	if len(k.Hosts) >= k.remember {
		k.Forget()
	}
}

// Answer is what a request for a robots.txt brought.
type Answer struct {
	Status int
	Body   []byte
	Err    error
}

// Rules is what an answer says to the crawler of a product token.
func (a *Answer) Rules(token string) *Rules { return For(a.Status, a.Body, a.Err, token) }

const (
	fetchWithin = 30 * time.Second
	termsWithin = 5 * time.Second // a tdmrep.json, which next to no host has: some never answer for what they have not
	redirects   = 5               // of a robots.txt that are followed, to whatever host: RFC 9309 asks for five
)

// Client is a client for robots.txt files: it follows as many redirects as RFC 9309 asks for, and then takes the last
// answer. Of a tdmrep.json it follows those alone that lead to one of the same origin.
func Client(rt http.RoundTripper) *http.Client {
	return &http.Client{Transport: rt, CheckRedirect: func(to *http.Request, via []*http.Request) error {
		if asked := via[0].URL; len(via) > redirects || asked.Path == termsPath && !sameTerms(asked, to.URL) {
			return http.ErrUseLastResponse
		}
		return nil
	}}
}

// sameTerms tells of a place to which a tdmrep.json redirects that it may stand there. What another origin says is that one's, and who
// asks it hears its robots.txt first and waits for its turn. A file of another name is the front page that stands for all that a host
// has not, or a login.
func sameTerms(asked, to *url.URL) bool {
	return Origin(to.String()) == Origin(asked.String()) && path.Base(to.Path) == path.Base(termsPath)
}

// Fetch asks for a robots.txt or a tdmrep.json through a Client, in the name of that User-Agent and within some time.
func Fetch(ctx context.Context, client *http.Client, address, agent string, within time.Duration) Answer {
	longest := fetchWithin
	if strings.HasSuffix(address, termsPath) {
		longest = termsWithin
	}
	ctx, cancel := context.WithTimeout(ctx, min(within, longest))
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return Answer{Err: err}
	}
	r.Header.Set("User-Agent", agent)
	r.Header.Set("Accept", "text/plain,application/json;q=0.9,*/*;q=0.5")
	resp, err := client.Do(r)
	if err != nil {
		return Answer{Err: err}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, most+1)) // one more: the flag stands when the end was seen
	switch cut := resp.Header.Get(wire.CutHeader); cut {
	case wire.CutShort, wire.CutTime, wire.CutDamaged: // what was lost may be what forbids
		err = errors.New("the body was cut (" + cut + ")") // without a colon: behind the last one stands all that a failure is called
	}
	return Answer{Status: resp.StatusCode, Body: body[:min(len(body), most)], Err: err}
}
