package text

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// digests are the SHA-256 of the dictionaries as they are unpacked.
//
//go:embed dict/SHA256SUMS
var digests string

// dictFile is a file that must lie on disk before gojieba, which takes nothing but paths, can be started.
type dictFile struct {
	name    string
	digest  string
	content func() ([]byte, error)
}

// dictFiles are the five files of gojieba, in the order it wants them: words, model, user's words, and what its
// keyword extractor cannot start without and we never ask: document frequencies and stop words, of one word each.
func dictFiles(user userDict) []dictFile {
	files := make([]dictFile, 0, 5)
	for line := range strings.Lines(digests) {
		digest, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		files = append(files, dictFile{name, digest, func() ([]byte, error) { return unpack(name) }})
	}
	return append(files,
		plainFile("user", user.lines()),
		plainFile("idf", []byte("的 1.0\n")),
		plainFile("stop", []byte("的\n")))
}

// plainFile is a small file that is named after its content.
func plainFile(name string, content []byte) dictFile {
	d := digestOf(content)
	return dictFile{name + "-" + d[:16] + ".utf8", d, func() ([]byte, error) { return content, nil }}
}

func digestOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// places are the folders in which the dictionaries may be unpacked: the user's cache, or, where there is none or it
// cannot be written, the temporary directory.
func places() []string {
	name := digestOf([]byte(digests))[:16]
	var list []string
	if cache, err := os.UserCacheDir(); err == nil {
		list = append(list, filepath.Join(cache, "thresher", name))
	}
	return append(list, filepath.Join(os.TempDir(), fmt.Sprintf("thresher-%d", os.Getuid()), name))
}

// unpackFor lays the files of gojieba into the first of the folders that takes them, and answers with their paths.
// What is there already, and right by its digest, is not written again.
func unpackFor(user userDict, places []string) ([]string, error) {
	var failed []error
	for _, dir := range places {
		paths, err := unpackInto(dir, dictFiles(user))
		if err == nil {
			return paths, nil
		}
		failed = append(failed, err)
	}
	return nil, errors.Join(failed...)
}

func unpackInto(dir string, files []dictFile) ([]string, error) {
	if !readableByJieba(dir) {
		return nil, fmt.Errorf("unpack dictionaries into %q: gojieba cannot read from a folder of that name", dir)
	}
	paths := make([]string, 0, len(files))
	for _, f := range files {
		path := filepath.Join(dir, f.name)
		if !f.isAt(path) {
			if err := f.write(path); err != nil {
				return nil, fmt.Errorf("unpack dictionaries: %w", err)
			}
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// readableByJieba says whether C++ can open files in a folder: it takes | and ; for separators of paths, and on
// Windows only plain letters reach the file system as they are. It would end the process if it could not.
func readableByJieba(dir string) bool {
	if runtime.GOOS == "windows" && strings.ContainsFunc(dir, func(r rune) bool { return r > '~' }) {
		return false
	}
	return !strings.ContainsAny(dir, "|;\x00")
}

func (f dictFile) isAt(path string) bool {
	b, err := os.ReadFile(path)
	return err == nil && digestOf(b) == f.digest
}

// write puts the file in its place whole or not at all: beside it first, then renamed.
func (f dictFile) write(path string) error {
	b, err := f.content()
	if err != nil {
		return err
	}
	if digestOf(b) != f.digest {
		return fmt.Errorf("%s: the embedded dictionary does not have the digest it was built with", f.name)
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	aside, err := os.CreateTemp(dir, ".unpacking-*")
	if err != nil {
		return err
	}
	defer os.Remove(aside.Name()) // gone already where all went well
	if _, err = bytes.NewReader(b).WriteTo(aside); err != nil {
		aside.Close()
		return err
	}
	if err := aside.Close(); err != nil {
		return err
	}
	if err := os.Rename(aside.Name(), path); err != nil && !f.isAt(path) { // another process may have been first
		return err
	}
	return nil
}
