package extensions

import (
	"net/url"
	"testing"
	"time"
)

type paces map[string]time.Duration

func (p paces) Pace(host string, d time.Duration) { p[host] = d }

func TestRobotsTellCrawlDelay(t *testing.T) {
	told := paces{}
	g := NewRobotsGate(answer(200, nil, "User-agent: *\nCrawl-delay: 7"), "shark/1", Pacing(told))
	u, _ := url.Parse("http://slow.example:8080/x")
	if _, err := g.Rules(t.Context(), u); err != nil || told["slow.example:8080"] != 7*time.Second {
		t.Errorf("told %v, %v", told, err)
	}
}
