package page

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"
)

// writtenAs is what the pages of the drawn webs are written as by this version. When this test fails because pages are
// read or written another way, raise Version and put the new digest here: what was kept by older programs is then read
// anew.
const (
	writtenAs      = "57bae71a6a9d316b"
	writtenVersion = 1
)

// oddPages are small pages with what the drawn webs do not have.
var oddPages = []string{
	"", "<p>", "<title>一</title><h1>二</h1><p>三<a href=x>四</a>五",
	`<html lang=zh><head><base href="/b/"><meta name=robots content="noindex,nofollow"><link rel=canonical href=c><meta name=description content=d>` +
		`<meta name=keywords content="k, l"></head><body><nav><ul><li><a href=1 rel=nofollow>one</a><li><a href=2 rel="ugc sponsored">two</a></ul></nav>` +
		`<article><h2>three</h2><p>four <b>five</b> <img alt="six"> seven<pre>eight
nine</pre><table><tr><td width=200><a href="/a.html#x">ten</a></td></tr></table></article><iframe src=f></iframe>`,
}

// eachWritten hands out pages and what they are written as.
func eachWritten(t *testing.T, check func(p *Page, written []byte)) {
	t.Helper()
	one := func(body []byte, address string) {
		p := Parse(body, address, Options{Hidden: true})
		written, err := p.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		check(p, written)
	}
	for _, web := range []string{"small", "quickstart"} {
		eachPage(t, filepath.Join("..", "..", "testdata", "webs", web), func(p recorded) { one(p.body, p.address) })
	}
	for _, body := range oddPages {
		one([]byte(body), "http://odd.example/a/b.html")
	}
}

func TestPagesComeBackAsTheyWere(t *testing.T) {
	pages, html, size := 0, 0, 0
	eachWritten(t, func(p *Page, written []byte) {
		pages++
		size += len(written)
		html += len(p.prose)
		var back Page
		if err := back.UnmarshalBinary(written); err != nil {
			t.Fatalf("%s: %v", p.URL, err)
		}
		for _, p := range []*Page{p, &back} {
			p.Runs, p.Links, p.Blocks, p.marks = orNil(p.Runs), orNil(p.Links), orNil(p.Blocks), orNil(p.marks)
		}
		if !reflect.DeepEqual(p, &back) {
			t.Fatalf("%s came back as another page", p.URL)
		}
		if p.Markdown() != back.Markdown() || p.MainText() != back.MainText() {
			t.Errorf("%s: other text", p.URL)
		}
		again, err := back.AppendBinary(nil)
		if err != nil || string(again) != string(written) {
			t.Errorf("%s is written another way when it has come back: %v", p.URL, err)
		}
	})
	if pages < 60 {
		t.Fatalf("only %d pages", pages)
	}
	t.Logf("%d pages: %d bytes for %d bytes of text", pages, size, html)
}

// orNil makes no difference between a list that is empty and one that is not there.
func orNil[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}

func TestWhatIsWrittenHoldsTheVersion(t *testing.T) {
	sum := sha256.New()
	eachWritten(t, func(_ *Page, written []byte) { sum.Write(written) })
	if got := fmt.Sprintf("%x", sum.Sum(nil)[:8]); got != writtenAs || Version != writtenVersion {
		t.Errorf("pages are written as %s in version %d, and were as %s in version %d: if pages are read or written another way, raise Version, and put the new digest here", got, Version, writtenAs, writtenVersion)
	}
}

func TestDamagedBytesAreNoPage(t *testing.T) {
	n := 0
	eachWritten(t, func(p *Page, written []byte) {
		if n++; n%9 != 0 && len(p.Links) > 8 {
			return
		}
		var back Page
		for cut := 0; cut < len(written); cut += 1 + len(written)/200 {
			if back.UnmarshalBinary(written[:cut]) == nil {
				t.Fatalf("%s: %d of its %d bytes are a page", p.URL, cut, len(written))
			}
		}
		if back.UnmarshalBinary(append(written, 0)) == nil {
			t.Errorf("%s: a byte too many is a page", p.URL)
		}
	})
}

// FuzzUnmarshalBinary asks that no bytes end the process, or make a page that cannot be used.
func FuzzUnmarshalBinary(f *testing.F) {
	for _, body := range oddPages {
		written, err := Parse([]byte(body), "http://odd.example/", Options{}).AppendBinary(nil)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(written)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var p Page
		if p.UnmarshalBinary(raw) == nil {
			if _, err := p.AppendBinary(nil); err != nil {
				t.Error(err)
			}
		}
	})
}
