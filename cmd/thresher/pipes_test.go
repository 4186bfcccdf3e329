package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Who reads only the beginning of what is exported has read enough: that is no failure, and nothing is said of it.
func TestHalfOfAnExportIsRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("pipes that nobody reads are told apart on Unix")
	}
	crawled(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestInterrupt$")
	cmd.Env = append(os.Environ(), "THRESHER_BE=export --run runs/small")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	out.Close()
	if err := cmd.Wait(); err != nil || strings.Contains(errs.String(), "broken pipe") {
		t.Errorf("%v: %s", err, errs.String())
	}
}

// Addresses that are injected stand on the command line, in files, or come from stdin.
func TestListsOfAddresses(t *testing.T) {
	files(t, "more.txt", "# of a friend\nhttp://b.example/\n\n  http://c.example/  \n", "none.txt", "# nothing\n")
	got, err := listed(strings.NewReader("http://d.example/\n"), []string{"http://a.example/", "more.txt", "-"})
	if want := []string{"http://a.example/", "http://b.example/", "http://c.example/", "http://d.example/"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	var misuse usageError
	if got, err := listed(strings.NewReader(""), []string{"none.txt", "-"}); !errors.As(err, &misuse) {
		t.Errorf("%v, %v", got, err)
	}
}
