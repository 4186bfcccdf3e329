package main

import (
	"net"
	"strings"
	"testing"
)

func TestServeSaysWhatIsWrong(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	run := searchable(t)
	for _, c := range []struct{ args, want string }{
		{"serve " + run + " --listen " + busy.Addr().String(), "in use"},
		{"serve " + run + " --listen nowhere", "want HOST:PORT"},
		{"serve /no/such/run --listen 127.0.0.1:0", "no run in this folder"},
		{"serve " + run + " --read-only --listen 127.0.0.1:0", "has no index yet"},
	} {
		code, _, errs := thresher(t, strings.Fields(c.args)...)
		if code == exitDone || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit code %d: %s, want %q", c.args, code, errs, c.want)
		}
	}
}
