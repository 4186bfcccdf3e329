package main

import (
	"io"
	"strings"
	"testing"
	"time"
)

// What takes long says that it goes on, and what does not says nothing.
func TestWhatIsSlowSaysSo(t *testing.T) {
	defer func(usual time.Duration) { slow = usual }(slow)
	slow = 0
	from, to := io.Pipe()
	done := whileSlow(to, "pages are being indexed")
	heard := make([]byte, 64)
	n, err := from.Read(heard) // before it is done
	done()
	if err != nil || string(heard[:n]) != "pages are being indexed\n" {
		t.Errorf("%q, %v", heard[:n], err)
	}
	slow = time.Hour
	var said strings.Builder
	whileSlow(&said, "nothing")()
	if said.Len() > 0 {
		t.Errorf("said %q", said.String())
	}
}
