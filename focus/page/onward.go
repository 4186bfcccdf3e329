package page

import (
	"bytes"
	"strconv"
	"strings"
)

// atOnce is after how many seconds at most a page leads on before it was read.
const atOnce = 10

// refresh reads "5; url=…".
func (r *reading) refresh(content string) {
	i := strings.IndexAny(content, ";,")
	if i < 0 {
		return
	}
	rest := strings.TrimLeft(content[i+1:], " \t\r\n\f;,")
	if len(rest) >= 3 && strings.EqualFold(rest[:3], "url") {
		if after := strings.TrimLeft(rest[3:], " \t\r\n\f"); strings.HasPrefix(after, "=") {
			rest = strings.TrimLeft(after[1:], " \t\r\n\f")
		}
	}
	if rest == "" {
		return
	}
	if quote := rest[0]; quote == '"' || quote == '\'' {
		rest = rest[1:]
		if end := strings.IndexByte(rest, quote); end >= 0 {
			rest = rest[:end]
		}
	}
	seconds, err := strconv.ParseFloat(strings.TrimSpace(content[:i]), 64)
	r.leadsOn(strings.TrimSpace(rest), err == nil && seconds <= atOnce)
}

// leadsOn notes the link by which the page leads on by itself.
func (r *reading) leadsOn(href string, soon bool) {
	if i := r.linkTo(href, Refresh, ""); soon && r.said.onward == 0 {
		r.said.onward = i + 1
	}
}

// mostGoing is how long a script is that is looked at for where it goes.
const mostGoing = 512

// goes reads a script that does nothing but go to another page, wherever one opens this one: portals have one at their root.
func (r *reading) goes(script []byte) {
	if len(script) > mostGoing {
		return
	}
	script = bytes.TrimSuffix(bytes.TrimPrefix(bytes.TrimSpace(script), []byte("<!--")), []byte("-->"))
	to := sends.FindSubmatchIndex(script)
	if to == nil || bytes.Contains(script[:max(to[2], to[4])], []byte("open")) || len(bytes.Trim(script[to[1]:], ";/ \t\r\n\f")) > 0 {
		return
	}
	for _, at := range [][]int{to[2:4], to[4:6]} {
		if at[0] >= 0 {
			r.leadsOn(string(script[at[0]:at[1]]), true)
		}
	}
}

// leadsTo is where the page leads whoever opens it before it was read; empty where it has a text of its own, or leads to itself.
func (r *reading) leadsTo(to *resolver) string {
	if r.said.onward == 0 || len(r.prose.buf) >= fewBytes {
		return ""
	}
	a, ok := to.resolve(r.links[r.said.onward-1].href)
	if own, err := Canonical(r.page.URL); !ok || err == nil && own == a.identity() {
		return ""
	}
	return a.whole
}
