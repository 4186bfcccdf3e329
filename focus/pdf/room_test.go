package pdf

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/pdf/pdftest"
)

// TestARoomOfItsOwn: a file is read by this very program, started once more.
func TestARoomOfItsOwn(t *testing.T) {
	for _, article := range []pdftest.Article{
		{Title: "Solar energy", Paragraphs: []string{"The sun shines on the roof."}},
		{Title: "太阳能", Chinese: true, Paragraphs: []string{"太阳照在屋顶上。"}},
	} {
		html, err := HTML(t.Context(), article.File().Bytes())
		if err != nil || !strings.Contains(string(html), "<p>"+article.Paragraphs[0]+"</p>") || !strings.Contains(string(html), "<h1>"+article.Title+"</h1>") {
			t.Errorf("%v: %s", err, html)
		}
	}
	for said, body := range map[string][]byte{
		ErrNoPDF.Error():     []byte("<html>not found</html>"),
		ErrNoPages.Error():   []byte("%PDF-1.4\n"),
		ErrEncrypted.Error(): pdftest.Hostile()["locked"],
	} {
		if html, err := HTML(t.Context(), body); err == nil || err.Error() != said {
			t.Errorf("%q and %v, want %s", html, err, said)
		}
	}
}

// TestHostileFiles: whatever a file does, this process lives, the file costs no more than a room may, and what can be read of it is.
func TestHostileFiles(t *testing.T) {
	want := map[string]string{ // the reason; everything else is read
		"empty": ErrNoPages.Error(), "junk": ErrNoPages.Error(), "locked": ErrEncrypted.Error(),
		"memory": "it took more than 256 MB", "bomb-nested": ErrNoText.Error(), "references-ring": ErrNoText.Error(),
	}
	says := map[string]string{"widths-huge": "<p>so</p>"}
	for name, body := range pdftest.Hostile() {
		t.Run(name, func(t *testing.T) {
			html, err := HTML(t.Context(), body)
			switch {
			case want[name] != "":
				if err == nil || !strings.Contains(err.Error(), want[name]) {
					t.Errorf("%d bytes and %v, want %s", len(html), err, want[name])
				}
			case err != nil:
				t.Error(err)
			case !strings.Contains(string(html), cmp.Or(says[name], "solar energy")):
				t.Errorf("%.300s", html)
			case len(html) > 3*(4<<20):
				t.Errorf("%d bytes", len(html))
			}
		})
	}
}

// TestAStranger: a file never goes to a program that does not greet.
func TestAStranger(t *testing.T) {
	program, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no shell here")
	}
	made := filepath.Join(t.TempDir(), "made")
	if _, err := enter(t.Context(), program, []byte("%PDF-\ntouch "+made+"\n"), time.Second); !errors.Is(err, errStranger) {
		t.Errorf("%v, want %v", err, errStranger)
	}
	if _, err := os.Stat(made); err == nil {
		t.Error("a shell ran what it was given")
	}
}

// TestWhatEndsItsParentEndsNoRoom: a room finishes its file though it is told to end, because whoever opened it finishes what is in
// flight; and a file that nobody has time for is not called bad.
func TestWhatEndsItsParentEndsNoRoom(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("signals are not sent there")
	}
	c := exec.Command(os.Args[0])
	c.Env = []string{roomKey + "=1"}
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	hello := make([]byte, len(greeting))
	if _, err := io.ReadFull(out, hello); err != nil {
		t.Fatal(err)
	}
	for _, s := range []os.Signal{os.Interrupt, terminate, hangUp} {
		if err := c.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := in.Write(pdftest.Article{Title: "Sun", Paragraphs: []string{"Light."}}.File().Bytes()); err != nil {
		t.Fatal(err)
	}
	in.Close()
	text, err := io.ReadAll(out)
	if err := errors.Join(err, c.Wait()); err != nil || !strings.Contains(string(text), "Light.") {
		t.Errorf("%v: %s", err, text)
	}
	over, end := context.WithCancel(t.Context())
	end()
	if _, err := HTML(over, pdftest.Article{Title: "Sun"}.File().Bytes()); !errors.Is(err, ErrNotNow) {
		t.Errorf("nobody has time for a file, and it says %v", err)
	}
	program, err := exec.LookPath("false")
	if err == nil {
		if _, err := enter(t.Context(), program, nil, longest); !errors.Is(err, errStranger) {
			t.Errorf("a program that is none said %v", err)
		}
	}
	if _, err := enter(t.Context(), filepath.Join(t.TempDir(), "none"), nil, longest); !errors.Is(err, ErrNotNow) {
		t.Errorf("a program that is not there said %v", err)
	}
}

// FuzzRead: whatever the bytes are, nothing panics, and the bounds hold.
func FuzzRead(f *testing.F) {
	for _, body := range pdftest.Hostile() {
		if len(body) < 20_000 {
			f.Add(body)
		}
	}
	for _, a := range []pdftest.Article{{Title: "Sun", Author: "Ann", Date: "2024-01-02", Paragraphs: []string{"# One", "Light."}, Link: "http://a.example/"}, {Title: "太阳", Chinese: true, Paragraphs: []string{"光。"}}} {
		f.Add(a.File().Bytes())
		f.Add(a.File().Compact())
	}
	f.Add(pdftest.New(helvetica, "BT /F1 12 Tf 72 700 Td [(a) -300 (b)] TJ T* (c) ' 1 2 (d) \" /X Do BI ID x EI /P BMC EMC ET q Q").Bytes())
	f.Add(pdftest.New("<</Font <</F1 <</Subtype /Type0 /Encoding /Identity-H /DescendantFonts [<</CIDSystemInfo <</Ordering (GB1)>>>>]>> /F2 <</Subtype /Type3 /FontMatrix [.01 0 0 .01 0 0] /FirstChar 11 /Widths [50 60] /Encoding <</Differences [11 /a11 /a12 96 /a96 /a97 /a98 /a99]>>>>>>>>",
		"BT /F1 12 Tf 72 700 Td <03ac03ad> Tj /F2 12 Tf [(`) 500 (abc) -140 (c)] TJ ET").Bytes())
	sealed := pdftest.New(helvetica, "BT (a) Tj ET")
	sealed.Trailer = sealed256("6", user256, key256)
	f.Add(sealed.Bytes())
	limits := Limits{Decoded: 1 << 20, Objects: 5000, Operators: 20_000, Pages: 50, Text: 1 << 16}
	f.Fuzz(func(t *testing.T, body []byte) {
		d, err := Read(body, limits)
		if err != nil {
			return
		}
		n := 0
		for _, p := range d.Paragraphs {
			n += len(p.Text())
		}
		if d.Pages > limits.Pages || n > 2*limits.Text {
			t.Errorf("%d pages, %d bytes of text", d.Pages, n)
		}
		d.HTML()
	})
}
