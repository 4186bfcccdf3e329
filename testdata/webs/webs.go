// Package webs answers one question: which drawn web does the program bring along? thresher demo crawls it on a machine
// that has nothing but the binary.
package webs

import (
	"archive/tar"
	"bytes"
	_ "embed"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// packed is the folder quickstart as one archive. Its pages are compressed one by one where they lie, as readers of WARC files
// need them, and all together here, which takes a fifth of the room: each of them is an entry of the archive, under the same name.
//
//go:embed quickstart.tar.zst
var packed []byte

// Quickstart writes the recorded web of the quickstart into a folder, which it makes.
func Quickstart(dir string) error {
	plain, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer plain.Close()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	files := map[string]*os.File{}
	defer func() {
		for _, f := range files {
			f.Close()
		}
	}()
	archive := tar.NewReader(plain)
	for {
		head, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		f := files[head.Name]
		if f == nil {
			if f, err = os.OpenFile(filepath.Join(dir, head.Name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err != nil {
				return err
			}
			files[head.Name] = f
		}
		if err := copyEntry(f, archive); err != nil {
			return err
		}
	}
	var all []error
	for _, f := range files {
		all = append(all, f.Close())
	}
	clear(files)
	return errors.Join(all...)
}

// copyEntry writes an entry to the end of its file: as a member of its own, where the file is compressed.
func copyEntry(f *os.File, entry io.Reader) error {
	if filepath.Ext(f.Name()) != ".gz" {
		_, err := io.Copy(f, entry)
		return err
	}
	w, err := gzip.NewWriterLevel(f, gzip.BestSpeed)
	if err == nil {
		_, err = io.Copy(w, entry)
	}
	if err != nil {
		return err
	}
	return w.Close()
}
