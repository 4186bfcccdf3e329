package selection

import (
	"fmt"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// With several visits under way, each rewards the group its own link was let go for, in whatever order they end, and also
// where what they were let go by was saved and taken back meanwhile.
func TestTheBanditRewardsTheGroupOfEachVisit(t *testing.T) {
	c := newCharge(t, "{use: groups, with: {batch: 10, inside: best, targets: in_group}}", Setting{Ahead: 4})
	for range 50 {
		c.selector.(*groups).targets.Add("http://a.example/good", true)
		c.selector.(*groups).targets.Add("http://a.example/xxxx", false)
	}
	c.seed("s")
	c.visit(1, link{"menu1", 0.5, "body/div.menu/ul/li"}, link{"list1", 0.5, "body/table/tr/td"}, link{"text1", 0.5, "body/p/em"})
	brings := map[string]int{"menu1": 0, "list1": 3, "text1": 1}
	var underway []frontier.Item
	for range brings {
		item, _, err := c.TryPop(0)
		if err != nil {
			t.Fatal(err)
		}
		underway = append(underway, item)
	}
	saved := c.selector.(*groups).State()
	if err := c.selector.(*groups).Restore(saved); err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{2, 0, 1} {
		name := strings.TrimPrefix(underway[i].URL, "http://a.example/")
		var links []link
		for n := range brings[name] {
			links = append(links, link{fmt.Sprintf("good%s%d", name, n), 0.1, "body/dl/dd"}, link{fmt.Sprintf("xxxx%s%d", name, n), 0.1, "body/dl/dd"})
		}
		c.finish(underway[i], 0, links)
	}
	g := c.selector.(*groups)
	for name, want := range map[string]int{"body/div.menu/ul/li": 0, "body/table/tr/td": 3, "body/p/em": 1} {
		group, fresh := g.places.Of(name)
		if got := g.tries[group]; fresh || got != (groupTries{1, want}) {
			t.Errorf("%s has %+v, want one try and %d targets", name, got, want)
		}
	}
	if g.all != 3 {
		t.Errorf("%d tries in all", g.all)
	}
}
