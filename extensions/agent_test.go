package extensions

import (
	"net/http"
	"testing"

	"github.com/gocolly/colly/v2"
)

func TestAgent(t *testing.T) {
	cases := []struct{ product, contact, want string }{
		{"shark/1.0", "https://shark.example/bot", "shark/1.0 (+https://shark.example/bot)"},
		{"shark", "bot@shark.example", "shark (+bot@shark.example)"},
		{"shark", "mailto:bot@shark.example", "shark (+mailto:bot@shark.example)"},
		{"shark", "", ""}, {"shark", "nobody", ""}, {"shark", "http://localhost", ""}, {"shark", "https://", ""},
		{"shark", "ftp://shark.example", ""}, {"shark", "A <a@b.example>", ""}, {"shark", "a@b.example\r\nX: 1", ""},
		{"", "a@b.example", ""}, {"1.0", "a@b.example", ""}, {"shark\r\n", "a@b.example", ""},
	}
	for _, c := range cases {
		if got, err := UserAgent(c.product, c.contact); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q, %q: %q, %v; want %q", c.product, c.contact, got, err, c.want)
		}
	}
}

func TestAgentIsKept(t *testing.T) {
	var sent http.Header
	s := newSite(t, map[string]http.HandlerFunc{"/": func(_ http.ResponseWriter, r *http.Request) { sent = r.Header }})
	c := colly.NewCollector(colly.UserAgent("Mozilla/5.0"))
	noError(t, Agent(c, "shark/1.0", "bot@shark.example"))
	c.OnRequest(func(r *colly.Request) { r.Headers.Set("User-Agent", "Mozilla/5.0") })
	noError(t, c.Visit(s.URL+"/"))
	if sent.Get("User-Agent") != "shark/1.0 (+bot@shark.example)" || sent.Get("From") != "bot@shark.example" {
		t.Errorf("sent %v", sent)
	}
	c = colly.NewCollector()
	if err := Agent(c, "shark/1.0", ""); err == nil {
		t.Error("no contact, and no error")
	}
	c.Visit(s.URL + "/other")
	if s.hits("/other") != 0 {
		t.Error("a request without a contact")
	}
}
