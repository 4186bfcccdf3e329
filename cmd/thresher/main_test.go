package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// noError ends the test where something has failed that it only needs.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// thresher runs a command line.
func thresher(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = execute(context.Background(), append([]string{}, args...), &o, &e) // nil would be what the tests were called with
	for line := range strings.Lines(e.String()) {
		if try, ok := strings.CutPrefix(line, "  try: "); ok {
			if err := tried(t, strings.TrimSpace(try)); err != nil {
				t.Errorf("thresher %s proposes %q: %v", strings.Join(args, " "), strings.TrimSpace(try), err)
			}
		}
	}
	return code, o.String(), e.String()
}

// must runs a command line that must not fail.
func must(t *testing.T, args ...string) (out string) {
	t.Helper()
	code, out, errs := thresher(t, args...)
	if code != exitDone {
		t.Fatalf("thresher %s: exit %d: %s%s", strings.Join(args, " "), code, out, errs)
	}
	return out
}

// replies holds that a command line ends with an exit code, and says something: on stdout where it is done, else on stderr.
func replies(t *testing.T, code int, want string, args ...string) {
	t.Helper()
	got, out, errs := thresher(t, args...)
	said := errs
	if code == exitDone {
		said = out
	}
	if got != code || !strings.Contains(said, want) {
		t.Errorf("thresher %s: exit %d, want %d and %q: %s%s", strings.Join(args, " "), got, code, want, out, errs)
	}
}

// itself is this program in a process of its own, with a command line.
func itself(line string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^TestInterrupt$")
	cmd.Env = append(os.Environ(), "THRESHER_BE="+line)
	return cmd
}

// files writes files into a folder of their own, which becomes the folder the program runs in.
func files(t *testing.T, namesAndTexts ...string) {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i+1 < len(namesAndTexts); i += 2 {
		name := filepath.Join(dir, namesAndTexts[i])
		noError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		noError(t, os.WriteFile(name, []byte(namesAndTexts[i+1]), 0o600))
	}
	t.Chdir(dir)
}

const (
	goodFile = "seeds: [https://www.example.org/]\ntopic: {terms: [tea, teapot, teahouse]}\npolite: {contact: you@example.org}\n"
	badFile  = "seeds: [www.example.org]\nbudget: {paegs: 10}\nstrategy: 5\n"
)

// TestMisuse: what is wrong with a command line is said with an example of how it is done, and the exit code is 2.
func TestMisuse(t *testing.T) {
	files(t, "good.yaml", goodFile, "bad.yaml", badFile, "live.yaml", "seeds: [https://www.example.org/]\n", "aRun/crawl.yaml", goodFile)
	for _, c := range []struct{ line, want string }{
		{"crawl live.yaml", "live.yaml:1:1: polite.contact: is not given, and the live web is not crawled without it; add\n    polite: {contact: you@example.org}\n"},
		{"crwl good.yaml", `thresher: there is no command "crwl"; did you mean "crawl"?` + "\n  try: thresher --help\n"},
		{"crwl --budget 5", `thresher: there is no command "crwl"; did you mean "crawl"?` + "\n"},
		{"list frobs --run q", `thresher: list knows no "frobs"; it lists frontier`},
		{"train nope --out x", `thresher: train knows no "nope"; it trains`},
		{"learn exprt --to x", `thresher: learn knows no "exprt"; it exports`},
		{"good.yaml", `thresher: there is no command "good.yaml"` + "\n  try: thresher crawl good.yaml\n"},
		{"crawl aRun", "aRun: is a folder, want a file, such as aRun/crawl.yaml\n"},
		{"check aRun", "aRun: is a folder, want a file, such as aRun/crawl.yaml\n"},
		{"crwl --help", `thresher: there is no command "crwl"; did you mean "crawl"?` + "\n  try: thresher --help\n"},
		{"-h zzzzzz", `thresher: there is no command "zzzzzz"` + "\n"},
		{"list frobs -h", `thresher: list knows no "frobs"; it lists frontier`},
		{"train nope --help", `thresher: train knows no "nope"; it trains`},
		{"learn exprt --help", `thresher: learn knows no "exprt"; it exports`},
		{"completion fihs", `thresher: there is no command "fihs"; did you mean "fish"?` + "\n  try: thresher completion --help\n"},
		{"completion fish now", `thresher: fish takes no argument, and there is "now"` + "\n"},
		{"list --run q", "thresher: unknown flag: --run\n"},
		{"zzzzzz", `thresher: there is no command "zzzzzz"` + "\n  try: thresher --help\n"},
		{"--frobnicate", "thresher: unknown flag: --frobnicate\n  try: thresher crawl configs/quickstart.yaml\n"},
		{"check", "thresher: check needs at least one crawl file\n  try: thresher check configs/quickstart.yaml\n"},
		{"check --keys good.yaml", "thresher: check takes no argument, and there is \"good.yaml\"\n  try: thresher check --keys\n"},
		{"crawl good.yaml --max-pages 5", "thresher: unknown flag: --max-pages; did you mean --budget?\n  try: thresher crawl configs/quickstart.yaml\n"},
		{"crawl good.yaml --delay 5s", "thresher: unknown flag: --delay; did you mean --set polite.delay=…?\n  try: thresher crawl configs/quickstart.yaml\n"},
		{"list --max-pages 5", "thresher: unknown flag: --max-pages\n"},
		{"check good.yaml --jsno", "thresher: unknown flag: --jsno; did you mean --json?\n  try: thresher check configs/quickstart.yaml\n"},
		{"crawl good.yaml -budget 5", "thresher: unknown shorthand flag: 'b' in -budget; did you mean --budget?\n  try: thresher crawl configs/quickstart.yaml\n"},
		{"list harvest -x", "thresher: unknown shorthand flag: 'x' in -x\n  try: "},
		{"list frontier --top x", "thresher: --top is \"x\", want a whole number\n  try: thresher list frontier --run runs/quickstart\n"},
		{"compare --seed -1", "thresher: --seed is \"-1\", want a whole number from 0 on\n  try: "},
		{"export --min-relevance a", "thresher: --min-relevance is \"a\", want a number such as 0.5\n  try: "},
		{"replay x --latency 3", "thresher: --latency is \"3\", want a time such as 1.5s\n  try: "},
		{"check good.yaml --json=perhaps", "thresher: --json is \"perhaps\", want true or false\n  try: "},
		{"check good.yaml --budget", "thresher: flag needs an argument: --budget\n  try: thresher check configs/quickstart.yaml\n"},
		{"check good.yaml --budget lots", "--budget lots: budget.pages: is \"lots\", want a whole number\n"},
		{"check good.yaml --budget -5", "--budget -5: budget.pages: is -5, want at least 0\n"},
		{"check good.yaml --web nowhere", "--web nowhere: web: nowhere: there is no such file or folder; want the folder of a recorded web\n"},
		{"check good.yaml --topic tea", "--topic tea: web_topic: is a topic of a recorded web, and web is not given\n"},
		{"check good.yaml --set polite.dealy=1s", "--set polite.dealy=1s: polite.dealy: unknown key; did you mean \"polite.delay\"?\n"},
		{"check good.yaml --set budget", "--set budget: budget: is a group of keys and has no value of its own; give one of them, such as budget.pages\n"},
		{"check good.yaml --set scope.not_hosts", "--set scope.not_hosts: scope.not_hosts: has no value; want scope.not_hosts=VALUE, or scope.not_hosts= to empty it\n"},
		{"check good.yaml --set store=bad.yaml", "--set store=bad.yaml: store: bad.yaml is a file, want the folder of a run\n"},
		{"crawl good.yaml --store bad.yaml/below", "--store bad.yaml/below: store: bad.yaml is a file, want the folder of a run\n"},
		{"check good.yaml --web .", "--web .: web: .: there is no pages.warc.gz in it; want the folder of a recorded web\n"},
		{"crawl good.yaml --web .", "--web .: web: .: there is no pages.warc.gz in it; want the folder of a recorded web\n"},
		{"list sites --json --csv", "thresher: --json and --csv are given: one of them is enough\n  try: thresher list sites --run runs/quickstart --csv\n"},
		{"seeds good.yaml --yes --json", "thresher: --yes and --json are given: one of them is enough\n  try: thresher seeds "},
		{"check nowhere.yaml", "nowhere.yaml: there is no such file; start from one of those in configs/\n"},
		{"check bad.yaml", "bad.yaml:1:9: seeds[0]: is \"www.example.org\", want the whole address: https://www.example.org\n" +
			"bad.yaml:2:10: budget.paegs: unknown key; did you mean \"pages\"?\nbad.yaml:3:11: strategy: unknown strategy \"5\"; known are "},
		{"check good.yaml --set topic.terms=[the,of]", "good.yaml:2:8: topic: every term is a stop word (the, of): add a word that says what the topic is\n"},
		{"crawl", "thresher: crawl needs one crawl file\n  try: thresher crawl configs/quickstart.yaml\n"},
		{"crawl good.yaml bad.yaml", "thresher: crawl takes one crawl file, and there are 2: good.yaml bad.yaml\n  try: thresher crawl configs/quickstart.yaml\n"},
		{"crawl nowhere.yaml", "nowhere.yaml: there is no such file; start from one of those in configs/\n"},
		{"crawl bad.yaml", "bad.yaml:1:9: seeds[0]: "},
		{"why", "thresher: why needs one URL\n  try: thresher why "},
		{"why http://www.example.org/", "thresher: there is no run below runs/: crawl first, or name a run folder with --run DIR\n  try: thresher crawl configs/quickstart.yaml\n"},
		{"list harvest --run nowhere", "thresher: --run nowhere: there is no run in this folder\n  try: thresher list harvest --run runs/quickstart\n"},
		{"serve nowhere", "thresher: nowhere: there is no run in this folder\n  try: thresher serve runs/quickstart\n"},
		{"index nowhere", "thresher: nowhere: there is no run in this folder\n  try: thresher index runs/quickstart\n"},
		{"repair --run redis://me:secret@localhost/0", "thresher: --run redis://…@localhost/0: this is about one run folder: name that of a machine, such as runs/NAME/HOST\n  try: "},
		{"export --run http://localhost/x", "thresher: --run http://localhost/x: want a folder or redis://…\n  try: "},
		{"list frontier --top -1", "thresher: --top is -1, want at least 0\n  try: thresher list frontier --top 20\n"},
		{"list sites --top -1", "thresher: --top is -1, want at least 0\n  try: thresher list sites --run runs/quickstart --top 20\n"},
		{"block", "thresher: block needs at least one host\n  try: thresher block ads.example.com --run runs/quickstart\n"},
		{"block a*b", "thresher: \"a*b\" is not a host; want a name such as www.example.org, or an address on it\n"},
		{"budget lots", "thresher: lots is no number of pages; want one such as 5000, or +500\n  try: thresher budget 5000 --run runs/quickstart\n"},
		{"serve runs/a runs/b --crawl", "thresher: --crawl serves all that is below runs/, where its crawls are, and goes with no run that is named: leave out runs/a runs/b\n  try: thresher serve --crawl\n"},
		{"serve --crawl --read-only", "thresher: --crawl writes crawl files and starts crawls, and with --read-only nothing is written\n  try: "},
		{"check ''", "thresher: check needs at least one crawl file\n  try: thresher check configs/quickstart.yaml\n"},
		{"inject ''", "thresher: inject needs at least one address\n  try: "},
		{"etiquette ''", "thresher: \"\" is not a host; want a name such as www.example.org, or an address on it\n  try: "},
		{"serve ''", "thresher: an argument is empty and names no run; name one, or leave it out\n  try: thresher serve runs/quickstart\n"},
		{"mcp ''", "thresher: an argument is empty and names no run; name one, or leave it out\n  try: thresher mcp runs/quickstart\n"},
		{"index runs/a ''", "thresher: an argument is empty and names no run; name one, or leave it out\n  try: thresher index runs/quickstart\n"},
		{"suggest ''", "thresher: an argument is empty and names no run; name one, or leave it out\n  try: thresher suggest runs/quickstart\n"},
		{"search ''", "thresher: search needs a query, in quotation marks where it has spaces\n  try: "},
		{"search runs/a \xb7\xab\xb4\xac", "thresher: the query is \"\\xb7\\xab\\xb4\\xac\", which is not UTF-8: set the terminal to UTF-8 (LANG=zh_CN.UTF-8, LANG=C.UTF-8)\n  try: thresher search "},
		{"ask good.yaml \xb7\xab\xb4\xac", "thresher: the question is \"\\xb7\\xab\\xb4\\xac\", which is not UTF-8"},
		{"init solar --contact a@b.example --terms tea,\xb7\xab\xb4\xac", "thresher: --terms is \"tea,\\xb7\\xab\\xb4\\xac\", which is not UTF-8: set the terminal to UTF-8"},
		{"check good.yaml --set window=5 --set topic.terms=\xb7\xab", "thresher: --set is \"topic.terms=\\xb7\\xab\", which is not UTF-8: set the terminal to UTF-8"},
		{"winnow aRun", "thresher: winnow takes no argument, and there is \"aRun\"\n  try: thresher winnow --run aRun\n"},
		{"suggest nowhere", "thresher: nowhere: there is no run in this folder\n  try: thresher suggest runs/quickstart\n"},
		{"list harvest aRun", "thresher: harvest takes no argument, and there is \"aRun\"\n  try: thresher list harvest --run aRun\n"},
		{"version now", "thresher: version takes no argument, and there is \"now\"\n  try: thresher version\n"},
	} {
		words := strings.Fields(c.line)
		for i, word := range words {
			words[i] = strings.Trim(word, "'")
		}
		code, out, errs := thresher(t, words...)
		if code != exitMisuse || !strings.HasPrefix(errs, c.want) || out != "" {
			t.Errorf("thresher %s: exit code %d\nstdout %s\nstderr %s\nwant   %s", c.line, code, out, errs, c.want)
		}
	}
}

// full is a disk that takes nothing any more.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestNothingCanBeSaid: an answer that cannot be written is a failure, whatever is asked.
func TestNothingCanBeSaid(t *testing.T) {
	files(t, "good.yaml", goodFile)
	for _, line := range []string{"", "--help", "help runs", "version", "check good.yaml", "check --keys", "list --help", "init more --terms tea"} {
		var errs bytes.Buffer
		if code := execute(t.Context(), strings.Fields(line), full{}, &errs); code != exitFailed || errs.String() != "thresher: no space left on device\n" {
			t.Errorf("thresher %s: exit %d: %s", line, code, errs.String())
		}
	}
}

func TestHelp(t *testing.T) {
	code, out, errs := thresher(t, "help")
	if code != exitDone || errs != "" || !strings.Contains(out, "thresher crawl configs/quickstart.yaml") {
		t.Errorf("exit code %d, stderr %s, stdout %s", code, errs, out)
	}
	for _, command := range newRoot().Commands() {
		if !strings.Contains(out, command.Short) {
			t.Errorf("help does not tell of %s", command.Name())
		}
	}
}

// TestExamplesCanBeRun: every command has a word of help and an example, and the examples use commands and flags that
// exist. After the first line other programs may be shown too.
func TestExamplesCanBeRun(t *testing.T) {
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		if cmd.Short == "" || cmd.Example == "" {
			t.Errorf("%s has no help or no example", cmd.CommandPath())
		}
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			if but, marked := flag.Annotations[written]; len(but) == 0 && marked != strings.Contains(flag.Usage, "into this") {
				t.Errorf("%s --%s: whether it names a file that is written is told otherwise than by its usage", cmd.CommandPath(), flag.Name)
			}
		})
		for i, line := range strings.Split(cmd.Example, "\n") {
			if line = strings.TrimSpace(line); i == 0 || strings.HasPrefix(line, "thresher") {
				exampleExists(t, line)
			}
		}
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(newRoot())
}

func exampleExists(t *testing.T, line string) {
	t.Helper()
	line, _, _ = strings.Cut(strings.TrimSuffix(line, "&"), " > ")
	if err := tried(t, line); err != nil || !strings.HasPrefix(line, "thresher ") {
		t.Errorf("example %q: %v", line, err)
	}
}

// shellWords parts a line as a shell does, as far as examples need it: what stands in quotation marks is one word.
func shellWords(line string) (words []string) {
	var word strings.Builder
	var quote rune
	begun, escaped := false, false
	for _, r := range line + " " {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case quote == 0 && r == '\\':
			escaped, begun = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, begun = r, true
		case quote == 0 && r == ' ':
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	return words
}

func TestCompletion(t *testing.T) {
	files(t, "good.yaml", goodFile, "mine.yaml", "rank: {use: anchor}\n")
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		replies(t, exitDone, "thresher", "completion", shell)
	}
	_, out, _ := thresher(t, "__complete", "check", "good.yaml", "--strategy", "")
	for _, want := range []string{"mine\n", "shark\n", "breadth\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("strategies are completed by\n%s", out)
		}
	}
	if _, out, _ := thresher(t, "__complete", "crawl", ""); out != "yaml\nyml\n:8\n" {
		t.Errorf("crawl files are completed by\n%s", out)
	}
}

func TestVersion(t *testing.T) {
	code, out, errs := thresher(t, "version")
	if code != exitDone || errs != "" {
		t.Fatalf("exit code %d, %s", code, errs)
	}
	code, object, _ := thresher(t, "version", "--json")
	var b build
	decoder := json.NewDecoder(strings.NewReader(object))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&b); err != nil || code != exitDone || decoder.More() {
		t.Fatalf("exit code %d, %v: %s", code, err, object)
	}
	for _, fact := range []string{b.Version, b.Go, b.Platform, b.Words} {
		if fact == "" || !strings.Contains(out, fact) {
			t.Errorf("%q is not in\n%s", fact, out)
		}
	}
}

// What has failed on the way and in the end, as a disk does that is full, is told once, with what to do about it.
func TestWhatFailsTwiceIsToldOnce(t *testing.T) {
	full := errors.New("write x.parquet: no space left on device")
	var told bytes.Buffer
	if code := explain(&told, errors.Join(full, errors.New("close x.parquet: it is gone"), full)); code != exitFailed ||
		told.String() != "thresher: write x.parquet: no space left on device\nclose x.parquet: it is gone; make room, and run the command again\n" {
		t.Errorf("exit code %d: %s", code, told.String())
	}
}
