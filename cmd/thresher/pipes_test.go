package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Who reads no more of what is exported has read enough: that is no failure, and nothing is said of it. A crawl whose events nobody
// reads stops, and says so.
func TestNobodyReads(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("pipes that nobody reads are told apart on Unix")
	}
	crawled(t)
	for line, want := range map[string]string{
		"export --run runs/small":                 "",
		"list refused --run runs/small --json":    "",
		"crawl small.yaml --json --store another": "nobody reads the events",
	} {
		in, out, err := os.Pipe()
		noError(t, err)
		in.Close()
		cmd := exec.Command(os.Args[0], "-test.run=^TestInterrupt$")
		cmd.Env, cmd.Stdout = append(os.Environ(), "THRESHER_BE="+line), out
		var errs bytes.Buffer
		cmd.Stderr = &errs
		err = cmd.Run()
		out.Close()
		if (err == nil) != (want == "") || !strings.Contains(errs.String(), want) || want == "" && strings.Contains(errs.String(), "pipe") {
			t.Errorf("%s: %v: %s", line, err, errs.String())
		}
	}
}

// What a pipe says is read once, and once is enough: of a crawl file, of a strategy, and of the file that suggestions are held against.
func TestCrawlFilesFromAPipe(t *testing.T) {
	if _, err := os.Stat("/dev/fd/0"); err != nil {
		t.Skip("open files have no names here")
	}
	run := quickstartRun(t)
	crawl := mustRead(t, "configs/quickstart.yaml")
	for _, c := range []struct{ text, line, want string }{
		{"name: piped\n" + goodFile, "check FILE", "name: piped\n"},
		{"name: mine\nrank: {use: anchor}\n", "check FILE", "name: mine\n"},
		{strings.ReplaceAll(crawl, "../", home+"/"), "suggest " + run + " --json --file FILE", `"suggestions":[`},
	} {
		in, out, err := os.Pipe()
		noError(t, err)
		_, writing := out.WriteString(c.text)
		noError(t, errors.Join(writing, out.Close()))
		line := strings.ReplaceAll(c.line, "FILE", fmt.Sprint("/dev/fd/", in.Fd()))
		if code, said, errs := thresher(t, strings.Fields(line)...); code != exitDone || !strings.Contains(said, c.want) {
			t.Errorf("%s: exit %d: %s%s", line, code, said, errs)
		}
		in.Close()
	}
}

// Addresses that are injected stand on the command line, in files, or come from stdin.
func TestListsOfAddresses(t *testing.T) {
	files(t, "more.txt", "\ufeff# of a friend\nhttp://b.example/\n\n  http://c.example/  \n", "none.txt", "\ufeff# nothing\n")
	got, err := listed(strings.NewReader("http://d.example/\n"), []string{"http://a.example/", "more.txt", "-"})
	if want := []string{"http://a.example/", "http://b.example/", "http://c.example/", "http://d.example/"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := listed(strings.NewReader("http://a.example/\rhttp://b.example/\r"), []string{"-"}); err != nil || !slices.Equal(got, []string{"http://a.example/", "http://b.example/"}) {
		t.Errorf("with the line ends of an old Mac: %v, %v", got, err)
	}
	if got, err := listed(strings.NewReader("\xff\xfeh\x00t\x00t\x00p\x00"), []string{"-"}); err == nil || err.Error() != "stdin:1:1: not UTF-8; save the file as UTF-8" {
		t.Errorf("in UTF-16: %v, %v", got, err)
	}
	var misuse usageError
	if got, err := listed(strings.NewReader(""), []string{"none.txt", "-"}); !errors.As(err, &misuse) {
		t.Errorf("%v, %v", got, err)
	}
}
