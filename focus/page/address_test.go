package page

import (
	"strings"
	"testing"
)

func TestCanonical(t *testing.T) {
	for _, c := range []struct{ written, identity string }{
		{"http://a.com", "http://a.com/"},
		{"HTTP://A.Com:80/X", "http://a.com/X"},
		{"https://a.com:443/", "https://a.com/"},
		{"http://a.com:8080/", "http://a.com:8080/"},
		{"http://a.com./x", "http://a.com/x"},
		{"http://a.com/b/../c/./d", "http://a.com/c/d"},
		{"http://a.com/b/%2e%2E/c/%2e", "http://a.com/c/"},
		{"http://a.com/..", "http://a.com/"},
		{"http://a.com/%7Euser/%e4%b8%ad", "http://a.com/~user/%E4%B8%AD"},
		{"http://a.com/中文?词=语", "http://a.com/%E4%B8%AD%E6%96%87?%E8%AF%8D=%E8%AF%AD"},
		{"http://a.com/a%2Fb", "http://a.com/a%2Fb"},
		{"http://a.com/100%", "http://a.com/100%25"},
		{"http://a.com/%%34%31", "http://a.com/%2541"},
		{"http://中国.cn/x", "http://xn--fiqs8s.cn/x"},
		{"http://a.com/x#y", "http://a.com/x"},
		{"http://a.com/x?", "http://a.com/x"},
		{"http://a.com/x?&&", "http://a.com/x"},
		{"http://a.com/x?b=2&a=1&b=1", "http://a.com/x?a=1&b=2&b=1"},
		{"http://a.com/x?utm_source=q&id=3&fbclid=z", "http://a.com/x?id=3"},
		{"http://a.com/x?spm=1.2.3", "http://a.com/x"},
		{"http://a.com/x;jsessionid=AB12?y=1", "http://a.com/x?y=1"},
		{"http://a.com/x?PHPSESSID=ab&y=1", "http://a.com/x?y=1"},
		{"http://a.com/x?sid=0123456789abcdef0123&y=1", "http://a.com/x?y=1"},
		{"http://a.com/x?sid=12&y=1", "http://a.com/x?sid=12&y=1"},
		{"http://a.com/(S(lit3py55t21z5v55vlm25s55))/x.aspx", "http://a.com/x.aspx"},
		{"http://user:pass@a.com/x", "http://a.com/x"},
		{"http://a.com\\b", "http://a.com/b"},
		{" http://a.com/a\tb\n", "http://a.com/ab"},
		{"http://127.1/", "http://127.0.0.1/"},
		{"http://[::1]:80/x", "http://[::1]/x"},
		{"http://a.com/a b", "http://a.com/a%20b"},
		{"http://a.com//x", "http://a.com//x"},
	} {
		got, err := Canonical(c.written)
		if err != nil || got != c.identity {
			t.Errorf("Canonical(%q) is %q, %v, want %q", c.written, got, err, c.identity)
		}
	}
}

func TestCanonicalRefuses(t *testing.T) {
	for _, written := range []string{"", "x", "/x", "mailto:a@b.c", "javascript:void(0)", "ftp://a.com/", "http://", "http://a b/", "http://a.com:99999/"} {
		if got, err := Canonical(written); err == nil || !strings.HasPrefix(err.Error(), "canonical ") {
			t.Errorf("Canonical(%q) is %q, %v", written, got, err)
		}
	}
}

func TestHost(t *testing.T) {
	for written, host := range map[string]string{
		"http://A.com/x": "a.com", "https://a.com:443/": "a.com", "https://a.com:80/": "a.com:80", "http://中国.cn": "xn--fiqs8s.cn",
		"http://[::1]:8080/": "[::1]:8080", "mailto:x": "", "nonsense": "",
	} {
		if got := Host(written); got != host {
			t.Errorf("Host(%q) is %q, want %q", written, got, host)
		}
	}
}

// TestAHostIsNamed: with a port it is that port alone, and without one every port.
func TestAHostIsNamed(t *testing.T) {
	for _, c := range []struct {
		host, name string
		named      bool
	}{
		{"a.com", "a.com", true}, {"a.com:8080", "a.com", true}, {"a.com:8080", "a.com:8080", true}, {"a.com", "a.com:8080", false}, {"a.com:81", "a.com:8080", false},
		{"www.a.com", "a.com", false}, {"[::1]:8080", "[::1]", true}, {"[::1]", "[::1]", true}, {"[::1]", "[:", false},
	} {
		if Named(c.host, []string{"other.org", c.name}) != c.named {
			t.Errorf("that %s is %s: want %v", c.host, c.name, c.named)
		}
	}
}

func TestBinary(t *testing.T) {
	for written, binary := range map[string]bool{
		"http://a.com/x.JPG": true, "http://a.com/x.tar.gz?y=1": true, "http://a.com/x.html": false, "http://a.com/zip": false,
		"http://a.com/x.php?f=a.jpg": false, "http://a.zip/": false, "http://a.com/v1.2/": false,
	} {
		if got := Binary(written); got != binary {
			t.Errorf("Binary(%q) is %v", written, got)
		}
	}
}

func TestResolve(t *testing.T) {
	to := newResolver("http://a.com/b/c?d#e", "", nil)
	for ref, want := range map[string]string{
		"x": "http://a.com/b/x", "./x": "http://a.com/b/x", "../x": "http://a.com/x", "../../x": "http://a.com/x", "/x": "http://a.com/x",
		"//h/x": "http://h/x", "?q": "http://a.com/b/c?q", "#f": "http://a.com/b/c?d", "": "http://a.com/b/c?d", " x\n": "http://a.com/b/x",
		"http://h": "http://h/", "HTTP://H/X": "http://h/X", "http:x": "http://a.com/b/x", "x y": "http://a.com/b/x%20y", "..": "http://a.com/",
		"x/.": "http://a.com/b/x/", "1:2": "http://a.com/b/1:2", "\\x": "http://a.com/x", "x?a=/../b": "http://a.com/b/x?a=/../b",
		"sale-50%-off.html?d=50%": "http://a.com/b/sale-50%25-off.html?d=50%", "/100%": "http://a.com/100%25", "http://h/%a": "http://h/%25a", "%%34%zz%C3 ": "http://a.com/b/%25%34%25zz%C3", "ü%": "http://a.com/b/%C3%BC%25",
		"javascript:x": "", "mailto:a@b": "", "tel:1": "", "http://": "", "https:///x": "https://x/",
	} {
		a, ok := to.resolve(ref)
		if a.whole != want || ok != (want != "") {
			t.Errorf("%q resolves to %q, %v, want %q", ref, a.whole, ok, want)
		}
	}
}

func TestLocation(t *testing.T) {
	for to, want := range map[string]string{
		"": "", "b": "http://a.example/x/b", "/b?c#d": "http://a.example/b?c", `\b\c?d\e`: `http://a.example/b/c?d\e`, `\\b.example\c`: "http://b.example/c", "//you:me@b.example/": "http://b.example/", "http:///b.example/c?d#e": "http://b.example/c?d", "https:////b.example": "https://b.example/", "http://": "", "//::": "",
		"http:b?c#d": "http://a.example/x/b?c", "http:/b": "http://a.example/b", "https:b.example/c?d": "https://b.example/c?d", "https:you:me@b.example/": "https://b.example/", "http:}": "http://a.example/x/%7D", "https:}": "",
		"/50%-off?d=50%#%": "http://a.example/50%25-off?d=50%", "//b.example/%": "http://b.example/%25",
		"?q=茶 a'b": "http://a.example/x/y?q=%E8%8C%B6%20a%27b", "?q=\xb2\xe8": "http://a.example/x/y?q=%B2%E8", "/\xb2\xe8?q=%B2%E8": "http://a.example/%B2%E8?q=%B2%E8",
	} {
		if got := Location("http://a.example/x/y?z", to); got != want {
			t.Errorf("%q leads to %q, want %q", to, got, want)
		}
	}
}

func TestTheQueryOfALinkToIsEscaped(t *testing.T) {
	for address, want := range map[string]string{
		"http://a.example/茶?q=绿茶 a":         "http://a.example/茶?q=%E7%BB%BF%E8%8C%B6%20a",
		"http://a.example/?q=\xb2\xe8#绿":    "http://a.example/?q=%B2%E8",
		"http://a.example/?q=%B2%E8&50%|{}": "http://a.example/?q=%B2%E8&50%|{}",
		"http://a.example/茶#?绿":             "http://a.example/%E8%8C%B6",
	} {
		if got := LinkTo(address).URL; got != want {
			t.Errorf("the link to %q is %q, want %q", address, got, want)
		}
	}
}

// TestFastAndCarefulAgree holds the fast path to what the WHATWG's rules say.
func TestFastAndCarefulAgree(t *testing.T) {
	to := newResolver("http://a.com/b/c?d", "", nil)
	for _, ref := range []string{"x", "../x/./y?z=%41", "/a//b/../c", "//H.com:80/x", "https://h.com:443?x", "?a&b", "http://h.com/%2e%2e/x", "a.b/%zz", "/100%", "https://h.com/%?%"} {
		quick, known, ok := to.quick(ref)
		careful, ok2 := to.careful(ref)
		if !known || ok != ok2 || quick.whole != careful.whole || quick.host != careful.host {
			t.Errorf("%q: %q %v by the fast path, %q %v by the rules", ref, quick.whole, ok, careful.whole, ok2)
		}
	}
}

// compareHosts holds the host that is read without the rest of an address to the one that the WHATWG's rules give.
func compareHosts(t *testing.T, written string) (quick bool) {
	t.Helper()
	host, quick := hostOf(written)
	if careful, err := standardAddress(written, nil); quick && (err != nil || host != rootless(careful.host)) {
		t.Errorf("%q: host %q at once, %q %v by the rules", written, host, careful.host, err)
	}
	return quick
}

func TestAHostIsReadWithoutTheRest(t *testing.T) {
	for _, host := range []string{"a.example", "A.Example:80", "a.example:8080", "1.2.3.4", "a.example:443"} {
		for _, rest := range []string{"", "/", "?q", "#f", "/a b/../\"\t\\", "/é%zz?ü#@x:y", "/\x00\n"} {
			for _, scheme := range []string{"http://", "https://"} {
				if !compareHosts(t, scheme+host+rest) {
					t.Errorf("%q is read slowly", scheme+host+rest)
				}
			}
		}
	}
	for _, written := range odd {
		compareHosts(t, written)
		compareHosts(t, "http://"+written)
		compareHosts(t, "https:"+written)
	}
}

func FuzzCanonical(f *testing.F) {
	for _, s := range []string{
		"http://a.com/b/../c?x=1&utm_source=y#z", "HTTP://Ä.com:80/%7e%2E%%34%31", "http://a.com/;jsessionid=1;a/(S(x))/..", "http://1.2.3.4.:8080\\x",
		"http://a/..;sid=1/x", "http://a.com/?sid&%73id=1&=&a", "http://xn--a.com/", "http://[1::]/%2e./",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, written string) {
		compareHosts(t, written)
		once, err := Canonical(written)
		if err != nil {
			return
		}
		twice, err := Canonical(once)
		if err != nil || once != twice {
			t.Errorf("%q is known as %q, which is known as %q, %v", written, once, twice, err)
		}
		if h := Host(once); h == "" {
			t.Errorf("%q has no host", once)
		}
	})
}

// FuzzResolve holds the fast path to the WHATWG's rules wherever it claims to know.
func FuzzResolve(f *testing.F) {
	for _, s := range []string{"x", "../x", "//h:80/x", "?q", "http://H.com/./a", "https://a:0443/", "http://1.2.3/", "a:b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, ref string) {
		to := newResolver("http://a.com/b/c?d", "", nil)
		if !plain(ref) {
			return
		}
		quick, known, ok := to.quick(ref)
		if !known {
			return
		}
		careful, ok2 := to.careful(ref)
		if ok != ok2 || quick.whole != careful.whole {
			t.Errorf("%q: %q %v by the fast path, %q %v by the rules", ref, quick.whole, ok, careful.whole, ok2)
		}
	})
}

func BenchmarkCanonical(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Canonical("http://www.drawn.example/2026/01/02/story-37.html?page=2"); err != nil {
			b.Fatal(err)
		}
	}
}
