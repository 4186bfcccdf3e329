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
	if err := os.WriteFile("bot.pem", []byte("none"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := thresher(t, "identity", "bot.pem"); code != exitFailed || !strings.Contains(errs, "openssl genpkey") {
		t.Errorf("exit %d: %s", code, errs)
	}
}
