package page

import (
	"strings"
	"testing"
)

// The name of an element that is the author's own says what it is for, as a class does, and its links are a block.
func TestNamesOfComponents(t *testing.T) {
	const a, b = "The breakwater of the harbour keeps the swell out, and the mole keeps the sand where it was.",
		"Nobody has measured how far the sand travels in a winter of storms, and few have tried."
	for part, kept := range map[string]bool{
		"<site-footer><p>All rights are kept by those who keep the harbour, and by nobody else.</p></site-footer>":             false,
		"<user-comments><user-comment><p>What a fine text this is, thank you for it.</p></user-comment></user-comments>":       false,
		"<cookie-banner><p>We use cookies to know who you are, and when you were here.</p></cookie-banner>":                    false,
		"<p>The sand travels far (<trusted-source><a href=/s>11</a></trusted-source>), <my-tooltip>they say</my-tooltip>.</p>": true,
		"<mjx-container class='Ctxt CtxtMenu'>The ice comes in where the harbour is deep.</mjx-container>":                     true,
		"<harbour-map><p>The map of the harbour shows where the ice comes in.</p></harbour-map>":                               true,
		"<footernote><p>The map of the harbour shows where the ice comes in.</p></footernote>":                                 true,
	} {
		page := "<title>Piers</title><body><app-root><site-nav><a href=/1>One</a><a href=/2>Two</a></site-nav><article-body><h1>Piers</h1><p>" + a + "</p><p>" + b + "</p>" + part + "</article-body></app-root>"
		p := Parse([]byte(page), "http://x.example/a", Options{})
		text := strings.TrimPrefix(p.MainText(), "Piers\n")
		if (text != a+"\n"+b) != kept || !strings.Contains(text, b) || strings.Contains(part, "tooltip") && !strings.HasSuffix(text, "(11), they say.") {
			t.Errorf("%s: %s", part, text)
		}
		if kind := p.Blocks[p.Links[0].Block].Kind; kind != Navigation {
			t.Errorf("%s: its menu is %v", part, kind)
		}
	}
}
