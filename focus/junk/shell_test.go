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
		"article in data":  {`<title>Sailing</title><div id="root"></div><script>window.data={"id":1,"body":"` + strings.Repeat("<p>The keel of a boat is long. It holds her upright.<\\/p>", 12) + `"}</script>`, false},
		"list in data":     {`<title>Sailing</title><div id="root"></div><script>window.data={"list":[` + strings.Repeat(`{"text":"`+strings.Repeat("<p>The keel of a boat is long. It holds her upright.<\\/p>", 12)+`"},`, 3) + `{}]}</script>`, true},
		"article":          {`<title>Sailing</title><script type="application/ld+json">{"headline":"Keels","articleBody":"` + words + `"}</script><div id="root"></div>`, false},
		"short article":    {`<title>Sailing</title><script type="application/ld+json">{"headline":"Keels","articleBody":"Loading"}</script><div id="root"></div>`, true},
		"two articles":     {`<title>Sailing</title><script type="application/ld+json">[{"headline":"Keels","articleBody":"` + words + `"},{"headline":"Masts"}]</script><div id="root"></div>`, true},
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
		"angular":          {`<title>Sailing</title><app-root>Loading...</app-root><script src=main.js></script>`, true},
		"flutter":          {`<title>Sailing</title><div id="loading"><img src="/logo.png" alt="Acme logo">Loading...</div><script src="flutter_bootstrap.js" async></script>`, true},
		"Chinese waits":    {`<title>帆船</title><div id="app"><div class="loading">加载中...</div></div><p>回到顶部</p><script src=a.js></script>`, true},
		"next":             {`<title>Sailing</title><div id="__next"><div>Loading</div></div><script type="application/json">{"a":1}</script>`, true},
		"Russian waits":    {`<title>Парус</title><p>Загрузка&hellip;</p><script></script>`, true},
		"waits for a name": {`<title>Sailing</title><div id="shell"><span>Loading Regatta Portal…</span> Copyright Acme Inc</div><script></script>`, true},
		"checks":           {`<title>Sailing</title><div>Please wait while we are checking your browser...</div><script></script>`, true},
		"asks":             {`<title>Sailing</title><div id=a>Please <b>enable</b> <a href="/help">JavaScript</a> to continue.</div><script></script>`, true},
		"Chinese asks":     {`<title>帆船</title><div id=app>您需要允许该网站执行 JavaScript</div><script></script>`, true},
		"outdated":         {`<title>Sailing</title><div id="app"></div><p>You are using an outdated browser. Please upgrade your browser to improve your experience and security.</p><script></script>`, true},
		"logo in it":       {`<title>Sailing</title><div id="root"><div><img src="/logo.png" alt=""></div></div><script></script>`, true},
		"wheel":            {`<title>Sailing</title><p><img src="/img/spinner.gif" alt="spinner"></p><script></script>`, true},
		"hidden field":     {`<title>Sailing</title><form><input type="hidden" id="ctx" value="/"></form><div id="app"></div><script></script>`, true},
		"pixel":            {`<title>Sailing</title><script></script><img src="//mc.yandex.ru/watch/1" style="position:absolute; left:-9999px;" alt=""><img src=a width=1 height=1>`, true},
		"hidden frame":     {`<title>Sailing</title><iframe name="__tcfapiLocator" style="display:none" src="/f"></iframe><iframe name=b></iframe><div id="app"></div><script></script>`, true},
		"references":       {`<title>Sailing</title><p>&nbsp;&#160;</p><script></script>`, true},
		"head and foot":    {`<title>Sailing</title><header>Kiel Week</header><div id="j-root"><div></div></div><footer>© 2024 Kiel</footer><script></script>`, true},
		"club":             {`<title>Sailing</title><p>Sailing club Kiel, Harbour street 5, phone 0431 1234</p><div class=clear></div><div id=fb-root></div><script src=ga.js></script>`, false},
		"club in a root":   {`<title>Sailing</title><div id="root"><p>Sailing club Kiel, Harbour street 5</p><div id="map"></div></div><script></script>`, false},
		"pixel for few":    {`<title>Sailing</title><p>Sailing club Kiel</p><script></script><noscript><img src="/no-script.gif"></noscript>`, false},
		"loading dock":     {`<title>Harbour</title><p>Loading dock: Kiel, pier 5.</p><script></script>`, false},
		"on scripts":       {`<title>JavaScript</title><p>A short course on JavaScript and browsers.</p><script></script>`, false},
		"photograph":       {`<title>Sailing</title><div id="root"><img src="kiel.jpg" alt="The start of the regatta"></div><script></script>`, false},
		"search":           {`<title>Sailing</title><form><input name=q></form><script></script>`, false},
		"waits and says":   {`<title>Sailing</title><p>Loading…</p><p>` + words + `</p><script></script>`, false},
		"photo":            {`<title>Sailing</title><div id=content><img src=kiel.jpg></div><p>The regatta at Kiel</p><script src=ga.js></script>`, false},
		"gallery":          {`<title>Sailing</title><main><img src=silicon.jpg><img src=b.jpg></main><p>Boats</p><script></script>`, false},
		"logo before":      {`<title>Sailing</title><img src=kiel.jpg><main><img src=a class=site-icon></main><script></script>`, true},
		"invites":          {`<title>Segeln</title><p>Der Verein lädt ein.</p><script></script>`, false},
		"German waits":     {`<title>Segeln</title><p>Lädt</p><script></script>`, true},
		"interactive":      {`<title>JavaScript</title><p>JavaScript enables interactive pages.</p><script></script>`, false},
		"download":         {`<title>Драйвер</title><p>Загрузка драйвера</p><script></script>`, false},
		"nonsense":         {"<<<>\x00</script><", false},
	} {
		if have := Shell([]byte(c.body)); have != c.want {
			t.Errorf("%s: %v, want %v", name, have, c.want)
		}
	}
}
