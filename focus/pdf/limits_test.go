package pdf

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/pdf/pdftest"
)

var _ = debug.SetGCPercent(400) // tests allocate much and hold little

// TestDamaged: what is not where it should be is found, whatever was cut off or changed.
func TestDamaged(t *testing.T) {
	const says = "BT /F1 12 Tf 72 700 Td (solar energy) Tj ET\n"
	f := pdftest.New(helvetica, says)
	f.Info = "/Title (Sun)"
	whole, compact := f.Bytes(), f.Compact()
	for name, b := range map[string][]byte{
		"bytes before it":     append([]byte("\r\nHTTP says hello\n"), whole...),
		"bytes in it":         bytes.Replace(whole, []byte("%\xe2"), []byte("%%%%%%%%%%%%%%%%%\xe2"), 1),
		"bytes in a compact":  bytes.Replace(compact, []byte("%PDF-1.7\n"), []byte("%PDF-1.7\n%%%%%%%%%%%%%%%%%%\n"), 1),
		"no table":            whole[:bytes.Index(whole, []byte("xref\n"))],
		"no end of a compact": compact[:bytes.LastIndex(compact, []byte("startxref"))],
		"a length that lies":  bytes.Replace(whole, []byte("/Length "), []byte("/Length 9"), 1),
		"lines end in CR":     bytes.Replace(whole, []byte("obj\n<<"), []byte("obj\r<<"), -1),
	} {
		if have := texts(t, b); have != "solar energy" {
			t.Errorf("%s: %q", name, have)
		}
	}
}

// TestContentsAreNotCopied: what a page unpacks to may be nearly all that its room lets it have.
func TestContentsAreNotCopied(t *testing.T) {
	body := pdftest.Hostile()["bomb"] // it fills the bound
	const most = 64 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := Read(body, Limits{Decoded: most}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 3*most {
		t.Errorf("%d MB were allocated for %d MB", took>>20, most>>20)
	}
}

// A form that leads to itself, alone or by way of another, is run once.
func TestAFormIsNotRunWithinItself(t *testing.T) {
	f := pdftest.New(helvetica, "/X Do")
	one, other := f.Add(""), f.Add("")
	const lower = " 1 0 0 1 0 -30 cm "
	f.Set(one, pdftest.Packed("/Subtype /Form", "BT /F1 12 Tf 72 700 Td (solar) Tj ET"+lower+"/X Do /Y Do"))
	f.Set(other, pdftest.Packed("/Subtype /Form", "BT /F1 12 Tf 72 700 Td (energy) Tj ET"+lower+"/X Do"))
	f.Set(3, fmt.Sprintf("<</Font <</F1 <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>>> /XObject <</X %d 0 R /Y %d 0 R>>>>", one, other))
	d, err := Read(f.Bytes(), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, p := range d.Paragraphs {
		text += p.Text() + " "
	}
	if strings.Count(text, "solar") != 1 || strings.Count(text, "energy") != 1 {
		t.Errorf("%q", text)
	}
}

// No more is read of the contents than there may be operators.
func TestOperatorsAreBounded(t *testing.T) {
	d, err := Read(pdftest.New(helvetica, "BT /F1 12 Tf 72 700 Td "+strings.Repeat("(a) Tj ", 1000)+"ET").Bytes(), Limits{Operators: 103})
	if err != nil || len(d.Paragraphs) != 1 || d.Paragraphs[0].Text() != strings.Repeat("a", 100) {
		t.Errorf("%v, %+v, want a hundred letters", err, d)
	}
}

// What begins as a number and is none costs no more for being long.
func TestLongNumbers(t *testing.T) {
	b := pdftest.New(helvetica, "1"+strings.Repeat("-", 20_000)+" BT /F1 12 Tf 72 700 Td (solar) Tj ET").Bytes()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if have := texts(t, b); have != "solar" {
		t.Errorf("%q", have)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 16<<20 {
		t.Errorf("%d MB were allocated for it", took>>20)
	}
}
