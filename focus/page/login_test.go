package page

import "testing"

func TestLogin(t *testing.T) {
	for written, want := range map[string][3]string{
		"http://u:p@a.com/x":               {"http://a.com/x", "u", "p"},
		"HTTPS://u:p%2F%3A@a.com:8/x?y=@z": {"HTTPS://a.com:8/x?y=@z", "u", "p/:"},
		"http://u@a.com":                   {"http://a.com", "u", ""},
		"http://u:p@q@a.com/":              {"http://a.com/", "u", "p@q"},
		"http:u:p@a.com/":                  {"http:a.com/", "u", "p"},
		`http:\\u:p@a.com\x`:               {`http:\\a.com\x`, "u", "p"},
		"ftp://u:p@a.com/":                 {"ftp://a.com/", "u", "p"},
		"http://@a.com/":                   {"http://a.com/", "", ""},
		"http://a.com/u:p@b":               {"http://a.com/u:p@b", "", ""},
		"http://a.com?u:p@b":               {"http://a.com?u:p@b", "", ""},
		"mailto:a@b.c":                     {"mailto:a@b.c", "", ""},
		"a@b.c":                            {"a@b.c", "", ""},
	} {
		plain, user, password, ok := Login(written)
		if got := [3]string{plain, user, password}; got != want || ok != (plain != written) {
			t.Errorf("%q: %q (%v), want %q", written, got, ok, want)
		}
		if l := LinkTo(written); l.URL != want[0] {
			t.Errorf("%q: links to %q", written, l.URL)
		}
	}
	if said := WithoutLogins(`fetch "http://u:p@a.com/", socks5://x:y@b, mail a@b.c`); said != `fetch "http://…@a.com/", socks5://…@b, mail a@b.c` {
		t.Errorf("it shows %s", said)
	}
	for text, want := range map[string]string{"https://ann:s/c@a.com/": "https://…@a.com/", "https://a.com:8080/x@y": "https://a.com:8080/x@y", "http://[::1]:80/a@b": "http://[::1]:80/a@b"} {
		if said := WithoutLogins(text); said != want {
			t.Errorf("of %s it shows %s, want %s", text, said, want)
		}
	}
}
