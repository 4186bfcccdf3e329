package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCompare(t *testing.T) {
	files(t)
	small := filepath.Join(home, "testdata", "webs", "small")
	args := []string{"compare", "--web", small, "--topic", "tea", "--strategy", "shark,breadth", "--html", "report.html", "--csv", "cells.csv"}
	code, out, errs := thresher(t, append(args, "--json")...)
	var o struct {
		Cells, Means, Skipped []json.RawMessage
		Baseline              string
	}
	if err := json.Unmarshal([]byte(out), &o); code != exitDone || err != nil || strings.Count(out, "\n") != 1 {
		t.Fatalf("exit code %d, %v: stdout %s stderr %s", code, err, out, errs)
	}
	if len(o.Cells) != 2 || len(o.Means) != 2 || len(o.Skipped) != 0 || o.Baseline != "shark" {
		t.Errorf("%s", out)
	}
	if n := lines(t, "cells.csv"); n != 3 {
		t.Errorf("the table of two cells has %d lines", n)
	}
	if html, err := os.ReadFile("report.html"); err != nil || !strings.Contains(string(html), "small: tea") {
		t.Errorf("the report: %v", err)
	}
	code, out, _ = thresher(t, args...)
	for _, want := range []string{"strategy", "95 % interval", "baseline", "% of the reach fetched", "● shark"} {
		if code != exitDone || !strings.Contains(out, want) {
			t.Errorf("exit code %d, and not said is %q:\n%s", code, want, out)
		}
	}
}

func TestCompareMisuse(t *testing.T) {
	files(t)
	small := filepath.Join(home, "testdata", "webs", "small")
	bare := filepath.Join(t.TempDir(), "bare")
	writeWeb(t, bare, map[string]string{"http://a.example/": "x"})
	noError(t, os.WriteFile(filepath.Join(bare, "web.yaml"), []byte("name: bare\ntopics:\n  - {name: x, seeds: [\"http://a.example/\"], relevant: yes, terms: [x]}\n"), 0o644))
	for _, c := range []struct {
		want string
		code int
		args string
	}{
		{"compare needs a recorded web", exitMisuse, ""},
		{"--budget 0: want a number of pages, or a share", exitMisuse, "--budget 0 --web " + small},
		{"--budget 0%: want a number", exitMisuse, "--budget 0% --web " + small},
		{"--budget NaN%: want a number", exitMisuse, "--budget NaN% --web " + small},
		{"--judge mine: want own, same or labels", exitMisuse, "--judge mine --web " + small},
		{"--start examples needs examples", exitMisuse, "--start examples --web " + small},
		{"--draws is 0, want at least 1", exitMisuse, "--draws 0 --web " + small},
		{`unknown strategy "sharkk"; did you mean "shark"?`, exitMisuse, "--strategy sharkk --web " + small},
		{"no web has a topic cars; there are sailing, tea", exitMisuse, "--topic tea,cars --web " + small},
		{"--csv and --html are to be written into one file", exitMisuse, "--csv both --html both --web " + small},
		{`--set "topic.threshold": want KEY=VALUE`, exitMisuse, "--set topic.threshold --web " + small},
		{"is given twice: its topics would count twice", exitMisuse, "--web " + small + " --web " + small + "/."},
		{"is to be tuned and shown on", exitMisuse, "--tune " + small + " --show " + small},
		{"web bare has no labels; label its pages in labels.tsv", exitFailed, "--web " + bare},
		{"there is no pages.warc.gz in it", exitMisuse, "--web ."},
		{"judge nowhere.model: ", exitMisuse, "--judge-model nowhere.model --web " + small},
	} {
		code, out, errs := thresher(t, append([]string{"compare"}, strings.Fields(c.args)...)...)
		if code != c.code || !strings.Contains(errs, c.want) || out != "" {
			t.Errorf("compare %s: exit code %d, want %d and %q: %s%s", c.args, code, c.code, c.want, out, errs)
		}
	}
}
