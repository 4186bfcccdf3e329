package page

import (
	"strings"
	"testing"
)

// Manuals offer the address of each heading by a sign beside it, which is in no title and no text, in a list of pages neither. A sign that
// leads elsewhere, or that is said, stays.
func TestSignsOfPlace(t *testing.T) {
	for _, c := range []struct{ markup, want string }{
		{`<h1>Tea<a class="headerlink" href="#tea" title="Permalink">¶</a></h1>`, "Tea"},
		{`<h2 id=tea><span>Tea<a class="copiable-link" href="#tea"> &para;</a></span></h2>`, "Tea"},
		{`<h2><a class="anchor" href="#tea">#</a> Tea</h2>`, "Tea"},
		{`<h4>Tea&nbsp;<a href="/t/5/?post=7#p7">&#182;</a></h4>`, "Tea"},
		{`<h2>Tea <a href="/next">#</a></h2>`, "Tea #"},
		{`<h2>Tea <a href="#tea"># 1</a></h2>`, "Tea # 1"},
		{`<div><a href="#tea">¶</span> Tea</div>`, "¶ Tea"},
		{`<p>Paragraph ¶ 5, C# and <a href="#n">#`, "Paragraph ¶ 5, C# and #"},
	} {
		p := Parse([]byte("<title>Tea</title><body>"+c.markup), "http://a.example/", Options{})
		if got := strings.TrimSpace(p.prose); got != c.want {
			t.Errorf("%s says %q, want %q", c.markup, got, c.want)
		}
	}
}
