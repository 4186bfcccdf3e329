package run

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A line in which one bit is another is no line: it is refused with file and byte, and never read as something else.
func TestALineThatWasChangedIsDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileState, FileInjected)
	noError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	lines := Sealed("http://a.example/") + Sealed("+ http://b.example/1") + Sealed("pause")
	read := func(text string) (got []string, err error) {
		noError(t, os.WriteFile(path, []byte(text), 0o644))
		_, err = EachSealed(path, 0, func(line string) { got = append(got, line) })
		return got, err
	}
	whole, err := read(lines)
	if err != nil || !slices.Equal(whole, []string{"http://a.example/", "+ http://b.example/1", "pause"}) {
		t.Fatalf("read %q, %v", whole, err)
	}
	for at := range lines {
		for bit := range 8 {
			raw := []byte(lines)
			raw[at] ^= 1 << bit
			got, err := read(string(raw))
			if err == nil && (len(got) > len(whole) || !slices.Equal(got, whole[:len(got)])) {
				t.Errorf("bit %d of byte %d: read %q", bit, at, got)
			}
			if err != nil && !strings.Contains(err.Error(), path+" is damaged at byte ") {
				t.Errorf("bit %d of byte %d: %v", bit, at, err)
			}
		}
		got, err := read(lines[:at]) // the last line is being written
		if err != nil || !slices.Equal(got, whole[:strings.Count(lines[:at], "\n")]) {
			t.Errorf("of %d bytes read %q, %v", at, got, err)
		}
	}
	if got, err := read("?damaged\n\n"); err != nil || len(got) != 0 {
		t.Errorf("of a repair, %q: %v", got, err)
	}
}
