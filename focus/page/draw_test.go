package page

import (
	"errors"
	"strings"
	"testing"
)

func TestDraw(t *testing.T) {
	var b strings.Builder
	p := Parse([]byte(small+`<div class=ad>&lt;script&gt;</div>`), "http://x.com/", Options{})
	if err := p.Draw(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<title>标题 &amp; x</title>", `class="b navigation"`, `class="b text main"`, `class="b related"`, `class="b advertisement"`,
		"under “相关链接”", "<i>a link</i>", "<b>Hello World</b>", "&lt;script&gt;", "text page, hub ratio",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in the drawing", want)
		}
	}
	if n, blocks := strings.Count(b.String(), "<div"), len(p.Blocks); n != blocks || n != strings.Count(b.String(), "</div>") {
		t.Errorf("%d boxes for %d blocks", n, blocks)
	}
	if err := p.Draw(full{}); !errors.Is(err, errFull) {
		t.Errorf("error of a full disk is %v", err)
	}
}

var errFull = errors.New("disk is full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
