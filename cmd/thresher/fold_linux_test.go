package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// all is what stands on the screen when a command line has ended.
func (s *screen) all(args ...string) string {
	s.t.Helper()
	if err := <-s.run(args...); err != nil {
		s.t.Fatalf("thresher %s: %v", strings.Join(args, " "), err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for !strings.Contains(s.shown, isOver) {
		s.more.Wait()
	}
	said, rest, _ := strings.Cut(s.shown, isOver)
	s.shown = rest
	return strings.ReplaceAll(said, "\r\n", "\n")
}

// TestNothingIsWiderThanTheWindow: a whole crawl and what is asked of it afterwards, at two sizes of the window. What is drawn
// over counts as often as it is drawn.
func TestNothingIsWiderThanTheWindow(t *testing.T) {
	files(t, "small.yaml", smallCrawl())
	web := filepath.Join(home, "testdata", "webs", "small")
	for _, wide := range []int{80, 200} {
		s := newScreen(t)
		s.size(uint16(wide))
		for _, line := range []string{"crawl small.yaml --fresh", "crawl small.yaml", "list harvest", "list refused", "list sites", "list frontier",
			"why http://daily.example/", "check small.yaml", "crawl --help", "help kept", "help runs", "seeds --help", "check --keys",
			"compare --web " + web + " --topic sailing --strategy breadth,shark --budget 10"} {
			for _, said := range strings.FieldsFunc(s.all(strings.Fields(line)...), func(r rune) bool { return r == '\n' || r == '\r' }) {
				said = strings.TrimPrefix(said, strings.TrimPrefix(clearLine, "\r"))
				if columns(said) > wide && mayBreak(said) {
					t.Errorf("thresher %s: %d columns of %d: %q", line, columns(said), wide, said)
				}
			}
		}
	}
}

// mayBreak tells of a line that it has a place where it could have been broken: a blank, or a Chinese character.
func mayBreak(line string) bool {
	return strings.ContainsFunc(strings.TrimSpace(line), func(r rune) bool { return r == ' ' || opens(r) })
}

// TestLinesAreFoldedBetweenWords: below the column they belong to, and Chinese between its characters.
func TestLinesAreFoldedBetweenWords(t *testing.T) {
	s := newScreen(t)
	s.size(40)
	w := onScreen(s.slave)
	fmt.Fprint(w, "  --flag N     what it is good for, and a little more\n{\"json\": \"is never broken, ")
	fmt.Fprint(w, "however long it may be\"}\nshort, ")
	fmt.Fprint(w, "and what follows it in the same line\n属于这个主题的网页，文件或网址都可以，用空格分开。\nhttp://www.example.org/an/address/stays/whole after it\n", isOver)
	finish(w)
	s.mu.Lock()
	defer s.mu.Unlock()
	for !strings.Contains(s.shown, isOver) {
		s.more.Wait()
	}
	want := "  --flag N     what it is good for, and\n               a little more\n{\"json\": \"is never broken, however long it may be\"}\n" +
		"short, and what follows it in the same\n  line\n" +
		"属于这个主题的网页，文件或网址都可以，用\n  空格分开。\nhttp://www.example.org/an/address/stays/whole\n  after it\n" + isOver
	if said := strings.ReplaceAll(s.shown, "\r\n", "\n"); said != want {
		t.Errorf("it says\n%s\nwant\n%s", said, want)
	}
}

// TestALineInPiecesIsFoldedLikeAWholeOne: wherever it is cut, and nothing of it is left out.
func TestALineInPiecesIsFoldedLikeAWholeOne(t *testing.T) {
	s := newScreen(t)
	s.size(40)
	for _, line := range []string{
		"    many words in a row that go on here, and a comma of its own",
		"  --flag N     what it is good for, and a little more than that",
		"属于这个主题的网页，文件或网址都可以，用空格分开。",
		"short",
	} {
		whole := fold(line, 40, hangOf(line, 40))
		for cut := range line {
			w := onScreen(s.slave)
			fmt.Fprint(w, line[:cut])
			fmt.Fprint(w, line[cut:])
			finish(w)
			fmt.Fprint(s.slave, isOver)
			s.mu.Lock()
			for !strings.Contains(s.shown, isOver) {
				s.more.Wait()
			}
			said, rest, _ := strings.Cut(s.shown, isOver)
			s.shown = rest
			s.mu.Unlock()
			said = strings.ReplaceAll(strings.ReplaceAll(said, "\r\n", "\n"), " \n", "\n") // a blank was seen before the word came that had no room
			if said != whole {
				t.Errorf("cut at %d it says\n%q\nwant\n%q", cut, said, whole)
			}
		}
	}
}

// TestListsOnOneLine: --wide breaks nothing.
func TestListsOnOneLine(t *testing.T) {
	crawled(t)
	s := newScreen(t)
	said := s.all("list", "harvest", "--wide")
	_, out, _ := thresher(t, "list", "harvest")
	if !strings.HasPrefix(said, out) || !regexp.MustCompile(`(?m)^.{81,}$`).MatchString(said) {
		t.Errorf("--wide says\n%s\nwant\n%s", said, out)
	}
}

// TestTheLiveLine: one line is written over again and again, whatever the width, and what is said of the crawl stays above it.
func TestTheLiveLine(t *testing.T) {
	s := newScreen(t)
	for _, wide := range []int{80, 200} {
		s.size(uint16(wide))
		p := progressOn(onScreen(s.slave))
		p.say("waiting for redis://db/0: refused")
		s.see(clearLine + "waiting for redis://db/0: refused")
		p.say(strings.Repeat("x", 300) + "y")
		s.see(clearLine + strings.Repeat("x", wide-2) + "…")
		p.say(strings.Repeat("x", wide-1))
		s.see(clearLine + strings.Repeat("x", wide-1))
		p.note("solar.yaml has changed: budget.pages is 50")
		s.see(clearLine + "solar.yaml has changed: budget.pages is 50\r\n")
		p.say("")
		s.see(clearLine)
	}
}

// TestKeysTypedAheadAnswerNothing: what is typed while the judge learns is no answer to a question that nobody has seen.
func TestKeysTypedAheadAnswerNothing(t *testing.T) {
	crawled(t)
	s := newScreen(t)
	s.keys("yyyy\nnn") // before anything is asked
	done := s.run("label", "runs/small")
	s.see("relevant? y/n/s/q ")
	s.keys("nyyyyy") // one key, and a cat on the others
	s.see("other")
	s.see("relevant? y/n/s/u/q ")
	s.keys("q")
	s.see("1 label given, 1 in all")
	noError(t, <-done)
	if labels, err := os.ReadFile("runs/small/labels.tsv"); err != nil || strings.Count(string(labels), "\n") != 1 {
		t.Errorf("%v: %s", err, labels)
	}
}

// TestAnAddressThatFitsIsNotCut: what is too wide for its column, and not for the screen, goes on further to the left.
func TestAnAddressThatFitsIsNotCut(t *testing.T) {
	const address = "https://www.shop.example/a/long/path.html" // 41 columns
	for _, c := range []struct {
		wide int
		want string
	}{
		{62, "    no such host  " + address},
		{58, "    no such host\n                 " + address},
		{50, "    no such host\n         " + address},
		{41, "    no such host\n" + address},
		{30, "    no such host\n" + address},
	} {
		line := "    no such host  " + address
		if got := fold(line, c.wide, hangOf(line, c.wide)); got != c.want {
			t.Errorf("on %d columns:\n%s\nwant\n%s", c.wide, got, c.want)
		}
	}
}
