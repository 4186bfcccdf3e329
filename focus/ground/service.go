package ground

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/wire"
)

// service is one that runs the scripts of pages. Its address shows its kind: Splash (docs of render.json) or browserless (/content).
type service struct {
	at        *url.URL
	transport http.RoundTripper
	agent     string
	refused   []string // patterns of addresses that its browser is not to ask for
}

// service is asked straight, as it is one's own and may stand in a private network, and is told no secrets.
func (g *Ground) service(at *url.URL) service {
	f := &g.config.Fetch
	limits := wire.Limits(wire.LimitsConfig{MaxBody: 2*int64(f.MaxBody) + 64<<10, // in JSON a page is longer
		MaxHeader: int64(f.MaxHeader), Connect: f.Connect.Duration(), Answer: f.Timeout.Duration(), Whole: f.Timeout.Duration()})
	layers := []wire.Layer{limits, wire.Decode(wire.DecodeConfig{MaxBytes: 2*int64(f.MaxBody) + 64<<10})}
	if g.trusted != nil {
		layers = append(layers, wire.Authorities(g.trusted))
	}
	s := service{at: at, agent: g.config.Polite.UserAgent(), transport: wire.Stack(&http.Transport{IdleConnTimeout: 90 * time.Second}, layers...)}
	if len(f.Private) == 0 {
		s.refused = privateAddresses
	}
	return s
}

// anyOne is how an address begins before its host: a name and a password may stand there, of which whoever is asked need not know.
const anyOne = `^[a-z]+://([^/?#]*@)?`

// privateAddresses are patterns of addresses that are numbers of networks of one's own, as a browser writes them. What a name stands for,
// a browser alone knows.
var privateAddresses = []string{
	anyOne + `(0|10|127)(\.[0-9]+){3}([:/?#]|$)`,
	anyOne + `(169\.254|192\.168|172\.(1[6-9]|2[0-9]|3[01])|100\.(6[4-9]|[7-9][0-9]|1[01][0-9]|12[0-7]))(\.[0-9]+){2}([:/?#]|$)`,
	anyOne + `(192\.0\.0\.[0-9]+|168\.63\.129\.16)([:/?#]|$)`, // where clouds tell of their machines
	anyOne + `([^/:@]+\.)?localhost\.?([:/?#]|$)`,
	anyOne + `\[([^23]|2002:|[23].{0,2}:)`, // 2000::/3 is what is given out, and 2002: wraps older ones
	`^file:`,
}

// splash tells whether the address is one of Splash.
func (s *service) splash() bool {
	return strings.HasSuffix(s.at.Path, "/render.html") || strings.HasSuffix(s.at.Path, "/render.json")
}

// page is what a browser has in the end, and at which address.
func (s *service) page(page *http.Request) (text []byte, at string, err error) {
	ask, err := s.request(page)
	if err != nil {
		return nil, "", err
	}
	resp, err := s.transport.RoundTrip(ask)
	if err != nil {
		if errors.Is(page.Context().Err(), context.Canceled) {
			return nil, "", err
		}
		return nil, "", useless("it does not answer (" + wire.Failure(err) + ")")
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	switch {
	case err != nil:
		return nil, "", useless("it hung up (" + wire.Failure(err) + ")")
	case resp.StatusCode != http.StatusOK:
		return nil, "", useless(fmt.Sprintf("it answers %d %s", resp.StatusCode, http.StatusText(resp.StatusCode)))
	}
	cut := resp.Header.Get(wire.CutHeader)
	switch cut {
	case "", wire.CutSize, wire.CutDecoded: // a page that is too large is cut as any other
	case wire.CutTime:
		return nil, "", useless("its answer was not whole within fetch.timeout")
	default:
		return nil, "", useless("its answer breaks off")
	}
	if s.splash() {
		var said struct{ URL, HTML string }
		if err := json.Unmarshal(body, &said); err != nil && cut != "" {
			return nil, "", unfit("a page is too large for fetch.max_body")
		} else if err != nil {
			return nil, "", useless("its answer is not that of Splash")
		}
		return []byte(said.HTML), said.URL, nil
	}
	text, at = ended(body)
	if at == "" {
		at = resp.Header.Get("X-Response-Url")
	}
	return text, at, nil
}

// whereScript writes into a page at which address it is in the end: a script may have led elsewhere after the answer that browserless
// tells of.
const (
	whereName   = "data-thresher-at"
	whereScript = `document.documentElement.setAttribute("` + whereName + `",location.href)`
)

// ended takes out of a page what whereScript wrote into it.
func ended(body []byte) (text []byte, at string) {
	body = bytes.Replace(body, []byte("<script>"+whereScript+"</script>"), nil, 1)
	body = bytes.Replace(body, []byte(`<script type="text/javascript">`+whereScript+"</script>"), nil, 1)
	head := body[:min(len(body), 16<<10)]
	from := bytes.Index(head, []byte(" "+whereName+`="`))
	if from < 0 {
		return body, ""
	}
	value := from + len(whereName) + 3
	to := bytes.IndexByte(head[value:], '"')
	if to < 0 {
		return body, ""
	}
	at = html.UnescapeString(string(head[value : value+to]))
	return append(body[:from:from], body[value+to+1:]...), at
}

// splashMost is the longest that Splash lets one wait where its operator says nothing else; it refuses more.
const splashMost = 90 * time.Second

// request is what the service is asked. The browser's name is told as a header, for which a setting of browserless's own has been
// a text in some versions and is a group in others.
func (s *service) request(page *http.Request) (*http.Request, error) {
	at, within := *s.at, 30*time.Second
	if due, ok := page.Context().Deadline(); ok {
		within = max(time.Second, time.Until(due))
	}
	name := map[string]string{"User-Agent": s.agent}
	asked := map[string]any{"url": page.URL.String()}
	if s.splash() {
		at.Path = strings.TrimSuffix(at.Path, ".html")
		at.Path = strings.TrimSuffix(at.Path, ".json") + ".json" // which says where it ended
		asked["html"], asked["timeout"], asked["wait"], asked["headers"] = 1, int(min(within, splashMost).Seconds()), 0.5, name
	} else {
		asked["gotoOptions"] = map[string]any{"waitUntil": "networkidle2", "timeout": within.Milliseconds()}
		asked["setExtraHTTPHeaders"], asked["addScriptTag"] = name, []any{map[string]any{"content": whereScript}}
		if len(s.refused) > 0 {
			asked["rejectRequestPattern"] = s.refused
		}
	}
	body, err := json.Marshal(asked)
	if err != nil {
		return nil, fmt.Errorf("render: %w", err)
	}
	req, err := http.NewRequestWithContext(page.Context(), http.MethodPost, at.String(), bytes.NewReader(body))
	if err == nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return req, err
}
