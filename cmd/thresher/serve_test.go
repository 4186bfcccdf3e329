package main

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/index"
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

// TestServeTriesAgain holds that a harvest which could not be indexed is tried again though nothing of it changes, and then left in
// peace.
func TestServeTriesAgain(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"harvest.jsonl": `{"id":1,"url":"http://a.example.com/","text":"tea"}` + "\n", "index": "no folder"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := index.Open(dir, index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all, seen := collections{c}, []string{""}
	defer all.Close()
	var said bytes.Buffer
	if err := all.follow(t.Context(), &said, seen); err == nil || c.Len() != 0 {
		t.Fatalf("%v, %d pages: want an index that cannot be made", err, c.Len())
	}
	if err := os.Remove(filepath.Join(dir, "index")); err != nil {
		t.Fatal(err)
	}
	if err := all.follow(t.Context(), &said, seen); err != nil || c.Len() != 1 || !strings.Contains(said.String(), "1 new") {
		t.Errorf("%v, %d pages, %q: want the page that is there", err, c.Len(), said.String())
	}
	said.Reset()
	if err := os.WriteFile(filepath.Join(dir, "index", "current"), nil, 0o600); err != nil { // what is not looked at is not mended
		t.Fatal(err)
	}
	if err := all.follow(t.Context(), &said, seen); err != nil || said.Len() > 0 {
		t.Errorf("%v, %q: want nothing to do", err, said.String())
	}
}
