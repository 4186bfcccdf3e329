package ahead

import (
	"reflect"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// What is worked out ahead is what would be worked out when it is asked for, of a page that may be kept and of one that may not.
func TestAheadIsTheSame(t *testing.T) {
	about, err := topic.New(topic.Spec{Language: "en", Terms: []topic.Term{{Term: "solar", Weight: 1}}, Judge: "bm25", Threshold: .3})
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"solar", "cake"} {
		html := []byte("<title>Of " + word + "</title><p>" + strings.Repeat("All about "+word+" and more, said at length. ", 20) + `<a href="/x">more ` + word + `</a>`)
		p := page.Parse(html, "http://a.example/", page.Options{})
		d := study.Document(p)
		var ahead, late Work
		ahead.Judge(about, p, d)
		ahead.Keep(p, html, html)
		relevant := ahead.judgement.Relevant
		if relevant != (word == "solar") || relevant != (ahead.saying != nil) || relevant != (ahead.print != nil) {
			t.Errorf("%s: relevant %v, and worked out for keeping: %v", word, relevant, ahead.saying != nil)
		}
		if a, b := ahead.Judgement(about, d), late.Judgement(about, d); !reflect.DeepEqual(a, b) {
			t.Errorf("%s: judged %+v ahead, %+v late", word, a, b)
		}
		if ahead.Print(html) != late.Print(html) || ahead.Saying(p, html) != late.Saying(p, html) {
			t.Errorf("%s: another print or text ahead", word)
		}
	}
}
