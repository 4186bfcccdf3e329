package hostiletest

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
)

// Say answers with a page.
func Say(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	io.WriteString(w, body)
}

// GoodPages is how many pages a good host has, from /0 on.
const GoodPages = 20

// Good answers for a good host, good0 to good9: each of its pages is unlike all others, and leads to all of them.
func Good(w http.ResponseWriter, r *http.Request) {
	n := 0
	fmt.Sscanf(r.URL.Path, "/%d", &n)
	words := rand.New(rand.NewPCG(uint64(r.Host[4]), uint64(n)))
	var b strings.Builder
	fmt.Fprintf(&b, "<title>Solar energy %d</title>", n)
	for i := range GoodPages {
		fmt.Fprintf(&b, "<a href=/%d>panel %d</a> ", i, i)
	}
	for range 12 {
		b.WriteString("<p>Solar energy")
		for range 60 {
			fmt.Fprintf(&b, " w%d", words.IntN(1_000_000))
		}
	}
	Say(w, b.String())
}

// MirrorPages is how many pages the hosts mirror-1 and mirror-2 have in the same places.
const MirrorPages = 8

func mirrored(w http.ResponseWriter, r *http.Request) {
	n := 0
	fmt.Sscanf(r.URL.Path, "/m%d", &n)
	var b strings.Builder
	fmt.Fprintf(&b, "<title>Solar mirror %d</title>", n)
	for i := range 80 {
		fmt.Fprintf(&b, "mirror%dword%d ", n, i*i%(n+7))
	}
	if n < MirrorPages-1 {
		fmt.Fprintf(&b, "<a href=/m%d>solar energy</a>", n+1)
	}
	Say(w, b.String())
}

// calendar has a next month for ever, and addresses that grow.
func calendar(w http.ResponseWriter, r *http.Request) {
	n := len(r.URL.Path)
	Say(w, fmt.Sprintf("<p>%d<a href=/calendar/%d/%d/>solar energy</a><a href=%s1>solar</a>", n, 2020+n/12, 1+n%12, r.URL.Path))
}

func trusted(w http.ResponseWriter, r *http.Request) {
	Say(w, "<title>Solar energy</title><p>solar energy over a connection that may be trusted: "+r.Proto)
}

// robots are the robots.txt files of the hosts that have one. All of them forbid /secret.
func robots(w http.ResponseWriter, r *http.Request, name string) {
	const forbidden = "User-agent: *\nDisallow: /secret\n"
	switch name {
	case "robots-bomb":
		fmt.Fprint(w, forbidden, strings.Repeat("Disallow: /*a*a*a*a*a*a*a*a*a*a*b\n", 10_000))
	case "robots-large":
		fmt.Fprint(w, forbidden)
		junk := strings.Repeat("# nothing to see here, go on reading\n", 1000)
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, junk); err != nil {
				return
			}
		}
	case "robots-away":
		_, port, _ := net.SplitHostPort(r.Host)
		http.Redirect(w, r, "http://robots-bomb.example:"+port+"/robots.txt", http.StatusFound)
	case "robots-silent":
		Silent(w, r)
	case "robots-slow":
		if pause(r) {
			io.WriteString(w, forbidden)
		}
	case "robots-farm": // what a farm of hosts says, each of them something else
		fmt.Fprint(w, forbidden)
		for n := range 5_000 {
			fmt.Fprintf(w, "Disallow: /%d/%s\n", n, strings.Repeat("x", 80))
		}
	case "robots-words":
		raw("HTTP/1.1 "+strings.Repeat("no ", 15_000)+"\r\n\r\n", closes)(w, r)
	case "to-session", "to-campaign", "to-dot":
		fmt.Fprint(w, forbidden, "Disallow: /*jsessionid\nDisallow: /*utm_\n")
	case "robots-switch":
		raw(switches, floods)(w, r)
	default:
		http.NotFound(w, r)
	}
}
