package sink_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// titles is a form of our own: one title a line.
type titles struct {
	file *os.File
	size int64
}

func init() {
	sink.Register("titles", func(dir string, o sink.Options) (sink.Sink, error) {
		f, err := os.OpenFile(filepath.Join(dir, "titles.txt"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, err
		}
		info, err := f.Stat()
		if err != nil {
			return nil, err
		}
		return &titles{f, info.Size()}, nil
	})
}

func (t *titles) Write(r *sink.Record) error {
	n, err := fmt.Fprintln(t.file, r.Title)
	t.size += int64(n)
	return err
}

func (t *titles) Lengths() map[string]int64 { return map[string]int64{"titles.txt": t.size} }

func (t *titles) Sync() error { return t.file.Sync() }

func (t *titles) Close() error { return t.file.Close() }

// A form is one file: it registers itself, and the sinks of a crawl file may name it from then on. After a crash its file is
// cut back to what Lengths said, as those of all sinks.
func ExampleRegister() {
	dir, err := os.MkdirTemp("", "sink-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	s, err := sink.Open(dir, sink.Options{To: "titles"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, title := range []string{"Sharks", "Rays"} {
		if err := s.Write(&sink.Record{Title: title}); err != nil {
			fmt.Println(err)
		}
	}
	s.Close()
	written, _ := os.ReadFile(filepath.Join(dir, "titles.txt"))
	fmt.Printf("%s%v\n", written, sink.Names())
	// Output:
	// Sharks
	// Rays
	// [csv jsonl opensearch titles warc]
}
