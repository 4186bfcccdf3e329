package rights

import (
	"net/http"
	"net/url"
	"testing"
	"time"
)

func TestTags(t *testing.T) {
	head := func(s string) []byte { return []byte("<!doctype html><html><head>" + s + "</head><body>") }
	cases := []struct {
		name   string
		header []string
		body   []byte
		want   Tags
	}{
		{"nothing", nil, head(""), Tags{}},
		{"header", []string{"noindex, NoFollow"}, nil, Tags{NoIndex: true, NoFollow: true}},
		{"none", []string{"none"}, nil, Tags{NoIndex: true, NoFollow: true}},
		{"to us", []string{"shark: noindex"}, nil, Tags{NoIndex: true}},
		{"to another", []string{"whale: noindex, nofollow"}, nil, Tags{}},
		{"to another, then to us", []string{"whale: noindex, shark: nofollow"}, nil, Tags{NoFollow: true}},
		{"a date is no name", []string{"unavailable_after: 25 Jun 2010 15:00:00 PST, noarchive"}, nil, Tags{NoArchive: true}},
		{"two lines", []string{"whale: nofollow", "noindex"}, nil, Tags{NoIndex: true}},
		{"meta", nil, head(`<meta name="ROBOTS" content="NOINDEX,noai">`), Tags{NoIndex: true, NoAI: true}},
		{"meta to us", nil, head(`<meta content=nofollow name=shark>`), Tags{NoFollow: true}},
		{"meta to another", nil, head(`<meta name=whale content=nofollow>`), Tags{}},
		{"meta in a script", nil, head(`<script>"<meta name=robots content=noindex>"</script>`), Tags{}},
		{"meta in the body", nil, []byte(`<html><body><meta name=robots content=noindex>`), Tags{}},
	}
	for _, c := range cases {
		header := http.Header{"Content-Type": {"text/html"}, "X-Robots-Tag": c.header}
		if got := ReadHead(header, c.body).Tags(header, "shark"); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// A page is over at the hour that its author means, wherever it is read.
func TestAnEndInAZoneOfMail(t *testing.T) {
	at := &url.URL{Scheme: "http", Host: "a.example", Path: "/"}
	header := http.Header{"X-Robots-Tag": {"unavailable_after: 25 Jun 2010 15:00:00 PDT"}}
	for hour, over := range map[int]bool{21: false, 23: true} {
		if r := Of(header, nil, at, nil, "shark", time.Date(2010, 6, 25, hour, 0, 0, 0, time.UTC)); r.Tags.NoIndex != over {
			t.Errorf("at %d:00 UTC it is over: %v", hour, !over)
		}
	}
}
