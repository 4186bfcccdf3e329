package page

import (
	"strings"
	"testing"
)

// numbered is an article that shows code.
func numbered(code string) string {
	say := "<p>The cache keeps what was asked for, and forgets what nobody has asked for since the last hour, so that it never grows beyond its bound.</p>"
	return "<html><body><nav><a href=/>Home</a></nav><article><h1>A cache in Go</h1>" + say + say + code + say + "</article></body></html>"
}

// TestNumbersOfLinesAreNoText holds the ways in which generators of sites show the numbers of the lines of code.
func TestNumbersOfLinesAreNoText(t *testing.T) {
	for name, code := range map[string]string{
		"Hexo": `<figure class="highlight go"><table><tr><td class="gutter"><pre><span class="line">1</span><br><span class="line">2</span><br></pre></td>` +
			`<td class="code"><pre><span class="line"><span class="keyword">package</span> main</span><br><span class="line"><span class="comment">// kept</span></span><br></pre></td></tr></table></figure>`,
		"Rouge": `<div class="highlight"><pre class="highlight"><code><table class="rouge-table"><tbody><tr><td class="rouge-gutter gl"><pre class="lineno">1
2
</pre></td><td class="rouge-code"><pre><span class="k">package</span> <span class="n">main</span>
<span class="c">// kept</span>
</pre></td></tr></tbody></table></code></pre></div>`,
		"Chroma, a table": `<div class="chroma"><table class="lntable"><tr><td class="lntd"><pre tabindex="0" class="chroma"><code><span class="lnt"> 1
</span><span class="lnt"> 2
</span></code></pre></td><td class="lntd"><pre tabindex="0" class="chroma"><code class="language-go"><span class="line"><span class="cl"><span class="kn">package</span> <span class="nx">main</span>
</span></span><span class="line"><span class="cl"><span class="c1">// kept</span></span></span></code></pre></td></tr></table></div>`,
		"Chroma, before each line": `<pre><code><span style="display:flex;"><span style="white-space:pre;-webkit-user-select:none;user-select:none;color:#7f7f7f">1</span><span><span style="color:#f92672">package</span> main
</span></span><span style="display:flex;"><span style="white-space:pre;-webkit-user-select:none;user-select:none;color:#7f7f7f">2</span><span>// kept</span></span></code></pre>`,
		"Pygments": `<div class="highlight"><table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre><span></span><span class="normal"><a href="#l-1">1</a></span>
<span class="normal"><a href="#l-2">2</a></span></pre></div></td><td class="code"><div><pre><span></span><code><span class="kn">package</span> main
<span class="c1">// kept</span></code></pre></div></td></tr></table></div>`,
		"Pygments, before each line": `<div class="highlight"><pre><span></span><span class="linenos">1</span><span class="kn">package</span> main
<span class="linenos">2</span><span class="c1">// kept</span></pre></div>`,
		"VitePress": `<div class="language-go line-numbers-mode"><pre class="shiki"><code><span class="line"><span>package main</span></span>
<span class="line"><span>// kept</span></span></code></pre><div class="line-numbers-wrapper" aria-hidden="true"><span class="line-number">1</span><br><span class="line-number">2</span><br></div></div>`,
		"Prism": `<pre class="line-numbers language-go"><code><span class="token keyword">package</span> main
<span class="token comment">// kept</span></code></pre>`,
		"Javadoc": `<pre><span class="source-line-no">001</span><span id="line-1">package main</span>
<span class="source-line-no">002</span><span id="line-2">// kept</span></pre>`,
		"go.dev": `<pre><span id="L1" class="ln">     1&nbsp;&nbsp;</span>package main
<span id="L2" class="ln">     2&nbsp;&nbsp;</span><span class="comment">// kept</span></pre>`,
	} {
		text := Parse([]byte(numbered(code)), "https://blog.example/cache", Options{}).MainText()
		lines := strings.Fields(text[strings.Index(text, "bound.")+len("bound."):])
		if got := strings.Join(lines, " "); !strings.Contains(got, "bound. package main // kept The cache") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestNumbersThatCountNoLinesAreText holds that a number is left out only where the markup says that it may count lines, and nothing
// else stands there.
func TestNumbersThatCountNoLinesAreText(t *testing.T) {
	for code, want := range map[string]string{
		`<pre class="line-numbers"><code class="language-text">42` + "\n" + `17</code></pre>`:                                                                                                "bound.\n42\n17",
		`<pre class="line-numbers language-text"><code>42</code></pre>`:                                                                                                                      "bound.\n42",
		`<div class="language-sh line-numbers-mode"><pre class="language-sh"><code>42</code></pre><div class="line-numbers" aria-hidden="true"><div class="line-number">1</div></div></div>`: "bound.\n42\nThe",
		`<pre><span class="mi">1</span><span class="p">,</span>` + "\n" + `<span class="mi">2</span></pre>`:                                                                                  "1,\n2",
		`<table><tr><th>Year</th><th>Loaves</th></tr><tr><td class="number">1931</td><td>77</td></tr></table>`:                                                                               "1931\n77",
		`<div class="gutter"><p>All that stood in the gutter was a stone of 12 pounds, which nobody took home.</p></div>`:                                                                    "12 pounds",
		`<p>Line <span class="line">12</span> is wrong, and nobody has found out why that is so until today.</p>`:                                                                            "Line 12 is",
	} {
		if got := Parse([]byte(numbered(code)), "https://blog.example/cache", Options{}).MainText(); !strings.Contains(got, want) {
			t.Errorf("%s: no %q in %q", code, want, got)
		}
	}
}
