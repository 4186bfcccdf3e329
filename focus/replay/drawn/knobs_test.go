package drawn

import (
	"bytes"
	"strings"
	"testing"
)

// drawnText is all that a web's pages say, and its labels.
func drawnText(t *testing.T, turn func(*Knobs)) (pages, labels string) {
	t.Helper()
	k := tiny()
	turn(&k)
	dir := t.TempDir()
	if err := Draw(dir, k); err != nil {
		t.Fatal(err)
	}
	return string(unpackedFile(t, dir+"/pages.warc.gz")), string(unpackedFile(t, dir+"/labels.tsv"))
}

func TestKnobsDoWhatTheySay(t *testing.T) {
	for _, c := range []struct {
		name       string
		off        func(*Knobs)
		inPages    string // what is there with the knob as it is, and not with it turned off
		inLabels   string
		alsoBefore func(*Knobs)
	}{
		{name: "Dead", off: func(k *Knobs) { k.Dead = 0 }, inPages: "/gone/"},
		{name: "Redirect", off: func(k *Knobs) { k.Redirect = 0 }, inPages: "/old/"},
		{name: "Tunnel", off: func(k *Knobs) { k.Tunnel = 0 }, inLabels: "\t" + tunnelPage + "\t", alsoBefore: func(k *Knobs) { k.Tunnel = 4 }},
		{name: "Copies", off: func(k *Knobs) { k.Copies = 0 }, inLabels: "\t" + copied + "\t"},
		{name: "Calendar", off: func(k *Knobs) { k.Calendar = 0 }, inLabels: "\t" + calendar + "\t"},
		{name: "Ads", off: func(k *Knobs) { k.Ads = 0 }, inPages: "ad-banner"},
		{name: "Broken", off: func(k *Knobs) { k.Broken = 0 }, inPages: "&nosuch;"},
		{name: "Noise", off: func(k *Knobs) { k.Noise = 0 }, inPages: ">Click here</a>"},
		{name: "Gallery", off: func(k *Knobs) { k.Gallery = 0 }, inPages: "/logos/", inLabels: "\t" + gallery + "\t", alsoBefore: func(k *Knobs) { k.Gallery = 9 }},
		{name: "Almanac", off: func(k *Knobs) { k.Almanac = 0 }, inLabels: "\t" + almanac + "\t", alsoBefore: func(k *Knobs) { k.Almanac = 20 }},
	} {
		before := c.alsoBefore
		if before == nil {
			before = func(*Knobs) {}
		}
		pages, labels := drawnText(t, before)
		if !strings.Contains(pages, c.inPages) || !strings.Contains(labels, c.inLabels) {
			t.Errorf("%s: there is no %q%q to begin with", c.name, c.inPages, c.inLabels)
		}
		pages, labels = drawnText(t, c.off)
		if c.inPages != "" && strings.Contains(pages, c.inPages) || c.inLabels != "" && strings.Contains(labels, c.inLabels) {
			t.Errorf("%s: turned off, and there still is %q%q", c.name, c.inPages, c.inLabels)
		}
	}
}

func TestAWebHasExactlyThePagesAskedFor(t *testing.T) {
	for n := 250; n < 600; n++ {
		k := tiny()
		k.Pages = n
		w := newDrawing(k)
		if err := w.plan(); err != nil {
			t.Fatal(err)
		}
		addresses := map[string]bool{}
		for _, p := range w.pages {
			addresses[p.address()] = true
		}
		if len(w.pages) != n || len(addresses) != n {
			t.Errorf("%d pages under %d addresses, want %d", len(w.pages), len(addresses), n)
		}
	}
}

func TestBrokenPagesAreBroken(t *testing.T) {
	page := "<html><head></head>\n<body>\n<h1>x</h1><ul><li><a href=\"/a\">a</a></li></ul><div><p>y</p></div>\n</body>\n</html>\n"
	seen := map[string]bool{}
	for n := range 200 {
		got := broken(&dice{state: uint64(n)}, page)
		if got == page {
			t.Errorf("dice %d broke nothing", n)
		}
		if !bytes.Contains([]byte(got), []byte("y")) {
			t.Errorf("dice %d lost the text: %s", n, got)
		}
		seen[got] = true
	}
	if len(seen) < 30 {
		t.Errorf("pages are broken in %d ways only", len(seen))
	}
}
