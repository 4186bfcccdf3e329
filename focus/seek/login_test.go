package seek

import "testing"

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
