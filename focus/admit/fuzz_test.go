package admit

import (
	"net/url"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
)

// FuzzRedirects: whatever a chain of answers says, each place that it leads to is an address with neither fragment nor password,
// whose identity stays what it is, and what is neither http nor https is refused.
func FuzzRedirects(f *testing.F) {
	for _, chain := range []string{
		"/next\n../x?y#z\n//b.example/\n?q", "http://user:secret@b.example/\nhttp://[::1\n\x00", "javascript:alert(1)\nfile:///etc/passwd\ndata:,x",
		"http://b.example:99999/\nhttp://b.example./;jsessionid=1\nHTTP://B.EXAMPLE:80/%7e", "http:\\\\b.example\\x\nhttp:b.example", strings.Repeat("/a", 5000),
	} {
		f.Add(chain)
	}
	scope := Scope{}
	if err := scope.Compile(); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, chain string) {
		at := "http://a.example/start"
		for to := range strings.SplitSeq(chain, "\n") {
			next := page.Location(at, to)
			if next == "" {
				continue
			}
			u, err := url.Parse(next)
			if err != nil {
				t.Fatalf("%q to %q leads to %q: %v", at, to, next, err)
			}
			if u.User != nil || u.Fragment != "" {
				t.Errorf("%q to %q leads to %q", at, to, next)
			}
			l := page.LinkTo(next)
			if refused := scope.Admit(&l, 0); refused != "" {
				continue
			}
			if u.Scheme != "http" && u.Scheme != "https" || page.Host(l.URL) == "" {
				t.Errorf("%q to %q enters as %q", at, to, l.URL)
			}
			if again, err := page.Canonical(l.Identity); err != nil || again != l.Identity {
				t.Errorf("%q is known as %q, and that as %q (%v)", next, l.Identity, again, err)
			}
			at = next
		}
	})
}
