package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fewWords is the quickstart with fewer words, as somebody wrote it, and a run by it.
func fewWords(t *testing.T) (file, dir string) {
	t.Helper()
	raw := mustRead(t, "../../configs/quickstart.yaml")
	web, err := filepath.Abs("../../testdata")
	noError(t, err)
	said := strings.NewReplacer("../testdata", filepath.ToSlash(web), "    - {term: regatta, weight: 1}\n", "", "    - {term: mast, weight: 0.8}\n", "",
		"{term: yacht, weight: 1}", "{term: yacht, weight: 1}   # mine").Replace(raw)
	file = filepath.Join(t.TempDir(), "few.yaml")
	noError(t, os.WriteFile(file, []byte(said), 0o644))
	dir = filepath.Join(t.TempDir(), "run")
	code, out, errs := thresher(t, "crawl", file, "--store", dir, "--quiet", "--json")
	if code != 0 || !strings.Contains(out, `"suggested":["`) {
		t.Fatal(errs, out[max(len(out)-2000, 0):])
	}
	return file, dir
}

// answering is thresher with somebody who answers.
func answering(t *testing.T, answers string, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(strings.NewReader(answers))
	root.SetOut(&o)
	root.SetErr(&e)
	if err := root.ExecuteContext(t.Context()); err != nil {
		code = explain(&e, err)
	}
	return code, o.String(), e.String()
}

func TestSuggestWritesWhatIsTaken(t *testing.T) {
	file, dir := fewWords(t)
	before := mustRead(t, file)
	code, out, errs := thresher(t, "suggest", dir, "--json")
	var told suggesting
	if err := json.Unmarshal([]byte(out), &told); code != 0 || err != nil || told.Written || len(told.Suggestions) == 0 {
		t.Fatalf("%d %v\n%s%s", code, err, out, errs)
	}
	found := false
	for _, s := range told.Suggestions {
		found = found || s.Term == "regatta"
		if s.Why != "parts" || len(s.Titles) == 0 || s.Sure <= s.Foreign {
			t.Errorf("%+v", s)
		}
	}
	if !found {
		t.Errorf("a word that was taken out is not found again: %s", out)
	}
	if after, _ := os.ReadFile(file); string(after) != before {
		t.Fatal("--json has changed the file")
	}
	if code, out, errs := thresher(t, "suggest", dir, "--yes", "--top", "1"); code != 0 || !strings.Contains(out, "1 added, 0 taken out") {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	after, err := os.ReadFile(file)
	noError(t, err)
	first := told.Suggestions[0]
	if !strings.Contains(string(after), "# mine") || !strings.Contains(string(after), "{term: "+first.Term+", weight:") {
		t.Errorf("the file is now\n%s", after)
	}
	if code, out, errs := thresher(t, "winnow", "--run", dir); code != 0 || !strings.Contains(out, "as they are now, the first look would take in") {
		t.Errorf("winnow after the file was changed: %d %s%s", code, out, errs)
	}
	code, out, errs = thresher(t, "suggest", dir, "--json")
	if code != 0 || !strings.Contains(errs, "judged again") || strings.Contains(out, `"term":"`+first.Term+`"`) {
		t.Errorf("after the file was changed: %d %s%s", code, out, errs)
	}
}

// What a person answers: a weight, nonsense, a refusal, and the end of the input.
func TestSuggestAsks(t *testing.T) {
	file, dir := fewWords(t)
	code, out, errs := answering(t, "0.7\nwhat\nn\n", "suggest", dir)
	if code != 0 || !strings.Contains(out, "y: take it") || !strings.Contains(out, "1 added") {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	if after, _ := os.ReadFile(file); strings.Count(string(after), "weight: 0.7}") != 1 {
		t.Errorf("the file is now\n%s", after)
	}
	if code, out, _ := answering(t, "q\n", "suggest", dir); code != 0 || !strings.Contains(out, "stays as it is") {
		t.Errorf("%d %s", code, out)
	}
}

func TestSuggestSaysWhyItCannot(t *testing.T) {
	file, dir := fewWords(t)
	few := filepath.Join(t.TempDir(), "few")
	if code, _, errs := thresher(t, "crawl", file, "--store", few, "--quiet", "--budget", "5"); code != 0 {
		t.Fatal(errs)
	}
	bare := filepath.Join(t.TempDir(), "bare")
	if code, _, errs := thresher(t, "crawl", file, "--store", bare, "--quiet", "--budget", "5", "--set", "second_look=off"); code != 0 {
		t.Fatal(errs)
	}
	wrong := filepath.Join(t.TempDir(), "wrong.yaml")
	noError(t, os.WriteFile(wrong, []byte("topic: {termz: [a]}\n"), 0o644))
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{few}, "surely of the topic"},
		{[]string{bare}, "keeps no pages for a second look"},
		{[]string{dir, "--file", wrong}, "termz"},
		{[]string{dir, "--file", "absent.yaml"}, "absent.yaml"},
		{[]string{dir, "--top", "0"}, "--top"},
		{[]string{dir, "--run", dir}, "twice"},
		{[]string{dir, dir}, "one run"},
		{[]string{filepath.Join(dir, "absent")}, "no run"},
	} {
		if code, out, errs := thresher(t, append([]string{"suggest"}, c.args...)...); code == 0 || !strings.Contains(errs, c.says) {
			t.Errorf("%v: %d %s%s, want %q", c.args, code, out, errs, c.says)
		}
	}
	noError(t, os.Remove(file))
	replies(t, exitMisuse, "--file", "suggest", dir, "--yes")
	if code, out, errs := thresher(t, "suggest", dir, "--json"); code != 0 || !strings.Contains(out, `"suggestions":[{`) {
		t.Errorf("told only, without its crawl file: %d %s%s", code, out, errs)
	}
}

// What a sentence comes to is shown.
func TestCheckShowsTheTermsOfASentence(t *testing.T) {
	files(t, "a.yaml", "topic: {about: 'the restoration of \"old harmoniums\", harmoniums with reeds', terms: [bellows]}\nseeds: [https://a.example/]\npolite: {contact: a@b.example}\n")
	code, out, errs := thresher(t, "check", "a.yaml")
	if code != 0 || !strings.Contains(out, "# terms of the sentence: restoration:0.5, old harmoniums:0.5, harmoniums:0.5, reeds:0.5\n") {
		t.Errorf("%d %s%s", code, out, errs)
	}
}
