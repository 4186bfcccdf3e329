package wire

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestCookiesAreSentAsTheyStand: hosts set what the standard library would change on its way, and know it by its own letters alone; by
// a cookies.txt and by an answer alike.
func TestCookiesAreSentAsTheyStand(t *testing.T) {
	pairs := []string{`prefs={"u":17,"k":"x y"}`, `q="quoted-value"`, "word=naïve", "list=a b,c", `path=C:\x`, "a[b]=帆船=1", "none="}
	var sent []string
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent = r.Header["Cookie"]
		for _, pair := range pairs {
			w.Header().Add("Set-Cookie", strings.Replace(pair, "=", "= ", 1)+"2 ; Path=/; HttpOnly")
		}
		w.Header().Add("Set-Cookie", "gone=by; Path=/; Max-Age=0")
	}))
	defer host.Close()
	text := "\ufeff# HTTP Cookie File\r\n127.0.0.1\tFALSE\t/\tFALSE\t1e300\tgone\tlate\n"
	for _, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		text += "127.0.0.1\tFALSE\t/\tFALSE\t0\t" + name + "\t" + value + "\n"
	}
	cookies, err := ReadCookies(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	by := Stack(&http.Transport{DisableKeepAlives: true}, cookies.Layer())
	for _, want := range []string{"own=1; gone=late; " + strings.Join(pairs, "; "), "own=1; " + strings.Join(pairs, "2; ") + "2"} {
		r, err := http.NewRequest(http.MethodGet, host.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Cookie", "own=1")
		resp, err := by.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if len(sent) != 1 || sent[0] != want {
			t.Errorf("sent are\n%q, want\n%q", sent, want)
		}
	}
	if _, err := ReadCookies(strings.NewReader("\xff\xfe#\x00 \x00H\x00\n\x00")); err == nil || err.Error() != "line 1 has a NUL byte: save the file as UTF-8" {
		t.Errorf("a file in UTF-16: %v", err)
	}
	for _, value := range []string{"a;b", "a\x01b", "a\x7f"} {
		if _, err := ReadCookies(strings.NewReader("127.0.0.1\tFALSE\t/\tFALSE\t0\tn\t" + value + "\n")); err == nil || !strings.Contains(err.Error(), `line 1: the cookie "n" has a semicolon or a control character`) {
			t.Errorf("%q: %v", value, err)
		}
	}
}
