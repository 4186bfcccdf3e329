package wire

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"
)

// coded is a body with one content coding.
func coded(t testing.TB, coding, body string) string {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch coding {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "br":
		w = brotli.NewWriter(&b)
	case "zstd":
		w, _ = zstd.NewWriter(&b)
	case "deflate":
		w = zlib.NewWriter(&b)
	case "bare":
		w, _ = flate.NewWriter(&b, 6)
	default:
		return body
	}
	if _, err := io.WriteString(w, body); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var article = "<html>" + strings.Repeat("<p>All work and no play. 只工作不玩耍。</p>\n", 400) + "</html>"

func TestDecode(t *testing.T) {
	gz := coded(t, "gzip", article)
	cases := []struct {
		name, coding, body string
		want, cut          string
	}{
		{"gzip", "gzip", gz, article, ""},
		{"x-gzip in capitals", "X-GZIP", gz, article, ""},
		{"brotli", "br", coded(t, "br", article), article, ""},
		{"zstd", "zstd", coded(t, "zstd", article), article, ""},
		{"deflate is zlib", "deflate", coded(t, "deflate", article), article, ""},
		{"deflate is bare", "deflate", coded(t, "bare", article), article, ""},
		{"two on top of each other", "gzip, br", coded(t, "br", gz), article, ""},
		{"gzip of two members", "gzip", gz + gz, article + article, ""},
		{"gzip with padding behind it", "gzip", gz + "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", article, ""},
		{"nothing", "gzip", "", "", ""},
		{"identity", "identity", article, article, ""},
		{"not what it says: gzip", "gzip", article, article, ""},
		{"not what it says: brotli", "br", article, article, ""},
		{"not what it says: zstd", "zstd", article, article, ""},
		{"not what it says: deflate", "deflate", article, article, ""},
		{"a charset by mistake", "UTF-8", article, article, ""},
		{"gzip with a wrong checksum", "gzip", gz[:len(gz)-8] + "12345678", article, CutDamaged},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			base := answer(200, http.Header{"Content-Encoding": {c.coding}, "Content-Length": {"1"}}, c.body)
			resp, body, err := get(t, Stack(base, Decode(DecodeConfig{})), "http://a.example/")
			if err != nil {
				t.Fatal(err)
			}
			if body != c.want {
				t.Errorf("got %d bytes %.40q, want %d", len(body), body, len(c.want))
			}
			if cut := resp.Header.Get(CutHeader); cut != c.cut {
				t.Errorf("cut %q, want %q", cut, c.cut)
			}
			if left := resp.Header.Get("Content-Encoding"); left != "" || !resp.Uncompressed {
				t.Errorf("Content-Encoding %q still stands, uncompressed %v", left, resp.Uncompressed)
			}
		})
	}
}

func TestDecodeKeepsWhatCanBeRead(t *testing.T) {
	for _, coding := range []string{"gzip", "br", "zstd", "deflate", "bare"} {
		t.Run(coding, func(t *testing.T) {
			// Text that does not repeat, so that half of the bytes hold about half of it.
			var plain strings.Builder
			for i := range 60000 {
				plain.WriteString(string(rune('a'+i*i%23)) + string(rune('a'+i*7%26)))
			}
			packed := coded(t, coding, plain.String())
			name := strings.Replace(coding, "bare", "deflate", 1)
			base := answer(200, http.Header{"Content-Encoding": {name}}, packed[:len(packed)*3/4])
			resp, body, err := get(t, Stack(base, Decode(DecodeConfig{})), "http://a.example/")
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(plain.String(), body) || coding != "zstd" && body == "" {
				t.Errorf("got %d bytes that are not the start of %d", len(body), plain.Len())
			}
			if cut := resp.Header.Get(CutHeader); cut != CutShort {
				t.Errorf("cut %q, want %q", cut, CutShort)
			}
		})
	}
}

func TestDecodeBounds(t *testing.T) {
	zeros := strings.Repeat("\x00", 8<<20)
	for _, coding := range []string{"gzip", "br", "zstd", "deflate"} {
		base := answer(200, http.Header{"Content-Encoding": {coding}}, coded(t, coding, zeros))
		resp, body, err := get(t, Stack(base, Decode(DecodeConfig{MaxRatio: 100})), "http://a.example/")
		if err != nil {
			t.Fatal(err)
		}
		if len(body) > 2<<20 || resp.Header.Get(CutHeader) != CutRatio {
			t.Errorf("%s: a bomb became %d bytes, cut %q", coding, len(body), resp.Header.Get(CutHeader))
		}
		resp, body, err = get(t, Stack(base, Decode(DecodeConfig{MaxBytes: 5000})), "http://a.example/")
		if err != nil || len(body) != 5000 || resp.Header.Get(CutHeader) != CutDecoded {
			t.Errorf("%s: %d bytes, cut %q, %v; want 5000, %s", coding, len(body), resp.Header.Get(CutHeader), err, CutDecoded)
		}
	}
	base := answer(200, http.Header{"Content-Encoding": {"gzip"}}, coded(t, "gzip", "12345"))
	if resp, body, _ := get(t, Stack(base, Decode(DecodeConfig{MaxBytes: 5})), "http://a.example/"); body != "12345" || resp.Header.Get(CutHeader) != "" {
		t.Errorf("a body of exactly the limit: %q, cut %q", body, resp.Header.Get(CutHeader))
	}
}

// What is not read of a body, because it is too much, is no part of the next one.
func TestACutBodyLeavesNothingBehind(t *testing.T) {
	zeros := strings.Repeat("\x00", 8<<20)
	for _, coding := range []string{"gzip", "br", "zstd", "deflate", "bare"} {
		long := coded(t, coding, zeros)
		if coding == "br" { // packed in haste it is more than is taken in before anything is handed on
			var b bytes.Buffer
			w := brotli.NewWriterLevel(&b, brotli.BestSpeed+1)
			io.WriteString(w, zeros)
			w.Close()
			long = b.String()
		}
		through := func(packed string) (string, string) {
			base := answer(http.StatusOK, http.Header{"Content-Encoding": {strings.Replace(coding, "bare", "deflate", 1)}}, packed)
			resp, got, err := get(t, Stack(base, Decode(DecodeConfig{MaxBytes: 1 << 16})), "http://a.example/")
			if err != nil {
				t.Fatal(err)
			}
			return got, resp.Header.Get(CutHeader)
		}
		for range 3 {
			if got, cut := through(long); len(got) != 1<<16 || cut != CutDecoded {
				t.Errorf("%s: %d bytes of the long one, cut %q", coding, len(got), cut)
			}
			if got, cut := through(coded(t, coding, article)); got != article || cut != "" {
				t.Errorf("%s: behind what was cut %d bytes of %d are had, cut %q", coding, len(got), len(article), cut)
			}
		}
	}
}

func TestDecodeAsksForWhatItKnows(t *testing.T) {
	var asked string
	base := roundTripper(func(r *http.Request) (*http.Response, error) {
		asked = r.Header.Get("Accept-Encoding")
		return answer(200, nil, "").RoundTrip(r)
	})
	get(t, Stack(base, Decode(DecodeConfig{})), "http://a.example/")
	if asked != "gzip, br, zstd, deflate" {
		t.Errorf("asked for %q", asked)
	}
}

func TestDecodeReadsGzipFiles(t *testing.T) {
	base := answer(200, http.Header{"Content-Type": {"application/octet-stream"}}, coded(t, "gzip", "<urlset/>"))
	resp, body, err := get(t, Stack(base, Decode(DecodeConfig{})), "http://a.example/sitemap.xml.gz")
	if err != nil || body != "<urlset/>" || !resp.Uncompressed {
		t.Errorf("got %q, uncompressed %v, %v", body, resp.Uncompressed, err)
	}
	base = answer(200, nil, "<urlset/>")
	if _, body, _ = get(t, Stack(base, Decode(DecodeConfig{})), "http://a.example/sitemap.xml.gz"); body != "<urlset/>" {
		t.Errorf("a file that is not gzip after all: %q", body)
	}
}

// FuzzDecode: whatever the bytes and whatever they are said to be, reading ends, within bounds.
func FuzzDecode(f *testing.F) {
	for _, coding := range []string{"gzip", "br", "zstd", "deflate", "bare"} {
		f.Add([]byte(coded(f, coding, "some text some text some text")), coding)
	}
	f.Add([]byte("<html>"), "gzip, br, zstd")
	f.Fuzz(func(t *testing.T, body []byte, coding string) {
		base := answer(200, http.Header{"Content-Encoding": {coding}}, string(body))
		resp, got, err := get(t, Stack(base, Decode(DecodeConfig{MaxBytes: 1 << 16})), "http://a.example/x.xml.gz")
		if errors.Is(err, ErrCoding) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if !resp.Uncompressed || resp.Header.Get("Content-Encoding") != "" {
			t.Fatal("somebody may decode it again")
		}
		if len(got) > 1<<16 {
			t.Fatalf("%d bytes", len(got))
		}
		if cut := resp.Header.Get(CutHeader); cut != "" && cut != CutDecoded && cut != CutShort && cut != CutDamaged {
			t.Fatalf("cut: %q", cut)
		}
	})
}
