package main

import (
	"os"
	"strings"
	"testing"
)

// TestIdentity prints the public half of a key, and of one that others may read says what to do.
func TestIdentity(t *testing.T) {
	const key = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n-----END PRIVATE KEY-----\n" // of RFC 9421
	files(t, "bot.pem", key)
	code, out, errs := thresher(t, "identity", "bot.pem")
	if code != exitDone || !strings.Contains(out, `"kid":"poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U"`) || strings.Contains(out, `"d"`) {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	noError(t, os.WriteFile("bot.pem", []byte("none"), 0o600))
	replies(t, exitMisuse, "openssl genpkey", "identity", "bot.pem")
	const file = "topic: {terms: [solar]}\nseeds: [\"https://www.example.org/\"]\npolite: {contact: you@example.org}\nfetch: {key: "
	files(t, "bot.pem", "none", "bot.yaml", file+"bot.pem}\n", "none.yaml", file+"none.pem}\n")
	for name, want := range map[string]string{"bot.yaml": "bot.pem: it is no key in PEM", "none.yaml": "there is no such file: openssl genpkey"} {
		for _, command := range []string{"check", "crawl"} {
			if code, _, errs := thresher(t, command, name); code != exitMisuse || !strings.Contains(errs, name+":4:14: fetch.key: ") || !strings.Contains(errs, want) {
				t.Errorf("%s %s: exit %d: %s", command, name, code, errs)
			}
		}
	}
}
