package outlet

import (
	"bufio"
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// packings are how files are packed, by what their names end in. The same pages make the same bytes: nothing is packed side by side.
var packings = map[string]func(io.Writer) io.WriteCloser{
	".gz": func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
	".zst": func(w io.Writer) io.WriteCloser {
		packed, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		if err != nil {
			panic(err) // a mistake of the program: the option is the one above
		}
		return packed
	},
}

// notWritten are endings of files that are packed as nothing is packed here.
var notWritten = []string{".bz2", ".xz", ".zip", ".7z", ".lz4", ".br"}

// PackingOf is what of a file's name says how the file is packed: .gz, .zst, or nothing.
func PackingOf(name string) string {
	if ending := filepath.Ext(name); packings[ending] != nil {
		return ending
	}
	return ""
}

// Packs tells whether a form is written into a file of a name as that name says. An archive is packed with gzip, by itself.
func Packs(form, name string) bool {
	ending := filepath.Ext(name)
	return !slices.Contains(notWritten, ending) && (form != "warc" || ending != ".zst")
}

// Packed packs what is written of a form into a file of a name; nil where there is nothing to do.
func Packed(form, name string, w io.Writer) io.WriteCloser {
	if ending := PackingOf(name); ending != "" && form != "warc" {
		return packings[ending](w)
	}
	return nil
}

// Unpacked reads what Packed has written, by how it begins. What is not packed is read as it is.
func Unpacked(r io.Reader) (io.ReadCloser, error) {
	in := bufio.NewReader(r)
	begin, _ := in.Peek(4) // what is wrong is said by the next to read
	switch {
	case bytes.HasPrefix(begin, []byte{0x1f, 0x8b}):
		return gzip.NewReader(in)
	case bytes.Equal(begin, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		packed, err := zstd.NewReader(in)
		if err != nil {
			return nil, err
		}
		return packed.IOReadCloser(), nil
	}
	return io.NopCloser(in), nil
}

// FormOf is the form that the name of a file tells, packed or not; jsonl where it tells none.
func FormOf(name string) string {
	switch filepath.Ext(strings.TrimSuffix(name, PackingOf(name))) {
	case ".csv":
		return "csv"
	case ".parquet":
		return "parquet"
	case ".txt":
		return "text"
	case ".warc":
		return "warc"
	}
	return "jsonl"
}
