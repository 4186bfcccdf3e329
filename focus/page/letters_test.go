package page

import (
	"testing"
)

// Links ask as browsers let them ask: the query in the letters of the page, the path in UTF-8.
func TestLinksAskInTheLettersOfTheirPage(t *testing.T) {
	for _, c := range []struct{ charset, href, want string }{
		{"gb18030", "/s?q=帆船", "/s?q=%B7%AB%B4%AC"},
		{"gbk", "?q=帆船", "/b/c?q=%B7%AB%B4%AC"},
		{"gb18030", "/帆船?q=帆船&n=1#帆船", "/%E5%B8%86%E8%88%B9?q=%B7%AB%B4%AC&n=1"},
		{"gb18030", "//帆.example/?q=帆", "//xn--ctt.example/?q=%B7%AB"},
		{"gb18030", "?q=丂&€ \"x\"", "/b/c?q=%81@&%80%20%22x%22"},
		{"gb18030", "?q=帆🙂船", "/b/c?q=%B7%AB%26%23128578%3B%B4%AC"},
		{"gb18030", "?q=乗&a=1", `/b/c?q=%81\&a=1`},
		{"gb18030", "?q=%E5%B8%86&a=%", "/b/c?q=%E5%B8%86&a=%"},
		{"big5", "?q=帆船", "/b/c?q=%A6|%B2%EE"},
		{"big5", "?q=爱", "/b/c?q=%26%2329233%3B"},
		{"shift_jis", "?q=ヨット", "/b/c?q=%83%88%83b%83g"},
		{"euc-kr", "?q=요트", "/b/c?q=%BF%E4%C6%AE"},
		{"iso-2022-jp", "?q=帆&a=1", "/b/c?q=%1B$BHA%1B(B&a=1"},
		{"windows-1251", "?q=яхта", "/b/c?q=%FF%F5%F2%E0"},
		{"windows-1252", "?q=é", "/b/c?q=%E9"},
		{"utf-8", "?q=帆", "/b/c?q=%E5%B8%86"},
		{"utf-16le", "?q=帆", "/b/c?q=%E5%B8%86"},
		{"hz-gb-2312", "?q=帆", "/b/c?q=%E5%B8%86"},
		{"", "?q=帆", "/b/c?q=%E5%B8%86"},
		{"rot13", "?q=帆", "/b/c?q=%E5%B8%86"},
	} {
		p := Parse([]byte("<base href=/b/c?d><a href='"+c.href+"'>x</a>"), "http://a.com/", Options{}.In(c.charset, nil))
		want := "http://a.com" + c.want
		if c.want[1] == '/' {
			want = "http:" + c.want
		}
		if len(p.Links) != 1 || p.Links[0].URL != want {
			t.Errorf("%s: %s asks %+v, want %s", c.charset, c.href, p.Links, want)
			continue
		}
		if l := LinkTo(p.Links[0].URL); l.Identity != p.Links[0].Identity || l.Host != p.Links[0].Host {
			t.Errorf("%s: %s is known as %s, and when it is read again as %s", c.charset, c.href, p.Links[0].Identity, l.Identity)
		}
	}
}

// A link of ASCII costs the same in whatever letters its page is.
func TestPlainLinksCostNothingMore(t *testing.T) {
	plain, gbk := newResolver("http://a.com/b/c?d", "", nil), newResolver("http://a.com/b/c?d", "", lettersOf("gb18030"))
	for _, href := range []string{"/x?q=a&b=%41", "x y?q=a b#c", "/x"} {
		least := testing.AllocsPerRun(100, func() { plain.resolve(href) })
		if most := testing.AllocsPerRun(100, func() { gbk.resolve(href) }); most > least {
			t.Errorf("%s: %v allocations, %v on a page in UTF-8", href, most, least)
		}
	}
}
