package page

import (
	"regexp"
	"strings"
	"testing"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// odd are references that the quick way does not know, for the parser of Colly and for ours.
var odd = []string{
	"", " ", "#", "?", "?q", "?#f", "#f?g", "a b", " /a\tb\n ", "\x00/x\x1f", "//", "///", "////b.example//c", "\\\\b.example\\c\\..\\d", "/\\b.example", "\\a\\.\\b",
	"http:", "http:/", "http://", "http:///b.example", "http:\\\\b.example", "http:c", "http:/c", "http:?c", "http:#c", "https:c", "HTTPS:/\\/d.example", "httpS://x", "ftp://x/", "mailto:a@b",
	"javascript:void(0)", "a:b", "1:b", ":b", "a%3Ab", "./a:b", "http://a.example:80/", "http://a.example:443/", "https://a.example:443", "http://a.example:", "http://a.example:0080/",
	"http://a.example:65535", "http://a.example:65536", "http://a.example:99999999999999999999", "http://a.example:8x", "http://a.example:-1", "http://:80", "http://@", "http://a@", "http://a@b@c.example/",
	"http://a:b@c.example:81/?q", "http://a:b:c@d.example", "http://@c.example", "http://a@:80", "http://a/b@c", "http://A.EXAMPLE/", "http://ä.example/ö?ü#ß", "http://旅游.example/景点?地方=北京", "http://xn--fsq.example/",
	"http://xn--a/", "http://xn--/", "http://faß.de", "http://a_b.example", "http://-a.example", "http://a..b/", "http://.a/", "http://a./", "http://./", "http://../", "http://a b/", "http://a%20b/", "http://a%41.example",
	"http://%e4%b8%ad.example", "http://%ff.example", "http://%zz.example", "http://a<b", "http://a|b", "http://a^b/", "http://a]b/", "http://a[b/", "http://a,b;c/", "http://a'b\"/", "http://≠.example",
	"http://1.2.3.4", "http://1.2.3", "http://1.2", "http://1", "http://0x7f.1", "http://0x", "http://0x.0x", "http://1.2.3.256", "http://256.1.1.1", "http://4294967295", "http://4294967296", "http://09", "http://010",
	"http://1.2.3.4.", "http://1.2.3.4..", "http://1.2.3.4.5", "http://a.1", "http://1.a", "http://0x100000000000000000", "http://１２７.0.0.1", "http://a.0xz", "http://1.2.3.08",
	"http://[::1]", "http://[::1]:80/", "http://[::1]:81/", "http://[1:2:3:4:5:6:7:8]", "http://[1:2:3:4:5:6:7::]", "http://[::FFFF:1.2.3.4]", "http://[::1.2.3.4]", "http://[1::2::3]", "http://[1:0:0:2:0:0:0:3]", "http://[0:0:1:0:0:2:0:0]",
	"http://[::1", "http://::1]", "http://[::1%25eth0]", "http://[1:2]", "http://[]", "http://[::g]", "http://[::1]x", "http://[1:0:2:3:4:5:6:7]",
	"a/../b", "a/./b", "..", ".", "../..", "../../../x", "%2e%2E/x", ".%2e", "a/%2e", "/..//x", "/a//../b", "a/..", "a\\..\\b", "...", "%2e%2e%2e", "a/.?b/..", "%", "%z", "%2", "a%zzb?%zz'\"<>`{}|^\\",
	"/a|b^c`d{e}f\"g<h>i'j", "?a|b^c`d{e}f\"g<h>i'j", "?a\\b/c", "/\x7f", "/\u0080", "/\ufffd", "/a\xffb?\xfe", "?\u2028", "/😀?😀#😀", "/a+b?c+d&e=%20", ";x", "&x", "http://-1", "http://a.+1", "http://a.0x-1", "http://a-1", "//b.example", "//b.example?x/y", "//b.example#x",
	"\u00a0/x", "\u3000", "/\u00ad", "http://a\u00adb.example", "http://a。b", "http://ａ.example", "http://a\u200db", "http://א.example", "http://אa.example",
}

// Colly's parser is no browser where brackets stand within brackets, and where a sign stands before a number.
var (
	brackets = regexp.MustCompile(`\[[\t\r\n]*\[|\][\t\r\n]*\]`)
	signed   = regexp.MustCompile(`(^|\.)(0[x]?)?[+-][0-9a-f]*\.?(:|$)`)
)

// byColly is what Colly's own parser makes of a reference. A percent sign that escapes nothing is escaped for the request, by Colly too.
func byColly(ref, base string) (whole, host string, ok bool) {
	var u *whatwg.Url
	var err error
	if base == "" {
		u, err = whatwg.Parse(ref)
	} else {
		u, err = whatwg.ParseRef(base, ref)
	}
	if err != nil || u.Scheme() != "http" && u.Scheme() != "https" || rootless(u.Host()) == "" {
		return "", "", false
	}
	search := u.Search()
	if search == "" && strings.HasSuffix(u.Href(true), "?") {
		search = "?"
	}
	return u.Scheme() + "://" + u.Host() + percents(u.Pathname()) + search, u.Host(), true
}

func compareWithColly(t *testing.T, ref, base string) {
	t.Helper()
	var from *address
	if base != "" {
		a, err := standardAddress(base, nil)
		if err != nil {
			return
		}
		from = &a
	}
	a, err := standardAddress(ref, from)
	whole, host, ok := byColly(ref, base)
	if brackets.MatchString(ref+base) || signed.MatchString(a.host) || from != nil && signed.MatchString(from.host) {
		return
	}
	if ok != (err == nil) || a.whole != whole || a.host != host {
		t.Errorf("%q on %q is %q (%v), and for Colly %q (%t)", ref, base, a.whole, err, whole, ok)
	}
}

// Colly and we mean the same address, whatever stands on a page.
func TestTheStandardIsCollys(t *testing.T) {
	for _, base := range []string{"", "http://a.example/", "https://a.example:8443/dir/page.html?q=1", "http://a.example/a/b/?", "http://[::1]/x//y"} {
		for _, ref := range odd {
			compareWithColly(t, ref, base)
		}
	}
}

func FuzzStandard(f *testing.F) {
	for _, ref := range odd {
		f.Add(ref, "http://a.example/dir/page?q")
	}
	f.Fuzz(func(t *testing.T, ref, base string) {
		if len(ref)+len(base) > 1000 {
			return
		}
		compareWithColly(t, ref, base)
	})
}
