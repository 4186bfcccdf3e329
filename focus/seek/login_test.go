package seek

import (
	"testing"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/ground"
)

// A start page of a program's own may have a login.
func TestASearchReadsAStartPageThatWantsALogin(t *testing.T) {
	web := hosts{"a.example": serve(map[string]string{"/": `<p><a href="http://b.example/">sailing</a></p>`})}
	config := over(t, web, func(c *crawlfile.Config) { c.Seeds = []string{"http://ann:secret@a.example/"} })
	if r := search(t, config, nil, ground.Options{Transport: web}); len(r.Troubles) > 0 {
		t.Errorf("%q", r.Troubles)
	}
}

// The password of an address that an engine answers with is sent to nobody, and stands among no start pages.
func TestAResultBringsNoPasswordAlong(t *testing.T) {
	s := &Search{enters: func(string) bool { return true }, finds: map[string]*find{}}
	f, fresh := s.found("https://ann:secret@b.example/solar/", Evidence{Kind: "search"})
	if !fresh || f.url != "https://b.example/solar/" || !f.frontPage {
		t.Errorf("%+v", f)
	}
	if _, fresh = s.found("https://b.example/solar/", Evidence{Kind: "search"}); fresh {
		t.Error("the same page was found twice")
	}
}
