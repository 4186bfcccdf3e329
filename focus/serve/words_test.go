package serve

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestNotesAreTranslated holds that every note of package index has Chinese words, and that these take the same arguments.
func TestNotesAreTranslated(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "index", "*.go"))
	noError(t, err)
	noted, verb := regexp.MustCompile(`\.note\("([^"]*)"`), regexp.MustCompile(`%[a-z]`)
	said := 0
	for _, file := range files {
		source, err := os.ReadFile(file)
		noError(t, err)
		for _, found := range noted.FindAllStringSubmatch(string(source), -1) {
			said++
			in, ok := notes[found[1]]
			if want, got := verb.FindAllString(found[1], -1), verb.FindAllString(in, -1); !ok || strings.Join(want, " ") != strings.Join(got, " ") {
				t.Errorf("%q is %q in Chinese", found[1], in)
			}
		}
	}
	if said != len(notes) {
		t.Errorf("%d notes are said, and %d translated", said, len(notes))
	}
}
