package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryChapterIsShown: each has a title, stands in the list, and comes out as it was written.
func TestEveryChapterIsShown(t *testing.T) {
	_, list, _ := thresher(t, "help")
	for _, name := range chapters() {
		text, _ := chapter(name)
		if !strings.HasPrefix(text, "# ") || chapterTitle(name) == "" {
			t.Errorf("help/%s.md does not begin with a title", name)
		}
		if !strings.Contains(list, name) || !strings.Contains(list, chapterTitle(name)) {
			t.Errorf("thresher help does not list %s", name)
		}
		if code, out, errs := thresher(t, "help", name); code != exitDone || out != text || errs != "" {
			t.Errorf("thresher help %s: exit %d, %d bytes of %d, %s", name, code, len(out), len(text), errs)
		}
	}
}

// TestHelpKnowsCommandsAndNearMisses: what is no chapter is a command, and what is neither is told with what was meant.
func TestHelpKnowsCommandsAndNearMisses(t *testing.T) {
	for _, args := range [][]string{{"help", "crawl"}, {"help", "train", "judge"}} {
		replies(t, exitDone, "Usage:", args...)
	}
	for word, want := range map[string]string{"topcs": `did you mean "topics"?`, "craw": `did you mean "crawl"?`, "crawl x": "there is no command and no chapter"} {
		code, _, errs := thresher(t, append([]string{"help"}, strings.Fields(word)...)...)
		if code != exitMisuse || !strings.Contains(errs, want) {
			t.Errorf("help %s: exit %d: %s", word, code, errs)
		}
	}
}

var linked = regexp.MustCompile(`\]\(([^)#]+)(?:#[^)]*)?\)`)

// TestWhatTheManualLinksToIsThere: README and chapters are read as files, too.
func TestWhatTheManualLinksToIsThere(t *testing.T) {
	files, err := filepath.Glob("help/*.md")
	noError(t, err)
	for _, file := range append(files, filepath.Join(home, "README.md"), filepath.Join(home, "configs", "README.md")) {
		for _, link := range linked.FindAllStringSubmatch(mustRead(t, file), -1) {
			if strings.Contains(link[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), link[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", file, link[1])
			}
		}
	}
}

// TestTheChineseChapterCanBeFollowed: the commands that it shows, one after the other, in the folder of the project; but for those that ask
// the web.
func TestTheChineseChapterCanBeFollowed(t *testing.T) {
	project, err := filepath.Abs(home)
	noError(t, err)
	t.Chdir(t.TempDir())
	for _, folder := range []string{"configs", "testdata/webs/quickstart"} {
		noError(t, os.CopyFS(folder, os.DirFS(filepath.Join(project, folder))))
	}
	text, _ := chapter("中文")
	var ran []string
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, " #")
		command, ok := strings.CutPrefix(line, "    thresher ")
		if !ok || strings.HasPrefix(command, "seeds ") || strings.HasPrefix(command, "crawl chaye") {
			continue
		}
		words := shellWords(strings.TrimSpace(command))
		if out := must(t, words...); words[0] == "search" && !strings.Contains(out, "[绿茶]") {
			t.Errorf("%s answers\n%s", line, out)
		}
		ran = append(ran, words[0])
	}
	if want := "crawl list search list suggest export init check winnow winnow"; strings.Join(ran, " ") != want {
		t.Errorf("%v were run, want %s", ran, want)
	}
}
