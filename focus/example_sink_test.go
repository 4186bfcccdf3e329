package focus_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// addresses is a table of a program's own, outside the run folder: the address of each kept page in a row. It could be a table of a
// database as well.
type addresses struct {
	file *os.File
	n    int64
}

func openAddresses(path string) (*addresses, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	return &addresses{file: f}, err
}

func (r *addresses) Write(record *sink.Record) error {
	r.n++
	_, err := fmt.Fprintln(r.file, record.URL)
	return err
}

// Lengths is how far the table is: the crawl keeps it together with the page that was written last.
func (r *addresses) Lengths() map[string]int64 { return map[string]int64{"rows": r.n} }

// Cut takes out what was written behind that.
func (r *addresses) Cut(committed map[string]int64) error {
	text, err := os.ReadFile(r.file.Name())
	if err != nil {
		return err
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	r.n = committed["rows"]
	if int64(len(lines)-1) < r.n {
		return fmt.Errorf("%s has %d rows, and %d were committed", r.file.Name(), len(lines)-1, r.n)
	}
	whole := int64(len(bytes.Join(lines[:r.n], nil)))
	if err := r.file.Truncate(whole); err != nil {
		return err
	}
	_, err = r.file.Seek(whole, 0)
	return err
}

func (r *addresses) Sync() error  { return r.file.Sync() }
func (r *addresses) Close() error { return r.file.Close() }

// A sink of one's own that can be taken back (sink.Resumable) holds every page that a crawl of one process keeps once, whatever happens
// to the process. Here the second run finds a row of which nobody knows, as if the first had been killed after it wrote the row.
func ExampleInto() {
	dir, _ := os.MkdirTemp("", "into-")
	defer os.RemoveAll(dir)
	table := filepath.Join(dir, "table.txt")
	crawl := func(pages string) int {
		config, err := focus.Load("../configs/quickstart.yaml",
			crawlfile.Override{Key: "store", Value: filepath.Join(dir, "run")}, crawlfile.Override{Key: "budget.pages", Value: pages})
		if err != nil {
			fmt.Println(err)
			return 0
		}
		own, err := openAddresses(table)
		if err != nil {
			fmt.Println(err)
			return 0
		}
		defer own.Close()
		crawler, err := focus.New(context.Background(), config, focus.Into(own))
		if err != nil {
			fmt.Println(err)
			return 0
		}
		report, err := crawler.Run(context.Background())
		if err != nil {
			fmt.Println(err)
		}
		return report.Counts.Kept
	}

	first := crawl("30")
	f, _ := os.OpenFile(table, os.O_APPEND|os.O_WRONLY, 0o600)
	fmt.Fprintln(f, "http://nobody.example/knows")
	f.Close()

	second := crawl("60") // it goes on
	text, _ := os.ReadFile(table)
	fmt.Println(first < second, bytes.Count(text, []byte("\n")) == second, bytes.Contains(text, []byte("nobody")))
	// Output: true true false
}
