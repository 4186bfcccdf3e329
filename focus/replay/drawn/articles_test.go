package drawn

import (
	"html"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestArticlesAreWritten: some 150 in each language, 25 on each subject, each of several paragraphs of whole sentences; nothing is
// said twice, so that what pages say is read as prose.
func TestArticlesAreWritten(t *testing.T) {
	for code, shortest := range map[string]int{"en": 60, "zh": 15} {
		files, err := articles.ReadDir("articles/" + code)
		if err != nil || len(files) != 6 {
			t.Fatalf("%s has %d subjects, want 6 (%v)", code, len(files), err)
		}
		said, all := map[string]bool{}, 0
		once := func(text string) {
			if said[text] {
				t.Errorf("%s: said twice: %s", code, text)
			}
			said[text] = true
		}
		for _, f := range files {
			stories := readStories(code, strings.TrimSuffix(f.Name(), ".txt"))
			if all += len(stories); len(stories) < 25 {
				t.Errorf("%s/%s has %d articles", code, f.Name(), len(stories))
			}
			for _, s := range stories {
				once(s.title)
				if len(s.paragraphs) < 3 || len(s.comments) < 2 {
					t.Errorf("%s: %q has %d paragraphs and %d comments", code, s.title, len(s.paragraphs), len(s.comments))
				}
				for _, p := range s.paragraphs {
					once(p)
					if utf8.RuneCountInString(p) < shortest || !strings.ContainsAny(p[len(p)-3:], ".!?。！？”\"") {
						t.Errorf("%s: %q has the paragraph %q", code, s.title, p)
					}
				}
			}
		}
		if all < 150 {
			t.Errorf("%s has %d articles, want 150", code, all)
		}
	}
}

// TestTitlesReadLikeThoseOfAWeb: each English article page of the quickstart is called as an article is, or as a sentence of one
// begins.
func TestTitlesReadLikeThoseOfAWeb(t *testing.T) {
	var prose strings.Builder
	for _, name := range []string{"sailing", "beekeeping", "astronomy", "baking", "town", "pastimes"} {
		text, err := articles.ReadFile("articles/en/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		prose.Write(text)
	}
	titled, kinds := regexp.MustCompile(`(?is)<title>(.*?)</title>`), regexp.MustCompile(`^(In brief|This week|Letters|Once more): `)
	windows := strings.NewReplacer("\x85", "…", "\xe9", "é") // as Windows-1252 has them
	web, read := open(t, webs+"quickstart"), 0
	for address := range web.Addresses() {
		if line, _ := web.Labels(address); !strings.HasSuffix(line, "\tarticle\ten") {
			continue
		}
		r, err := http.NewRequest(http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := web.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		found := titled.FindSubmatch(body)
		if err != nil || found == nil {
			t.Fatalf("%s has no title (%v)", address, err)
		}
		title := windows.Replace(kinds.ReplaceAllString(html.UnescapeString(string(found[1])), ""))
		title, _, _ = strings.Cut(title, " - ") // the site
		read++
		for part := range strings.SplitSeq(strings.TrimSuffix(title, "…"), ": ") {
			if !strings.Contains(prose.String(), part) {
				t.Errorf("%s is called %q, which nobody has written", address, title)
			}
		}
	}
	if read < 500 {
		t.Errorf("%d article pages have been read", read)
	}
}
