package junk

import (
	"strings"
	"testing"
)

func TestShell(t *testing.T) {
	words := strings.Repeat("the keel of a boat ", 5)
	for name, c := range map[string]struct {
		body string
		want bool
	}{
		"mount":            {`<!doctype html><title>Sailing</title><div id="root"></div><script src="/app.js"></script>`, true},
		"custom":           {`<html><head><title>Sailing</title></head><body><app-root></app-root><script type="module" src="main.js"></script></body></html>`, true},
		"told":             {`<TITLE>Sailing</TITLE><div id=app>Loading…</div><NOSCRIPT>You need to enable JavaScript to run this app.</NOSCRIPT><SCRIPT>boot()</SCRIPT>`, true},
		"state":            {`<title>帆船</title><div id="app"></div><script>window.state={"text":"` + words + `"};a="</div>";</script>`, true},
		"nothing":          {`<title>Sailing</title><script>document.write("x")</script>`, true},
		"comment":          {`<title>Sailing</title><!-- ` + words + ` --><div></div><script></script>`, true},
		"unclosed":         {`<title>Sailing</title><div id=a></div><script>for(;;)`, true},
		"empty":            {``, false},
		"no script":        {`<title>Sailing</title><div id="root"></div>`, false},
		"five words":       {`<title>Sailing</title><p>Five words on keels here.</p>`, false},
		"five and counted": {`<title>Sailing</title><p>Five words on keels here.</p><script src="/count.js"></script>`, false},
		"words":            {`<title>Sailing</title><div></div><p>` + words + `</p><script></script>`, false},
		"Chinese":          {`<title>帆船</title><div></div><p>帆船是一种利用风力前进的船只已有数千年</p><script></script>`, false},
		"picture":          {`<title>Sailing</title><div></div><img src="boat.jpg"><script></script>`, false},
		"links":            {`<title>Sailing</title><div></div><a href=1>one</a><a href=2>two</a><a href=3>three</a><script></script>`, false},
		"frames":           {`<title>Sailing</title><frameset><frame src=a></frameset><script></script>`, false},
		"refresh":          {`<head><META HTTP-EQUIV="Refresh" content="0;url=/en/"><title>Sailing</title><script>count()</script></head><body></body>`, false},
		"meta":             {`<head><meta name="description" content="refreshing"><title>Sailing</title></head><div id="root"></div><script></script>`, true},
		"refresh without":  {`<title>Sailing</title><noscript><meta http-equiv=refresh content="0;url=/plain">Scripts are off</noscript><div id=a></div><script></script>`, true},
		"nonsense":         {"<<<>\x00</script><", false},
	} {
		if have := Shell([]byte(c.body)); have != c.want {
			t.Errorf("%s: %v, want %v", name, have, c.want)
		}
	}
}
