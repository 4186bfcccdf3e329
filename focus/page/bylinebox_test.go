package page

import (
	"strings"
	"testing"
)

// The box below the heading that has the author and the day in it, or how long the page takes to read, is no text with all that it says
// besides, whatever it is called, and so is a short one with the day that the head has; one with a sentence or another heading is.
func TestBoxOfWhoAndWhen(t *testing.T) {
	const a, b = "The breakwater of the harbour keeps the swell out, and the mole keeps the sand where it was.",
		"Nobody has measured how far the sand travels in a winter of storms, and few have tried."
	for box, kept := range map[string]bool{
		"<div><div><a href=/@ida>Ida Brandt</a><span>·</span><span>Follow</span></div><div>Published in <a href=/h>Harbours</a></div><span>Jan 3, 2024</span><p>41</p></div>": false,
		"<div><h4>Ida Brandt</h4><div>Harbours</div><div>4 min read</div></div>":                                                                                              false,
		"<div><div>王小明</div><div>海港</div><div>阅读时间 4 分钟</div></div>":                                                                                                          true, // somebody else
		"<div><div>Ida Brandt</div><div>Harbours of the north</div></div>":                                                                                                    true,
		"<div><div>Harbours of the north</div><div>Jan 3, 2024</div></div>":                                                                                                   false, // the day of the head
		"<div><div>Harbours of the north</div><div>Jan 9, 2024</div></div>":                                                                                                   true,
		"<div><div>Ida Brandt was there on Jan 3, 2024, and saw the ice.</div><div>Harbours</div></div>":                                                                      true,
		"<div><h3>Harbours of the north</h3><div>Ida Brandt</div><div>4 min read</div></div>":                                                                                 true,
	} {
		page := "<title>Piers</title><meta name=author content='Ida Brandt'><meta property=article:published_time content=2024-01-03><body><div id=a><article><div><h1>Piers</h1><h2>Of oak</h2>" +
			box + "<p>" + a + "</p><p>" + b + "</p></div></article></div>"
		got := Parse([]byte(page), "http://x.example/a", Options{}).MainText()
		if has := strings.TrimPrefix(got, "Piers\n") != "Of oak\n"+a+"\n"+b; has != kept || !strings.Contains(got, a) {
			t.Errorf("%s: %t\n%s", box, has, got)
		}
	}
}
