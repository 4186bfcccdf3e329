package webs

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"
)

var update = flag.Bool("update", false, "pack the web anew")

// TestThePackIsTheWeb: what the program brings along is the web that stands in the project, page by page.
// go test ./testdata/webs -update packs it.
func TestThePackIsTheWeb(t *testing.T) {
	if *update {
		pack(t)
	}
	dir := filepath.Join(t.TempDir(), "quickstart")
	if err := Quickstart(dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range names(t, "quickstart") {
		want, got := parts(t, filepath.Join("quickstart", name)), parts(t, filepath.Join(dir, name))
		if len(want) != len(got) {
			t.Fatalf("%s has %d parts, want %d: go test ./testdata/webs -update", name, len(got), len(want))
		}
		for i := range want {
			if !bytes.Equal(want[i], got[i]) {
				t.Fatalf("%s differs in part %d: go test ./testdata/webs -update", name, i)
			}
		}
	}
	if more := names(t, dir); len(more) != len(names(t, "quickstart")) {
		t.Errorf("it has %v", more)
	}
	if len(packed) > 1<<20 {
		t.Errorf("the web takes %d bytes of the program, want at most a megabyte", len(packed))
	}
	if err := Quickstart(dir); err == nil {
		t.Error("it is written over what is there")
	}
}

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// parts are what a file is made of: the members of one that is compressed, and otherwise itself.
func parts(t *testing.T, path string) (parts [][]byte) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(path) != ".gz" {
		return [][]byte{raw}
	}
	in := bufio.NewReader(bytes.NewReader(raw))
	member, err := gzip.NewReader(in)
	for err == nil {
		member.Multistream(false)
		part, failed := io.ReadAll(member)
		if failed != nil {
			t.Fatal(failed)
		}
		parts = append(parts, part)
		err = member.Reset(in)
	}
	if err != io.EOF {
		t.Fatal(err)
	}
	return parts
}

// pack writes the archive.
func pack(t *testing.T) {
	t.Helper()
	var plain bytes.Buffer
	archive := tar.NewWriter(&plain)
	for _, name := range names(t, "quickstart") {
		for _, part := range parts(t, filepath.Join("quickstart", name)) {
			if err := archive.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(part))}); err != nil {
				t.Fatal(err)
			}
			if _, err := archive.Write(part); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(zstd.MaxWindowSize>>6))
	if err != nil {
		t.Fatal(err)
	}
	packed = w.EncodeAll(plain.Bytes(), nil)
	if err := os.WriteFile("quickstart.tar.zst", packed, 0o644); err != nil {
		t.Fatal(err)
	}
}
