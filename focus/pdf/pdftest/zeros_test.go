package pdftest

import (
	"compress/zlib"
	"io"
	"strings"
	"testing"
)

// TestZerosAreWhatTheySay: what is put together by hand is what would have been packed, to its last byte and its checksum.
func TestZerosAreWhatTheySay(t *testing.T) {
	const head, megabytes = "BT (solar energy) Tj ET\n", 3
	r, err := zlib.NewReader(strings.NewReader(zerosAfter(head, megabytes)))
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if want := head + strings.Repeat("\x00", megabytes<<20); string(all) != want {
		t.Errorf("%d bytes that begin with %q, want %d", len(all), all[:min(len(all), 40)], len(want))
	}
}
