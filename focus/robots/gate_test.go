package robots

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

type paces map[string]time.Duration

func (p paces) Pace(host string, d time.Duration) { p[host] = d }

func TestRobotsTellCrawlDelay(t *testing.T) {
	for asked, want := range map[string]time.Duration{"7": 7 * time.Second, "864000": MostDelay} {
		told := paces{}
		g := NewGate(answering(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("User-agent: *\nCrawl-delay: " + asked)), Request: r}, nil
		}), "shark/1", GateConfig{Pacing: told})
		u, _ := url.Parse("http://slow.example:8080/x")
		if _, err := g.Rules(t.Context(), u); err != nil || told["slow.example:8080"] != want {
			t.Errorf("of %s told %v, %v", asked, told, err)
		}
	}
}

func TestRobotsRulesComeBack(t *testing.T) {
	for _, rules := range []*Rules{
		Parse([]byte("User-agent: *\nDisallow: /a*b$\nAllow: /a/x\nCrawl-delay: 2\nSitemap: http://a.example/s.xml\nContent-Signal: search=yes"), "thresher"),
		For(503, nil, nil, "thresher"), For(404, nil, nil, "thresher"),
	} {
		b, err := rules.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var back Rules
		if err := back.UnmarshalBinary(b); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprintf("%+v", back) != fmt.Sprintf("%+v", *rules) {
			t.Errorf("%+v came back as %+v", *rules, back)
		}
		for n := range b {
			if new(Rules).UnmarshalBinary(b[:n]) == nil {
				t.Errorf("rules cut to %d of %d bytes were taken", n, len(b))
			}
		}
	}
}
