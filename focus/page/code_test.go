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
		`<pre><code>$ ls<br></code><button class="icon">Copy</button></pre>`:                                                                                              "$ ls",
		`<div class="code-toolbar"><pre class="language-go"><code>a()</code></pre><div class="toolbar"><div class="toolbar-item"><button>Copy</button></div></div></div>`: "a()",
		`<div><button type="button">复制代码</button><pre>a()</pre></div>`:                                                                                                    "a()",
		`<div class="header"><button><span>Copy</span> code</button></div><pre>a()</pre>`:                                                                                 "a()",
		`<pre>a()</pre><div><button><svg><path d="M1"/></svg>Copied!</button></div>`:                                                                                      "a()",
	} {
		text, markdown := shown(t, html)
		if text != want || markdown != "```\n"+want+"\n```" {
			t.Errorf("%s is %q, and as Markdown %q, want %q", html, text, markdown, want)
		}
	}
	if text, _ := shown(t, "<p>Press <button>Copy files</button> and <button>OK</button>.</p>"); text != "Press Copy files and OK." {
		t.Errorf("buttons that are spoken of: %q", text)
	}
}
