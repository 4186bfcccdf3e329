package focus_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// signatures is a web that remembers which addresses were asked for without a signature.
type signatures struct {
	*web
	mu       sync.Mutex
	unsigned []string
}

func (s *signatures) RoundTrip(r *http.Request) (*http.Response, error) {
	if !strings.Contains(r.Header.Get("Signature-Input"), `tag="web-bot-auth"`) || r.Header.Get("Signature") == "" || r.Header.Get("Signature-Agent") != `"https://bot.example.org"` {
		s.mu.Lock()
		s.unsigned = append(s.unsigned, r.URL.Path)
		s.mu.Unlock()
	}
	return s.web.RoundTrip(r)
}

// TestRequestsAreSigned: with a key every request of a crawl is signed, without one none is.
func TestRequestsAreSigned(t *testing.T) {
	key := filepath.Join(t.TempDir(), "bot.pem")
	if err := os.WriteFile(key, []byte("-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n-----END PRIVATE KEY-----\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, with := range []string{key, ""} {
		w := &signatures{web: solarWeb()}
		config := solarConfig(t, w)
		config.Fetch.Key, config.Fetch.Agent = with, "https://bot.example.org"
		crawlWith(t, config)
		if with != "" && len(w.unsigned) > 0 || with == "" && len(w.unsigned) != len(w.asked) || len(w.asked) < 5 {
			t.Errorf("key %q: %d requests, %d without a signature: %q", with, len(w.asked), len(w.unsigned), w.unsigned)
		}
	}
}
