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

// TestASecondLookSaysThatItGoesOn: of many pages it takes minutes, in which nobody is to think that the program hangs.
func TestASecondLookSaysThatItGoesOn(t *testing.T) {
	defer func(usual time.Duration) { slow = usual }(slow)
	slow = time.Hour
	run := quickstartRun(t)
	if _, _, errs := thresher(t, "winnow", "--run", run); strings.Contains(errs, "looked at again") {
		t.Errorf("winnow of few pages: %s", errs)
	}
	slow = 0
	for _, args := range [][]string{{"winnow", "--run", run}, {"suggest", run}, {"label", run, "--audit", "1"}} {
		if _, _, errs := thresher(t, args...); !strings.Contains(errs, run+": its pages are looked at again, which takes minutes where they are many\n") {
			t.Errorf("%s: %s", args[0], errs)
		}
	}
	if _, _, errs := thresher(t, "repair", "--run", run); errs != run+": all of its state is read\n" {
		t.Errorf("repair: %s", errs)
	}
}
