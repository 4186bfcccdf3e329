package crawlfile

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// IsShared tells whether a store is a Redis that machines share, and not a folder.
func IsShared(store string) bool {
	scheme, _, ok := strings.Cut(strings.ToLower(store), "://")
	return ok && (scheme == "redis" || scheme == "rediss")
}

// meansRedis is a store that is no folder to whoever wrote it: an address, or that of a Redis without its slashes. It may have a password.
var meansRedis = regexp.MustCompile(`(?i)^(?:(rediss):|[a-z][a-z0-9+.-]+://|redis:)/*(?:.*@)?(.*)`)

// noRedis tells of a store that is meant for a Redis, and would be taken for a folder.
func noRedis(store string) error {
	m := meansRedis.FindStringSubmatch(store)
	if m == nil {
		return nil
	}
	return fmt.Errorf("is neither a folder nor the address of a Redis; want one such as runs/solar, or %s://%s", cmp.Or(strings.ToLower(m[1]), "redis"), cmp.Or(m[2], "localhost:6379/0"))
}

// NoFolder tells of a file where the folder of a run should be, or one on the way to it, and of a home that only a shell would find.
func NoFolder(dir string) error {
	if cure := escaped(dir); cure != "" {
		return fmt.Errorf("%q is no folder%s", dir, cure)
	}
	if first, _, _ := strings.Cut(filepath.ToSlash(dir), "/"); first == "~" {
		if _, err := os.Stat(first); err != nil {
			return fmt.Errorf("%s: what ~ stands for is known to a shell alone; write the folder out, from / on", dir)
		}
	}
	for at := dir; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err == nil && !info.IsDir() {
			return fmt.Errorf("%s is a file, want the folder of a run", at)
		}
		if err == nil || at == filepath.Dir(at) {
			return nil
		}
	}
}

// escaped says what to do about a path with a sign in it that no name of a file has, as "C:\tea" has a tab; empty for others.
func escaped(path string) string {
	if strings.ContainsFunc(path, unicode.IsControl) {
		return `; in double quotes a backslash begins an escape, as \t is a tab: write the path with /, or in single quotes`
	}
	return ""
}

// plainly is a path as a message shows it.
func plainly(path string) string {
	if escaped(path) != "" {
		return strconv.Quote(path)
	}
	return path
}

// WebFiles are the files by which the folder of a recorded web is known.
var WebFiles = []string{"*.warc", "*.warc.gz"}

// Holds tells whether a folder has a file of one of these names.
func Holds(dir string, patterns ...string) bool {
	for _, p := range patterns {
		if names, err := filepath.Glob(filepath.Join(GlobEscape(dir), p)); err == nil && len(names) > 0 {
			return true
		}
	}
	return false
}

// GlobEscape takes a path literally inside a pattern.
func GlobEscape(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// IsList tells a list of labels by its name.
func IsList(path string) bool { return strings.HasSuffix(strings.ToLower(path), ".tsv") }

// Chinese tells whether the people of this crawl read Chinese, as far as its file shows: it says so, or does not say
// otherwise and has Chinese characters in its name or its topic.
func (c *Config) Chinese() bool {
	han := func(s string) bool {
		return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
	}
	if c.Topic.Language != "auto" {
		return c.Topic.Language == "zh"
	}
	for _, term := range c.Topic.Terms {
		if han(term.Term) {
			return true
		}
	}
	return han(c.Name) || han(c.Topic.About)
}
