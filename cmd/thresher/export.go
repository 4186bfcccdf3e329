package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// exportFlags say what of a harvest is written, and how.
type exportFlags struct {
	run       runFlag
	to        string
	out       string
	fields    []string
	relevance float64
	languages []string
	hosts     []string
	contains  string
	by        order
}

func exportCommand() *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write the harvest of a run as csv or jsonl",
		Long: `Export reads the kept pages of a run and writes those that pass every filter, as one CSV table or one JSON object a
line, with the fields you choose. Of a crawl that machines share it joins what all have written below runs/NAME here, each
page once: --run runs/NAME, or redis://…. With --sort the best come first. The fields are those of harvest.jsonl, and data.NAME
for a value that was extracted, which a table has by itself:
  ` + strings.Join(sink.Fields(), ", "),
		Example: `  thresher export --run runs/quickstart --to csv --fields url,title,relevance --out solar.csv
  thresher export --min-relevance 0.6 --language zh > best.jsonl
  thresher export --sort importance --to csv --out important.csv`,
		Args: noArguments("thresher export --run runs/quickstart --to csv"),
		RunE: func(cmd *cobra.Command, _ []string) error { return export(cmd, &f) },
	}
	f.run.registerShared(cmd.Flags())
	cmd.Flags().StringVar(&f.to, "to", "jsonl", "the `form`: jsonl or csv")
	cmd.Flags().StringVarP(&f.out, "out", "o", "", "write into this `file`, not to stdout")
	cmd.Flags().StringSliceVar(&f.fields, "fields", nil, "which fields, in which order (default: all for jsonl, the usual ones for csv)")
	f.by.register(cmd.Flags())
	cmd.Flags().Float64Var(&f.relevance, "min-relevance", 0, "only pages of at least this relevance")
	cmd.Flags().StringSliceVar(&f.languages, "language", nil, "only pages in these languages")
	cmd.Flags().StringSliceVar(&f.hosts, "host", nil, "only pages of these hosts; *.a.com is a.com and what is below it")
	cmd.Flags().StringVar(&f.contains, "contains", "", "only pages whose title or text contains this")
	return cmd
}

func export(cmd *cobra.Command, f *exportFlags) (err error) {
	if !(0 <= f.relevance && f.relevance <= 1) {
		return usageError{fmt.Sprintf("--min-relevance is %v, want a number from 0 to 1", f.relevance), "thresher export --min-relevance 0.5"}
	}
	if err := f.by.check("thresher export --sort importance"); err != nil {
		return err
	}
	dir, folders, err := f.run.folders(cmd)
	if err != nil {
		return err
	}
	if f.by == byImportance && !slices.ContainsFunc(folders, sink.HasKept) {
		return errUnlooked(dir)
	}
	if f.to == "csv" && len(f.fields) == 0 {
		var values []string
		if opened, err := run.OpenAll(dir); err == nil {
			if config, err := opened.Config(); err == nil { // where it cannot be read, the usual columns do
				values = config.Extract.Names()
			}
		}
		f.fields = sink.Columns(slices.ContainsFunc(folders, sink.HasKept), values...)
	}
	inside := func(dir string) bool { return sameFolder(dir, filepath.Dir(f.out)) }
	if own, err := filepath.Match("harvest*.jsonl", filepath.Base(f.out)); err == nil && own && slices.ContainsFunc(folders, inside) {
		return usageError{fmt.Sprintf("--out %s is the harvest itself", f.out), "thresher export --out best.jsonl"}
	}
	out, done, err := output(unfolded(cmd.OutOrStdout()), f.out)
	if err != nil {
		return err
	}
	defer func() {
		if closing := done(err == nil); err == nil {
			err = closing
		}
	}()
	encoder, err := sink.NewEncoder(out, f.to, f.fields)
	if err != nil {
		return usageError{err.Error(), "thresher export --to csv --fields url,title,relevance"}
	}
	write := f.write
	if f.by != "" {
		write = f.writeSorted
	}
	written, total, err := write(encoder, folders)
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%d of %d pages\n", written, total)
	return nil
}

// write writes the pages of some folders that pass every filter, each once: a page that two machines have kept, because one
// was taken for dead, has one number.
func (f *exportFlags) write(encoder *sink.Encoder, folders []string) (written, total int, err error) {
	seen := map[uint64]bool{}
	for _, dir := range folders {
		for record, err := range sink.Kept(dir) {
			if err != nil {
				return written, total, err
			}
			if seen[record.ID] {
				continue
			}
			seen[record.ID] = true
			if total++; !f.passes(record) {
				continue
			}
			if err := encoder.Encode(record); err != nil {
				return written, total, err
			}
			written++
		}
	}
	return written, total, nil
}

// writeSorted writes what write does, sorted. Of the records only the places are in memory.
func (f *exportFlags) writeSorted(encoder *sink.Encoder, folders []string) (written, total int, err error) {
	type placed struct {
		by float64
		at sink.Place
	}
	var all []placed
	seen := map[uint64]bool{}
	for _, dir := range folders {
		err := sink.KeptPlaces(dir, func(r *sink.Record, at sink.Place) {
			if seen[r.ID] {
				return
			}
			seen[r.ID] = true
			if total++; f.passes(r) {
				all = append(all, placed{f.by.ofRecord(r), at})
			}
		})
		if err != nil {
			return 0, total, err
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(b.by, a.by) })
	for _, p := range all {
		record, err := p.at.Read()
		if err == nil {
			err = encoder.Encode(record)
		}
		if err != nil {
			return written, total, err
		}
		written++
	}
	return written, total, nil
}

// output is a file, or stdout where no file was named. A file is written aside, and is there when it is whole.
func output(stdout io.Writer, path string) (io.Writer, func(whole bool) error, error) {
	if path == "" {
		w := bufio.NewWriter(stdout)
		return w, func(bool) error { return w.Flush() }, nil
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*~")
	if err != nil {
		return nil, nil, err
	}
	w := bufio.NewWriter(file)
	return w, func(whole bool) error {
		err := errors.Join(w.Flush(), file.Chmod(0o644), file.Close())
		if whole && err == nil {
			err = os.Rename(file.Name(), path)
		}
		if !whole || err != nil {
			os.Remove(file.Name())
		}
		if err != nil {
			return err
		}
		return nil
	}, nil
}

func sameFolder(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// passes tells whether a page passes every filter.
func (f *exportFlags) passes(r *sink.Record) bool {
	return r.Relevant() >= f.relevance &&
		(len(f.languages) == 0 || slices.ContainsFunc(f.languages, func(l string) bool { return strings.EqualFold(l, r.Language) })) &&
		(len(f.hosts) == 0 || slices.ContainsFunc(f.hosts, func(h string) bool { return within(r.Host, h) })) &&
		(f.contains == "" || strings.Contains(r.Title, f.contains) || strings.Contains(r.Text, f.contains))
}

// within tells whether a host is the one named, or below it where the name starts with *. A name without a port is the host at
// any port, as in scope.hosts.
func within(host, name string) bool {
	if bare, _, err := net.SplitHostPort(host); err == nil && !strings.Contains(name, ":") {
		host = bare
	}
	below, all := strings.CutPrefix(name, "*.")
	return host == name || all && (host == below || strings.HasSuffix(host, "."+below))
}
