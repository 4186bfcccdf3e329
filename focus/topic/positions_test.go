package topic

import (
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/text"
)

func TestPositionsAreThoseOfThePage(t *testing.T) {
	for want, got := range map[page.Position]text.Position{
		page.Body: body, page.Anchor: anchor, page.Emphasis: emphasis, page.Meta: meta, page.Heading: heading, page.Top: top, page.Title: title,
	} {
		if uint8(want) != uint8(got) {
			t.Errorf("position %d of the page is %d here", want, got)
		}
	}
}
