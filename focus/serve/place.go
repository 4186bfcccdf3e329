package serve

import (
	"net/http"
	"strings"
)

// A server may stand anywhere below a name: at https://example.org/find/, say, behind a proxy that takes /find off. It does not know
// where, so that nothing it answers begins at the root of the name: links are relative to a <base>, which each page has.

// root leads from the address of a request to where the server stands.
func root(r *http.Request) string {
	deep := strings.Count(r.URL.EscapedPath(), "/") - 1
	if deep < 1 {
		return "./"
	}
	return strings.Repeat("../", deep)
}

// placed is an answer that leads elsewhere from where the server stands.
type placed struct {
	http.ResponseWriter
	root string
}

// WriteHeader writes the way to another page of ours as one from here.
func (p placed) WriteHeader(status int) {
	if to, ours := strings.CutPrefix(p.Header().Get("Location"), "/"); ours {
		p.Header().Set("Location", p.root+strings.TrimLeft(to, `/\`))
	}
	p.ResponseWriter.WriteHeader(status)
}

// Unwrap is the answer itself.
func (p placed) Unwrap() http.ResponseWriter { return p.ResponseWriter }
