package visits

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/gocolly/colly/v2"
	goredis "github.com/redis/go-redis/v9"
)

// TestCookiesOnRedisAreBounded: a host that sets others with every page has the last of them, and none that is longer than a browser keeps.
func TestCookiesOnRedisAreBounded(t *testing.T) {
	client := goredis.NewClient(&goredis.Options{Addr: miniredis.RunT(t).Addr()})
	t.Cleanup(func() { client.Close() })
	shared := OnRedis(client, "solar", &Finished{})
	t.Cleanup(func() { shared.Close() })
	c := colly.NewCollector()
	if err := c.SetStorage(shared); err != nil {
		t.Fatal(err)
	}
	own, err := ClientOf(c)
	if err != nil {
		t.Fatal(err)
	}
	u := &url.URL{Scheme: "http", Host: "a.test", Path: "/"}
	for page := range 10 {
		set := []*http.Cookie{{Name: fmt.Sprint("long", page), Value: strings.Repeat("x", 5000)}}
		for i := range 60 {
			set = append(set, &http.Cookie{Name: fmt.Sprintf("c%d-%d", page, i), Value: "x"})
		}
		own.Jar.SetCookies(u, set)
	}
	sent := map[string]bool{}
	for _, cookie := range own.Jar.Cookies(u) {
		sent[cookie.Name] = true
	}
	if len(sent) != 180 || !sent["c9-0"] || !sent["c7-59"] || sent["c6-59"] {
		t.Errorf("%d cookies are sent: %v", len(sent), sent)
	}
}
