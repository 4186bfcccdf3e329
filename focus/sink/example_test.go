package sink_test

import (
	"fmt"
	"os"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// A run folder is cut back to what was committed, and read back.
func Example() {
	dir, _ := os.MkdirTemp("", "run")
	defer os.RemoveAll(dir)
	s, _ := sink.Open(dir, sink.Options{To: "jsonl"})
	s.Write(&sink.Record{ID: 1, URL: "http://a.example/shark", Title: "The thresher shark", Relevance: 0.9})
	s.Sync()
	committed := s.Lengths()
	s.Write(&sink.Record{ID: 2, URL: "http://a.example/ray", Title: "The manta ray", Relevance: 0.4})
	s.Close()

	sink.Cut(dir, committed) // as after a crash: what was not committed is taken back
	for page, err := range sink.Harvest(dir) {
		fmt.Println(page.Title, page.Relevance, err)
	}
	// Output: The thresher shark 0.9 <nil>
}
