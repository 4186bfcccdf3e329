package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
)

const hivePage = `<title>Keeping bees</title><body><p>The beekeeper opens the hives. Hives are full of honey. Bees bring nectar to the hives,
and in winter hives live on honey. The beekeeper looks after bees, hives and honey. News, home, contact.</p>`

// TestInitWritesAFileThatCheckAccepts: by flags alone, without terminal or network; the words are shown, common ones are
// warned of, the next command is told.
func TestInitWritesAFileThatCheckAccepts(t *testing.T) {
	files(t, "hive.html", hivePage, "pages/relevant/a.txt", "keel and mast in the wind", "pages/relevant/b.txt", "mast, keel, wind",
		"pages/other/a.txt", "wind turbines", "pages/other/b.txt", "wind and turbines")
	for _, c := range []struct {
		name, line string
		terms      string // the first terms, as they count
		says       string
	}{
		{"solar", "--terms solar|energy,photovoltaic:0.8,news --contact you@example.org", "solar energy 1, photovoltaic 0.8, news 1", "news                              1.00   common"},
		{"旅游", "--terms 旅游，景点、自由行:0.8 --language zh", "旅游 1, 景点 1, 自由行 0.8", "thresher seeds 旅游.yaml --engine"},
		{"体育", "--terms 体育,足球,篮球,NBA", "体育 1, 足球 1, 篮球 1, NBA 1", "体育.yaml"},
		{"courses", "--about Pages|about|universities|and|their|courses", "universities 1, courses 1", "few words make a poor judge"},
		{"bees", "--example hive.html", "hives 1, bees 0.75, honey 0.75, beekeeper ", "thresher seeds bees.yaml"},
		{"ships", "--labelled pages", "keel 1, mast 1", "keel "},
		{"later", "--example https://www.example.org/bees", "", "no words yet"},
		{"known", "--terms bees,wasps:-0.5 --seed https://www.example.org/ --strategy breadth", "bees 1, wasps -0.5", "next: thresher crawl known.yaml"},
		{"states", "--terms energy|policy,US", "energy policy 1, US 1", "US                                1.00   it is not looked for; 不会单独查找\n  US is a stop word, and is not looked for by itself; write a phrase that pages of the topic have it in, or take it out\n"},
		{"marks", "--terms tea,teapot,(US),!!", "tea 1, teapot 1, (US) 1, !! 1", "(US)                              1.00   it is not looked for; 不会单独查找\n  !!                                1.00   it is not looked for; "},
		{"against", "--terms bees,hives,wasps:-0.5", "bees 1, hives 1, wasps -0.5", "few words make a poor judge"},
		{"fruit", "--terms fruit,orchard,苹果|梨|樱桃", "fruit 1, orchard 1, 苹果 梨 樱桃 1", "if they are terms, part them"},
		{"tea", "--terms 茶,绿茶", "茶 1, 绿茶 1", "  茶                                1.00   found only where it is a word by itself, and in no longer one"},
		{"水果", "--terms 苹果|梨|樱桃", "苹果 梨 樱桃 1", "if they are terms, part them: 苹果,梨,樱桃\n"},
		{"two words", "--terms bees --seed https://www.example.org/ --strategy breadth", "bees 1", "next: thresher crawl 'two words.yaml'"},
	} {
		args := append([]string{"init", c.name}, strings.Fields(c.line)...)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "|", " ")
		}
		code, out, errs := thresher(t, args...)
		if code != exitDone || !strings.Contains(out, c.says) || !strings.HasPrefix(out, c.name+".yaml written\n") {
			t.Errorf("%s: exit code %d\n%s%s", c.line, code, out, errs)
			continue
		}
		config, err := focus.Load(c.name + ".yaml")
		if err != nil {
			t.Error(err)
			continue
		}
		var terms []string
		for _, term := range config.Topic.Terms {
			terms = append(terms, fmt.Sprintf("%s %g", term.Term, term.Weight))
		}
		if have := strings.Join(terms, ", "); !strings.HasPrefix(have, c.terms) || config.Name != c.name {
			t.Errorf("%s: terms %s, want %s", c.name, have, c.terms)
		}
		if code, _, errs := thresher(t, "check", c.name+".yaml"); code != exitDone || strings.Contains(errs, poorJudge) != strings.Contains(out, poorJudge) {
			t.Errorf("%s: check says otherwise than init: exit code %d\n%s%s", c.name, code, errs, out)
		}
		text, _ := os.ReadFile(c.name + ".yaml")
		if strings.Count(string(text), "\n# ")+strings.Count(string(text), "  # ") < 8 || strings.Contains(string(text), " \n") {
			t.Errorf("it is not commented, or has blanks at the ends of lines:\n%s", text)
		}
	}
	for name, want := range map[string]string{"体育": "zh", "solar": "en", "旅游": "zh", "later": "auto"} {
		if config, err := focus.Load(name + ".yaml"); err != nil || string(config.Topic.Language) != want {
			t.Errorf("%s: language %s, want %s: %v", name, config.Topic.Language, want, err)
		}
	}
	if config, err := focus.Load("bees.yaml"); err != nil || len(config.Topic.Examples) != 1 || strings.Contains(joinedTerms(config), "news") {
		t.Errorf("%+v %v", config.Topic, err)
	}
	if config, err := focus.Load("ships.yaml"); err != nil || config.Topic.Corpus.Relevant == "" || strings.Contains(joinedTerms(config), "wind") {
		t.Errorf("%+v %v", config.Topic, err)
	}
}

func joinedTerms(c focus.Config) string {
	var words []string
	for _, t := range c.Topic.Terms {
		words = append(words, t.Term)
	}
	return strings.Join(words, " ")
}

// TestInitInAnotherLanguage: words of a language of which the program knows no forms are not said to be English, and a sentence in one is
// told to give its small words, too.
func TestInitInAnotherLanguage(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, c := range map[string]struct{ flag, told, says string }{
		"parus": {"--terms", "парус,яхта,регата", "  парус is found as it is written and in no other form"},
		"wind":  {"--about", "Seiten über Windkraft und Solaranlagen in Deutschland", "  the sentence seems to be in neither English nor Chinese"},
	} {
		replies(t, exitDone, c.says, "init", name, c.flag, c.told)
		if text := mustRead(t, name+".yaml"); name == "parus" && !strings.Contains(text, "language: auto\n") {
			t.Errorf("%s", text)
		}
	}
}

// TestInitRefuses: what cannot be used is told with what to do, exit code 2, and nothing is written or overwritten.
func TestInitRefuses(t *testing.T) {
	files(t, "there.yaml", "# mine\n", "empty.tsv", "")
	for line, want := range map[string]string{
		"init":                                        "init needs one name",
		"init x":                                      "it asks only on a terminal",
		"init a/b --terms x":                          "is no name for a topic",
		"init .. --terms x":                           "is no name for a topic",
		"init there --terms bees":                     "there.yaml is there already; --force overwrites it",
		"init x --terms bees:0":                       "want more than 0",
		"init x --terms sun:abc":                      `"sun:abc" is no word with a weight`,
		"init x --terms sun:":                         `"sun:" is no word with a weight`,
		"init x --terms :0.5":                         `":0.5" is no word with a weight`,
		"init x --terms the":                          "every term is a stop word",
		"init x --about the|of":                       `--about "the of" has no word`,
		"init x --terms bees --seed b":                "--seed: b is no address",
		"init x --terms bees --directory nope":        "--directory: nope is no address",
		"init x --example none.html":                  "there is no such file",
		"init x --labelled empty.tsv":                 "empty.tsv: there is no label in it",
		"init x --labelled none":                      "want a folder with relevant/ and other/",
		"init x --terms a-b --language fr":            "want zh, en or auto; auto is for words in any other language, too",
		"init x --terms bees --strategy sharc":        `did you mean "shark"?`,
		"init x --terms bees --contact me":            "--contact is \"me\", want an e-mail address",
		"init x --example https://a.example/ --fetch": "polite.contact",
		"init x --terms bees --web none":              "--web none: ",
		"init x --terms bees --private a:80":          `--private is "a:80", want a host without a port`,
	} {
		args := strings.Fields(line)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "|", " ")
		}
		code, out, errs := thresher(t, args...)
		if code != exitMisuse || !strings.Contains(errs, want) || out != "" {
			t.Errorf("%s: exit code %d\n%s%s\nwant %s", line, code, out, errs, want)
		}
	}
	if left, _ := os.ReadDir("."); len(left) != 2 {
		t.Errorf("files were written: %v", left)
	}
	if text, _ := os.ReadFile("there.yaml"); string(text) != "# mine\n" {
		t.Error("it was overwritten")
	}
	if must(t, "init", "there", "--terms", "bees", "--force"); true {
		if text, _ := os.ReadFile("there.yaml"); !strings.Contains(string(text), "bees") {
			t.Error("--force did not")
		}
	}
}

// TestInitOnAFullDisk: what cannot be written whole leaves nothing, and the file that --force was to replace is as it was.
func TestInitOnAFullDisk(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell to bound what a process may write")
	}
	files(t, "there.yaml", "# mine\n")
	for _, line := range []string{"init x --terms bees,hives,honey", "init there --terms bees,hives,honey --force"} {
		cmd := exec.Command(sh, "-c", `ulimit -f 0 && exec "$0"`, os.Args[0])
		cmd.Env = append(os.Environ(), "THRESHER_BE="+line)
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "thresher: ") || strings.Contains(string(out), "written\n") {
			t.Errorf("%s: %v: %s", line, err, out)
		}
	}
	if left, _ := os.ReadDir("."); len(left) != 1 || mustRead(t, "there.yaml") != "# mine\n" {
		t.Errorf("there is %v, and there.yaml is %q", left, mustRead(t, "there.yaml"))
	}
}

// script answers questions in their order.
type script struct {
	t       *testing.T
	answers []string
	begun   []string // what stood in the lines
}

func (s *script) ask(_, begin string) (string, error) {
	s.begun = append(s.begun, begin)
	if len(s.answers) == 0 {
		return "", errCancelled
	}
	said := s.answers[0]
	s.answers = s.answers[1:]
	if said == "=" {
		said = begin
	}
	return said, nil
}

// TestTheInterview: what cannot be used is asked again; the sentence proposes the words.
func TestTheInterview(t *testing.T) {
	files(t)
	var out strings.Builder
	d := draft{name: "course", file: "course.yaml", initFlags: initFlags{language: "auto", strategy: initStrategy}, out: &out, errs: &out}
	s := &script{t: t, answers: []string{"courses of universities", "nowhere.html", "", "the", "", "courses, universities", "example.org", "https://www.example.org/", "me", "me@example.org", "sharc", "shark", "plenty", "surer", "perhaps", "y"}}
	noError(t, d.interview(s))
	if s.begun[3] != "courses, universities" || len(s.answers) != 0 || s.begun[2] != "nowhere.html" {
		t.Errorf("lines began with %q, answers left %q", s.begun, s.answers)
	}
	text, err := d.compose()
	noError(t, err)
	config, err := crawlfile.Read("course.yaml", text)
	if err != nil || joinedTerms(config) != "courses universities" || config.Polite.Contact != "me@example.org" || config.Strategy.Name != "shark" ||
		config.Topic.Language != "en" || len(config.Seeds) != 1 || config.Topic.Find != "surer" || config.Topic.Threshold != .38 {
		t.Errorf("%+v %v", config, err)
	}
	s = &script{t: t, answers: []string{"", "", "bees", "", "", "=", "=", "n"}}
	if err := d.interview(s); err != errCancelled {
		t.Errorf("n at the end: %v", err)
	}
}

// TestInitFetchesExamplesOnlyWhenItMay: with leave, words are taken from them; without, nobody is asked.
func TestInitFetchesExamplesOnlyWhenItMay(t *testing.T) {
	files(t)
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte(hivePage))
	}))
	defer server.Close()
	t.Setenv("THRESHER_FETCH_PRIVATE", "127.0.0.1")
	t.Setenv("THRESHER_POLITE_DELAY", "0s")
	out := must(t, "init", "later", "--example", server.URL+"/bees", "--contact", "you@example.org")
	if asked != 0 || !strings.Contains(out, "no words yet") {
		t.Errorf("%d requests\n%s", asked, out)
	}
	out = must(t, "init", "now", "--example", server.URL+"/bees", "--contact", "you@example.org", "--fetch")
	if asked != 2 || !strings.Contains(out, "\n  hives ") {
		t.Errorf("%d requests\n%s", asked, out)
	}
	t.Setenv("THRESHER_FETCH_PRIVATE", "")
	_, out, errs := thresher(t, "init", "none", "--example", server.URL+"/bees", "--contact", "you@example.org", "--fetch")
	const how = "  127.0.0.1 is on no public address, and is not visited: --private 127.0.0.1 lets it be, or in none.yaml\n    fetch: {private: [127.0.0.1]}\n"
	if asked != 2 || !strings.Contains(errs, "/bees: robots.txt: not a public address; fetch.private lets it be visited; it is kept") || strings.Contains(out, "--fetch") ||
		!strings.Contains(out, "example pages that could not be had\n") || !strings.Contains(out, how) {
		t.Errorf("where it may not: %d requests\n%s%s", asked, out, errs)
	}
	out = must(t, "init", "own", "--example", server.URL+"/bees", "--seed", "http://10.2.0.1:8080/", "--contact", "you@example.org", "--fetch", "--private", "127.0.0.1", "--private", "10.1.0.0/16")
	if asked != 4 || !strings.Contains(out, "\n  hives ") || strings.Contains(out, "127.0.0.1 is on") || !strings.Contains(out, "  10.2.0.1 is on no public address") {
		t.Errorf("%d requests\n%s", asked, out)
	}
	if config, err := focus.Load("own.yaml"); err != nil || strings.Join(config.Fetch.Private, " ") != "127.0.0.1 10.1.0.0/16" {
		t.Errorf("%v %v", config.Fetch.Private, err)
	}
	if config, err := focus.Load("now.yaml"); err != nil || len(config.Topic.Examples) != 1 || config.Topic.Language != "en" {
		t.Errorf("%+v %v", config.Topic, err)
	}
}

// What adaptive is for: start pages and nothing else, which check and the file itself say.
func TestInitByStartPagesAlone(t *testing.T) {
	t.Chdir(t.TempDir())
	code, out, errs := thresher(t, "init", "boats", "--seed", "https://boats.example.org/", "--strategy", "adaptive", "--contact", "me@example.org")
	if code != exitDone || !strings.Contains(out, "the start pages are the topic") || !strings.Contains(out, "next: thresher crawl boats.yaml") {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	text := mustRead(t, "boats.yaml")
	if !strings.Contains(text, "content: by_kind") || strings.Contains(text, "terms:") {
		t.Errorf("written:\n%s", text)
	}
	code, out, errs = thresher(t, "check", "boats.yaml")
	if code != exitDone || !strings.Contains(out, "# the start pages are the topic\n") || strings.Contains(errs, "warning") {
		t.Errorf("check: exit %d: %s%s", code, out[:min(len(out), 300)], errs)
	}
	code, out, errs = thresher(t, "init", "more", "--example", "https://boats.example.org/one.html", "--strategy", "adaptive", "--contact", "me@example.org")
	text = mustRead(t, "more.yaml")
	if code != exitDone || !strings.Contains(text, "seeds:\n  - https://boats.example.org/one.html") {
		t.Fatalf("exit %d: %s%s\n%s", code, out, errs, text)
	}
	if _, _, errs = thresher(t, "check", "more.yaml"); strings.Contains(errs, "warning") {
		t.Errorf("check warns: %s", errs)
	}
	if code, _, errs = thresher(t, "init", "shark", "--seed", "https://boats.example.org/", "--strategy", "shark"); code != exitMisuse {
		t.Errorf("start pages tell shark the topic: exit %d, %s", code, errs)
	}
}

// Init shows what the threshold means by the pages that are at hand, as check does, and says why where it cannot.
func TestInitShowsWhatTheThresholdMeans(t *testing.T) {
	files(t, "hive.html", hivePage, "ads.html", "<title>Cars</title><p>New cars at low prices in our shop. Bees, too.</p>",
		"pages/relevant/a.html", hivePage, "pages/other/b.txt", "wind and turbines")
	web, err := filepath.Abs(filepath.Join(home, "testdata", "webs", "quickstart"))
	noError(t, err)
	for _, c := range []struct {
		name, line string
		says       []string
	}{
		{"hives", "--terms bees,hives,honey --example hive.html --example ads.html", []string{"  what the threshold of 0.30 means, by 2 pages of the example pages:\n", "Keeping bees  ", "Cars  ", "  -- threshold: "}},
		{"labelled", "--labelled pages --find surer", []string{"  what the threshold of 0.38 means, by 2 pages of the labelled pages:\n", "  -- threshold: ", "b.txt"}},
		{"sails", "--terms sailing,yacht,zeppelin --web " + web, []string{"  what the threshold of 0.30 means, by ", " pages of " + web + ":\n", "  -- threshold: ", "http://", "none has “zeppelin”"}},
		{"none", "--terms bees", []string{"  what the threshold means is not shown: no page is at hand: --example FILE,"}},
		{"away", "--example https://www.example.org/bees --terms bees", []string{"is not shown: the topic has example pages that were not fetched: --fetch allows it"}},
	} {
		out := must(t, append([]string{"init", c.name}, strings.Fields(c.line)...)...)
		at := 0
		for _, want := range c.says {
			next := strings.Index(out[at:], want)
			if next < 0 {
				t.Errorf("%s: not said, or not in its place, is %q:\n%s", c.line, want, out)
				break
			}
			at += next
		}
		if strings.Contains(c.line, "--labelled") || strings.Contains(c.line, "hive.html") {
			if checked := must(t, "check", c.name+".yaml"); !strings.Contains(checked, "# what the threshold of 0.3") {
				t.Errorf("%s: check does not show it:\n%.800s", c.line, checked)
			}
		}
	}
	if text, _ := os.ReadFile("sails.yaml"); strings.Contains(string(text), web) {
		t.Error("the file names the web that the threshold was shown by")
	}
}
