package focus_test

import (
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/gocolly/colly/v2"
	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
	"github.com/thresher-crawler/thresher/focus/page"
)

// What a Colly program has given a score to may be raised by a page that links to it, and fall again by what is learned, but
// not below what the program said: in whichever frontier it waits, and if another process goes on with it.
func TestNothingFallsBelowWhatACollyProgramSaid(t *testing.T) {
	dir := t.TempDir()
	server := miniredis.RunT(t)
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr()})
	t.Cleanup(func() { client.Close() })
	memory := frontier.NewMemory(frontier.Manners{})
	for name, open := range map[string]func() (frontier.Frontier, error){
		"memory": func() (frontier.Frontier, error) { return notClosed{memory}, nil },
		"disk":   func() (frontier.Frontier, error) { return disk.Open(dir, frontier.Manners{}, disk.Options{}) },
		"redis": func() (frontier.Frontier, error) {
			return redis.Open(t.Context(), client, "crawl", frontier.Manners{}, redis.Options{})
		},
	} {
		t.Run(name, func(t *testing.T) { testNothingFallsBelow(t, open) })
	}
}

// notClosed is a frontier in memory that another program goes on with.
type notClosed struct{ *frontier.Memory }

func (notClosed) Close() error { return nil }

func testNothingFallsBelow(t *testing.T, open func() (frontier.Frontier, error)) {
	const said = .5
	pages := solarPages()
	pages["/list"] = strings.ReplaceAll(pages["/soup"], "</ul>", `<li><a href="/soup">more soup</a></li></ul>`)
	s := newSite(t, pages)
	soup, err := page.Canonical(s.URL + "/soup")
	if err != nil {
		t.Fatal(err)
	}
	program := func(paths ...string) (score float32) { // visits these pages, and answers how /soup waits
		f, err := open()
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		c := colly.NewCollector()
		if _, err := focus.Attach(c, f, solarTopic(t), loadTree(t, "rank: {use: site}")); err != nil {
			t.Fatal(err)
		}
		q := newQueue(t, 1, f)
		for n, path := range paths {
			if err := q.AddScored(s.URL+path, float32(10-n)); err != nil {
				t.Fatal(err)
			}
		}
		if err := q.AddScored(s.URL+"/soup", said); err != nil {
			t.Fatal(err)
		}
		visits := 0
		c.OnScraped(func(*colly.Response) {
			if visits++; visits == len(paths) {
				q.Stop()
			}
		})
		if err := q.Run(c); err != nil {
			t.Fatal(err)
		}
		item, state := f.(frontier.Finder).Get(f.(frontier.Finder).Find(soup))
		if state != frontier.Waiting {
			t.Fatalf("it is %v", state)
		}
		return item.Score
	}
	if score := program("/solar"); score <= said {
		t.Fatalf("a page about the topic links to it, and it waits with %v: the test sees nothing", score)
	}
	if score := program("/list", "/onion", "/bean"); score != said { // three pages that are not, of which the first links to it and to the others
		t.Errorf("it waits with %v, want %v", score, said)
	}
}
