package page

import (
	"strings"
	"testing"
)

// shown is what the article of numbered shows between its sentences, as text and as Markdown.
func shown(t *testing.T, html string) (text, markdown string) {
	t.Helper()
	p := Parse([]byte(numbered(html)), "https://blog.example/cache", Options{Hidden: true})
	between := func(whole string) string {
		parts := strings.Split(whole, "bound.")
		if len(parts) != 4 {
			t.Fatalf("%s: %q", html, whole)
		}
		said, _ := strings.CutSuffix(parts[2], parts[1]) // the sentence that follows
		return strings.Trim(said, "\n")
	}
	return between(p.MainText()), between(p.Markdown())
}

// TestCodeIsAsItIsLaidOut holds that code has the lines that it has, with those that are empty, and nothing that stands on it to be clicked.
func TestCodeIsAsItIsLaidOut(t *testing.T) {
	for html, want := range map[string]string{
		"<pre>a<br>  b<br/><br>c<br>\n\td</pre>": "a\n  b\n\nc\n\n\td",
		`<figure class="highlight go"><table><tr><td class="gutter"><pre><span class="line">1</span><br><span class="line">2</span><br><span class="line">3</span><br></pre></td>` +
			`<td class="code"><pre><span class="line">a</span><br><span class="line"></span><br><span class="line">    b</span><br></pre></td></tr></table></figure>`: "a\n\n    b",
		"<pre><code><div class=l><div class=code>a</div></div><div class=l><div class=code>\n</div></div><div class=l><div class=code><span>    </span>b</div></div></code></pre>": "a\n\n    b",
		"<pre><div>a\n</div><div>\n</div>\n<div>\n</div>\n<div>b</div><div>\n</div></pre>":                                                                                         "a\n\n\nb",
		"<pre>\n<div>\n<div>a</div>\n</div>\n<div></div><div>b</div></pre>":                                                                                                        "a\nb",
		`<pre><code>$ ls<br></code><button class="icon">Copy</button></pre>`:                                                                                                       "$ ls",
		`<div class="code-toolbar"><pre class="language-go"><code>a()</code></pre><div class="toolbar"><div class="toolbar-item"><button>Copy</button></div></div></div>`:          "a()",
		`<div><button type="button">复制代码</button><pre>a()</pre></div>`:                                                                                                             "a()",
		`<div class="header"><button><span>Copy</span> code</button></div><pre>a()</pre>`:                                                                                          "a()",
		`<pre>a()</pre><div><button><svg><path d="M1"/></svg>Copied!</button></div>`:                                                                                               "a()",
	} {
		text, markdown := shown(t, html)
		if _, code, _ := strings.Cut(markdown, "\n"); text != want || code != want+"\n```" {
			t.Errorf("%s is %q, and as Markdown %q, want %q", html, text, markdown, want)
		}
	}
	if text, _ := shown(t, "<p>Press <button>Copy files</button> and <button>OK</button>.</p>"); text != "Press Copy files and OK." {
		t.Errorf("buttons that are spoken of: %q", text)
	}
}

// TestCodeIsCalledCode holds how Markdown tells that something is code, and in which language it is.
func TestCodeIsCalledCode(t *testing.T) {
	for html, want := range map[string]string{
		`<pre class="highlight"><code class="language-C++">a</code></pre>`:                                        "```c++\na\n```",
		`<div class="highlight-python3 notranslate"><div class="highlight"><pre>a</pre></div></div>`:              "```python3\na\n```",
		`<div class="highlight highlight-source-shell"><pre>a</pre></div>`:                                        "```shell\na\n```",
		`<div class="language-js highlighter-rouge"><div class="highlight"><pre><code>a</code></pre></div></div>`: "```js\na\n```",
		`<figure class="highlight go"><table><tr><td class="code"><pre>a</pre></td></tr></table>`:                 "```go\na\n```",
		`<pre class="sourceCode haskell"><code class="sourceCode haskell">a</code></pre>`:                         "```haskell\na\n```",
		`<pre class="brush: php; notranslate">a</pre><pre data-lang="go" class=x><code>b</code></pre>`:            "```php\na\n```\n\n```go\nb\n```",
		`<div class="highlight-box"><pre class="language-none"><code class="a b">a</code></pre></div>`:            "```\na\n```",
		`<pre class="lang-x}y">a</pre><pre><b>b</b> <code class=language-go>c</code></pre>`:                       "```\na\n```\n\n```\nb c\n```",

		"<p>Call <code>a*b</code><code>_c</code>, <code>`</code>, <code>a``b</code> or <code> d </code>e.":            "Call `a*b_c`, `` ` ``, ```a``b``` or `d` e.",
		"<p>x<b><code>f()</code></b> and <b>the <code>g</code></b>, <b><code>h</code></b>y, <code>a <b>b</b></code>.": "x`f()` and **the `g`**, `h`y, `a` **`b`**.",
		"<p><a href=/c><code>a|b</code></a> <code>x<a href=/d>y</a>z</code><code> </code>":                            "[`a|b`](https://blog.example/c) `x`[`y`](https://blog.example/d)`z`",
		"<table><tr><th>a<th>b<tr><td><code>c|d</code><td>1</table><ul><li><code>- e<br># f</code></ul>":              "| a | b |\n| --- | --- |\n| `c\\|d` | 1 |\n\n- `- e`\n  `# f`",
		"<h2><code>get</code> it</h2><p><code>一</code>二<code>三</code><br>":                                            "## `get` it\n\n`一`二`三`",
	} {
		if _, markdown := shown(t, html); markdown != want {
			t.Errorf("%s\nis   %q\nwant %q", html, markdown, want)
		}
	}
}
