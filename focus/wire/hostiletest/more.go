package hostiletest

import (
	"fmt"
	"net/http"
	"strings"
)

// answers are behaviours that are one answer each, byte for byte, and what the server does then.
func answers() map[string]http.HandlerFunc {
	const ok, html = "HTTP/1.1 200 OK\r\n", "Content-Type: text/html\r\n"
	const page = "<title>Solar energy</title><p>solar energy"
	whole := func(head, body string) http.HandlerFunc {
		return raw(head+fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body), closes)
	}
	return map[string]http.HandlerFunc{
		// Status lines.
		"status-000":       whole("HTTP/1.1 000 Nothing\r\n"+html, page),
		"status-099":       whole("HTTP/1.1 099 Early\r\n"+html, page),
		"status-199":       raw("HTTP/1.1 199 Almost\r\n"+html+"\r\n"+page, closes),
		"status-299":       whole("HTTP/1.1 299 Fine\r\n"+html, page),
		"status-399":       whole("HTTP/1.1 399 Elsewhere\r\n"+html, page),
		"status-600":       whole("HTTP/1.1 600 Beyond\r\n"+html, page),
		"status-999":       whole("HTTP/1.1 999 Go away\r\n"+html, page),
		"status-1000":      whole("HTTP/1.1 1000 Too many\r\n"+html, page),
		"status-negative":  whole("HTTP/1.1 -200 No\r\n"+html, page),
		"status-letters":   whole("HTTP/1.1 abc Letters\r\n"+html, page),
		"status-words":     whole("HTTP/1.1 404 "+strings.Repeat("Gone ", 6000)+"\r\n"+html, page),
		"status-missing":   whole("HTTP/1.1\r\n"+html, page),
		"status-bare":      whole("HTTP/1.1 200\r\n"+html, page),
		"status-long":      whole("HTTP/1.1 200 "+strings.Repeat("OK ", 1000)+"\r\n"+html, page),
		"status-endless":   raw("HTTP/1.1 200 ", floods),
		"status-escapes":   whole("HTTP/1.1 404 \x1b]0;owned\x07\u202e\r\n"+html, page),
		"status-204-body":  raw("HTTP/1.1 204 No Content\r\n"+html+"\r\n"+page, closes),
		"status-205":       whole("HTTP/1.1 205 Reset Content\r\n"+html, page),
		"status-206":       whole("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-9/10\r\n"+html, page),
		"status-304":       raw("HTTP/1.1 304 Not Modified\r\n\r\n", closes),
		"status-401":       whole("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"\x1b[2J\"\r\n"+html, page),
		"status-407":       whole("HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n"+html, page),
		"status-417":       whole("HTTP/1.1 417 Expectation Failed\r\n"+html, page),
		"status-426":       whole("HTTP/1.1 426 Upgrade Required\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n"+html, page),
		"status-451":       whole("HTTP/1.1 451 Unavailable\r\n"+html, page),
		"version-09":       whole("HTTP/0.9 200 OK\r\n"+html, page),
		"version-10":       raw("HTTP/1.0 200 OK\r\n"+html+"\r\n"+page, closes),
		"version-20":       whole("HTTP/2.0 200 OK\r\n"+html, page),
		"version-99":       whole("HTTP/9.9 200 OK\r\n"+html, page),
		"other-protocol":   raw("220 mail.example ESMTP ready\r\n", closes),
		"ssh":              raw("SSH-2.0-OpenSSH_9.6\r\n", closes),
		"tls-alert":        raw("\x15\x03\x01\x00\x02\x02\x46", closes),
		"http2-preface":    raw("\x00\x00\x00\x04\x00\x00\x00\x00\x00", closes),
		"continue-flood":   raw(strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 100), closes),
		"processing-flood": raw(strings.Repeat("HTTP/1.1 102 Processing\r\n\r\n", 100), closes),
		// Headers.
		"header-no-colon":      whole(ok+html+"Nonsense\r\n", page),
		"header-space":         whole(ok+html+"Bad Name: x\r\n", page),
		"header-nul":           whole(ok+html+"X-Nul: a\x00b\r\n", page),
		"header-folded":        whole(ok+html+"X-Folded: a\r\n b\r\n", page),
		"header-8-bit":         whole(ok+html+"X-\xff: \xfe\r\n", page),
		"header-many":          raw(ok+html+strings.Repeat("X-A: b\r\n", 20_000)+"\r\n"+page, closes),
		"header-name-long":     raw(ok+html+strings.Repeat("X", 100_000)+": b\r\n\r\n"+page, closes),
		"header-endless":       raw(ok+"X-Endless: ", floods),
		"header-ours":          whole(ok+html+"X-Thresher-Cut: size\r\nX-Thresher-Charset: utf-16\r\nX-Thresher-Item: 1\r\n", page),
		"length-twice":         raw(ok+html+"Content-Length: 5\r\nContent-Length: 50\r\n\r\n"+page, closes),
		"length-negative":      raw(ok+html+"Content-Length: -1\r\n\r\n"+page, closes),
		"length-huge":          raw(ok+html+"Content-Length: 9223372036854775807\r\n\r\n"+page, closes),
		"length-overflow":      raw(ok+html+"Content-Length: 99999999999999999999999\r\n\r\n"+page, closes),
		"length-and-chunks":    raw(ok+html+"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<p>ab\r\n0\r\n\r\n", closes),
		"transfer-unknown":     raw(ok+html+"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", closes),
		"transfer-twice":       raw(ok+html+"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", closes),
		"chunk-huge":           raw(ok+html+"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n"+page, closes),
		"chunk-extension":      raw(ok+html+"Transfer-Encoding: chunked\r\n\r\n3;"+strings.Repeat("x", 100_000)+"\r\n<p>\r\n0\r\n\r\n", closes),
		"chunk-bytes":          raw(ok+html+"Transfer-Encoding: chunked\r\n\r\n"+strings.Repeat("1\r\nx\r\n", 20_000)+"0\r\n\r\n", closes),
		"chunk-trailers":       raw(ok+html+"Transfer-Encoding: chunked\r\n\r\n3\r\n<p>\r\n0\r\n"+strings.Repeat("X: y\r\n", 50_000)+"\r\n", closes),
		"two-answers":          raw(ok+html+"Content-Length: 3\r\n\r\n<p>"+ok+html+"Content-Length: 6\r\n\r\n<p>two", closes),
		"type-missing":         whole(ok, page),
		"type-nonsense":        whole(ok+"Content-Type: ;;;/,text\r\n", page),
		"type-long":            whole(ok+"Content-Type: text/html; charset="+strings.Repeat("x", 50_000)+"\r\n", page),
		"type-binary":          whole(ok+"Content-Type: application/octet-stream\r\n", page),
		"type-multipart":       whole(ok+"Content-Type: multipart/x-mixed-replace; boundary=x\r\n", "--x\r\nContent-Type: text/html\r\n\r\n"+page),
		"refresh-header":       whole(ok+html+"Refresh: 0; url=javascript:alert(1)\r\n", page),
		"link-flood":           raw(ok+html+"Link: "+strings.Repeat("</x>; rel=next, ", 2000)+"\r\n\r\n"+page, closes),
		"retry-after-for-ever": whole("HTTP/1.1 503 Busy\r\nRetry-After: 99999999999999\r\n"+html, page),
		// Codings.
		"gzip-lie":       whole(ok+html+"Content-Encoding: gzip\r\n", page),
		"br-lie":         whole(ok+html+"Content-Encoding: br\r\n", page),
		"zstd-lie":       whole(ok+html+"Content-Encoding: zstd\r\n", page),
		"deflate-lie":    whole(ok+html+"Content-Encoding: deflate\r\n", page),
		"coding-empty":   whole(ok+html+"Content-Encoding: ,,,\r\n", page),
		"coding-long":    whole(ok+html+"Content-Encoding: "+strings.Repeat("gzip, ", 5000)+"gzip\r\n", page),
		"coding-escapes": whole(ok+html+"Content-Encoding: \x1b[31mred\r\n", page),
		// Redirects.
		"redirect-nowhere":  raw("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n", closes),
		"redirect-self":     sendTo("/"),
		"redirect-nonsense": sendTo("http://[::1"),
		"redirect-script":   sendTo("javascript:alert(1)"),
		"redirect-data":     sendTo("data:text/html,<p>solar energy"),
		"redirect-long":     sendTo("/" + strings.Repeat("a", 60_000)),
		"redirect-port":     sendTo("http://nobody.example:0/"),
		"redirect-password": sendTo("http://user:secret@127.0.0.1:PORT/secret"),
		// Pages.
		"empty":           whole(ok+html, ""),
		"only-nul":        whole(ok+html, strings.Repeat("\x00", 10_000)),
		"title-escapes":   say("<title>\x1b]0;owned\x07 \u202esolar\u009b2J</title><p>solar energy"),
		"title-formula":   say("<title>=cmd|' /C calc'!A0</title><p>solar energy"),
		"attributes":      say("<p " + strings.Repeat("a=b ", 200_000) + ">solar energy"),
		"comment-open":    say("<p>solar energy<!-- " + strings.Repeat("x", 1_000_000)),
		"script-only":     say(`<title>solar energy</title><div id="root"></div><script src="/app.js"></script>`),
		"script-open":     say("<p>solar energy<script>" + strings.Repeat("x", 1_000_000)),
		"entities":        say("<p>solar energy" + strings.Repeat("&amp", 200_000)),
		"base-elsewhere":  say("<base href=file:///etc/><p>solar energy<a href=passwd>solar</a>"),
		"links-forbidden": say("<p>solar energy<a href=file:///etc/passwd>solar</a><a href=javascript:x>solar</a><a href=http://127.0.0.1:1/>solar</a>"),
		"soft-login":      say("<title>Log in</title><form><input type=password name=p></form>"),
		// Time.
		"late-body": func(w http.ResponseWriter, r *http.Request) {
			Say(w, page)
			w.(http.Flusher).Flush()
			<-r.Context().Done() // the rest never comes
		},
	}
}
