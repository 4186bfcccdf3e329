package page

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestAnAddressAsAPersonReadsIt(t *testing.T) {
	for _, c := range []struct{ address, want string }{
		{"https://www.example.org/a%20b?c=%2Fd", "https://www.example.org/a%20b?c=%2Fd"},
		{"https://zh.example.org/wiki/%E7%BB%BF%E8%8C%B6", "https://zh.example.org/wiki/绿茶"},
		{"https://zh.example.org/%E7%BB%BF%20%E8%8C%B6?q=%E8%8C%B6&p=2", "https://zh.example.org/绿%20茶?q=茶&p=2"},
		{"https://example.org/caf%C3%A9/%C3%BCber", "https://example.org/café/über"},
		{"http://xn--fsqu00a.example/%E8%8C%B6", "http://例子.example/茶"},
		{"http://xn--fsqu00a.example:8080/", "http://例子.example:8080/"},
		{"http://xn--80ak6aa92e.example/", "http://xn--80ak6aa92e.example/"},                             // Cyrillic letters that look like apple
		{"http://xn--mnchen-3ya.example/", "http://xn--mnchen-3ya.example/"},                             // dots are easily missed
		{"https://example.org/%C2%CC%B2%E8", "https://example.org/%C2%CC%B2%E8"},                         // GBK
		{"https://example.org/%E7%BB", "https://example.org/%E7%BB"},                                     // half a letter
		{"https://example.org/%E2%80%AEgnp.exe", "https://example.org/%E2%80%AEgnp.exe"},                 // turns what follows
		{"https://example.org/%D7%A9%D7%9C%D7%95%D7%9D", "https://example.org/%D7%A9%D7%9C%D7%95%D7%9D"}, // Hebrew
		{"https://example.org/%EF%BC%8F%E3%80%80", "https://example.org/%EF%BC%8F%E3%80%80"},             // a wide stroke and blank
		{"https://example.org/%E3%85%A4", "https://example.org/%E3%85%A4"},                               // a letter that shows nothing
		{"no address %E8%8C%B6", "no address %E8%8C%B6"},
		{"", ""},
	} {
		if have := Readable(c.address); have != c.want {
			t.Errorf("%s reads %s, want %s", c.address, have, c.want)
		}
	}
}

// FuzzReadable: what a person reads names the same page, and is text.
func FuzzReadable(f *testing.F) {
	for _, s := range []string{"http://xn--fsqu00a.example/%E8%8C%B6", "https://a.b/%e8%8c%b6?%E8%8C%B6#%E8", "https://%E8%8C%B6/", "http://a/%EF%BC%A1%CC%81"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, address string) {
		read := Readable(address)
		if utf8.ValidString(address) && !utf8.ValidString(read) {
			t.Fatalf("%q reads %q", address, read)
		}
		was, err := Canonical(address)
		if err != nil {
			return
		}
		if is, err := Canonical(read); err != nil || is != was {
			t.Fatalf("%q reads %q, which is %q (%v), not %q", address, read, is, err, was)
		}
		if again := Readable(read); again != read && !strings.Contains(read, "%") {
			t.Fatalf("%q reads %q, and that %q", address, read, again)
		}
	})
}
