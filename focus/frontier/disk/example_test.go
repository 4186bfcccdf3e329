package disk_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
)

// A crawl is interrupted in the middle of its second visit. When its frontier is opened again, that visit comes
// first, and what was counted and learned of the first is there.
func Example() {
	dir, err := os.MkdirTemp("", "thresher")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	state := filepath.Join(dir, "state")

	f, err := disk.Open(state, frontier.Manners{}, disk.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	f.Push(frontier.Item{URL: "https://one.example/", Host: "one.example", Score: 2})
	f.Push(frontier.Item{URL: "https://two.example/", Host: "two.example", Score: 1})
	one, _, _ := f.TryPop(0)
	f.Push(frontier.Item{URL: "https://three.example/", Host: "three.example", Score: 3, Via: one.ID})
	f.Done(one.ID, frontier.Outcome{Counters: map[string]int64{"pages": 1}, Lesson: []byte("one leads to three")})
	interrupted, _, _ := f.TryPop(0)
	fmt.Println("visiting", interrupted.URL)
	f.Close()

	f, err = disk.Open(state, frontier.Manners{}, disk.Options{AtOnce: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	r := f.Restored()
	fmt.Println("pages:", r.Counters["pages"], "waiting:", r.Waiting)
	fmt.Printf("lessons: %s\n", r.Lessons)
	for range 2 {
		it, _, err := f.TryPop(0)
		fmt.Println(it.URL, err)
	}
	// Output:
	// visiting https://three.example/
	// pages: 1 waiting: 2
	// lessons: [one leads to three]
	// https://three.example/ <nil>
	// https://two.example/ <nil>
}
