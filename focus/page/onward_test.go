package page

import (
	"strings"
	"testing"
)

// Where a page leads whoever opens it, and whether that is all there is of it.
func TestOnward(t *testing.T) {
	long := "<p>" + strings.Repeat("A keel keeps a boat upright. ", 20)
	for page, want := range map[string]struct {
		link  string
		alone bool
	}{
		`<meta http-equiv=refresh content="0; url=/en/"><title>Sailing</title><p>The page has moved.`:               {"/en/", true},
		`<meta http-equiv=Refresh content="5,URL='/en/'"><body>You are led on in 5 seconds: <a href=/x>sailing</a>`: {"/en/", true},
		`<meta http-equiv=refresh content="0;/en/">` + long:                                                         {"/en/", false},
		`<meta http-equiv=refresh content="600;url=/en/"><p>Sailing`:                                                {"/en/", false},
		`<meta http-equiv=refresh content="soon;url=/en/"><p>Sailing`:                                               {"/en/", false},
		`<meta http-equiv=refresh content="5;url=/p#top"><p>Sailing`:                                                {"", false},
		`<script>window.location.href="/col/col1/index.html"</script>`:                                              {"/col/col1/index.html", true},
		"<html><head><script language=javascript>\n<!--\nlocation = '/web/' ;\n//-->\n</script></head></html>":      {"/web/", true},
		`<title>Sailing</title><script>top.location.replace('/a');</script><body>Wait`:                              {"/a", true},
		`<script>document.location="/a";</script>` + long:                                                           {"/a", false},
		`<script>location.href="/a";count()</script>Sailing`:                                                        {"", false},
		`<script>if(top!=self)top.location="/a"</script>Sailing`:                                                    {"", false},
		`<script>location.replace("/open/data/")</script>Sailing`:                                                   {"/open/data/", true},
		`<script>window.open("/advert")</script>Sailing`:                                                            {"", false},
		`<script>location.href="/a?from="+location.href</script>Sailing`:                                            {"", false},
		`<template><script>location.href="/a"</script></template>Sailing`:                                           {"", false},
		`<a href=/x></a><a href=/y></a><script>location.href="/a"</script><frameset></frameset>`:                    {"/a", true},
		`<a href=/x></a><script>location.href="/a"</script><frameset><frame src=/f></frameset>`:                     {"/a", true},
	} {
		p := Parse([]byte(page), "http://x.example/p", Options{Hidden: true})
		link := ""
		for _, l := range p.Links {
			if l.Source == Refresh {
				link = strings.TrimPrefix(l.URL, "http://x.example")
			}
		}
		if link != want.link {
			t.Errorf("%s\nleads to %q, want %q", page, link, want.link)
		}
		alone := strings.TrimPrefix(p.Facts.LeadsTo, "http://x.example")
		if alone != "" && alone != want.link || (alone != "") != want.alone {
			t.Errorf("%s\nleads on without a word to %q, want %q: %v", page, alone, want.link, want.alone)
		}
	}
}
