package main

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/outlet"
	"github.com/thresher-crawler/thresher/focus/whole"
)

// place is a file or a folder that pages are written to. It is there when it is whole.
type place struct {
	name  string
	form  outlet.Form
	done  func(whole bool) error
	pages int
	of    map[uint64]int // how many of them are of a cluster
}

// took counts a page of a cluster.
func (p *place) took(cluster uint64) {
	if p.of == nil {
		p.of = map[uint64]int{}
	}
	p.pages++
	p.of[cluster]++
}

// places are the names of what is written to: one, or those of training and of testing.
func (f *exportFlags) places() []string {
	if f.out == "" {
		return []string{""} // stdout
	}
	out := filepath.Clean(f.out)
	if f.split == 0 {
		return []string{out}
	}
	packing := outlet.PackingOf(out)
	kind := filepath.Ext(strings.TrimSuffix(out, packing)) + packing
	if outlet.Folder(f.to) {
		kind = ""
	}
	bare := strings.TrimSuffix(out, kind)
	return []string{bare + "-train" + kind, bare + "-test" + kind}
}

// open opens what is written to.
func (f *exportFlags) open(stdout io.Writer, names []string) (places []place, err error) {
	for _, name := range names {
		o := place{name: name}
		if outlet.Folder(f.to) {
			o.form, o.done, err = folderOutput(name)
		} else {
			o.form, o.done, err = f.file(stdout, name)
		}
		if err != nil {
			for _, open := range places {
				err = errors.Join(err, open.done(false))
			}
			return nil, err
		}
		places = append(places, o)
	}
	return places, nil
}

// file opens a form that is a file.
func (f *exportFlags) file(stdout io.Writer, name string) (outlet.Form, func(bool) error, error) {
	out, done, err := output(stdout, name)
	if err != nil {
		return nil, nil, err
	}
	var ends []io.Closer // what is whole when it is closed, the innermost first
	if packed := outlet.Packed(f.to, name, out); packed != nil {
		out, ends = packed, append(ends, packed)
	}
	form, err := outlet.New(f.to, out, outlet.Options{Fields: f.fields, Numbers: f.numbers, Chunk: f.chunk, Runs: f.folders})
	if err != nil {
		return nil, nil, errors.Join(usageError{err.Error(), exampleOf(f.to)}, done(false))
	}
	if closer, is := form.(io.Closer); is {
		ends = slices.Insert(ends, 0, closer)
	}
	return form, func(whole bool) error {
		for _, end := range ends {
			if !whole {
				break
			}
			if err := end.Close(); err != nil {
				return errors.Join(err, done(false))
			}
		}
		return done(whole)
	}, nil
}

// exampleOf is an export of a form that goes well.
func exampleOf(form string) string {
	if form == "chunks" {
		return chunksExample
	}
	return exportExample + " --fields url,title,relevance"
}

// folderOutput is a folder of pages. It is written aside, and takes the place of nothing but an empty folder.
func folderOutput(name string) (outlet.Form, func(whole bool) error, error) {
	if err := free(name); err != nil {
		return nil, nil, err
	}
	said := name
	if there, err := filepath.EvalSymlinks(name); err == nil {
		name = there // a link stays, and the folder that it leads to is replaced
	}
	clearAside(name)
	dir := writtenBeside(name)
	if err := os.Mkdir(dir, 0o777); err != nil { // less what the umask takes
		return nil, nil, err
	}
	held, err := os.Open(dir)
	if err != nil {
		return nil, nil, errors.Join(err, os.Remove(dir))
	}
	claim(held)
	return &outlet.Pages{Dir: dir}, func(whole bool) error {
		err := held.Close()
		if whole && err == nil {
			if err = os.Remove(name); err == nil || errors.Is(err, os.ErrNotExist) {
				err = os.Rename(dir, name)
			}
			if taken := free(said); err != nil && taken != nil { // by another export, meanwhile
				err = taken
			}
		}
		if !whole || err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
		return err
	}, nil
}

// free tells what is in the way of a folder of pages.
func free(name string) error {
	there, err := os.ReadDir(name)
	switch {
	case err == nil && len(there) > 0:
		return usageError{fmt.Sprintf("--out %s is a folder that is not empty", name), "thresher export --to markdown --out pages-2"}
	case errors.Is(err, os.ErrNotExist):
		return nil
	}
	return err
}

// tellSplit says how many pages are for training and for testing.
func tellSplit(places []place) string {
	if len(places) < 2 {
		return ""
	}
	return fmt.Sprintf(": %d in %s, %d in %s", places[0].pages, places[0].name, places[1].pages, places[1].name)
}

// tellEmpty tells of a side of a split to which no site fell, though there are pages: who trains and tests by it has no test.
func tellEmpty(w io.Writer, places []place) {
	if len(places) < 2 || places[0].pages+places[1].pages == 0 {
		return
	}
	for i, other := range []string{"larger", "smaller"} {
		if places[i].pages == 0 {
			fmt.Fprintf(w, "warning: %s has no page: each site goes to one side whole, by a lot, and these are few; a %s --split gives it more\n", places[i].name, other)
		}
	}
}

// tellShared tells of pages for testing that are near duplicates of pages for training, as of a text that several sites have.
func tellShared(w io.Writer, places []place) {
	if len(places) < 2 {
		return
	}
	shared := 0
	for cluster, pages := range places[1].of {
		if places[0].of[cluster] > 0 {
			shared += pages
		}
	}
	if shared > 0 {
		fmt.Fprintf(w, "warning: %s has near duplicates of pages in %s (%s): --dedup takes one of each\n", places[1].name, places[0].name, plural(shared))
	}
}

// output is a file, or stdout where no file was named. A file is written aside, and is there when it is whole; what is no file, such as
// a device or a pipe, is written into.
func output(stdout io.Writer, path string) (io.Writer, func(whole bool) error, error) {
	if path == "" || isOpen(stdout, path) {
		w := bufio.NewWriter(stdout)
		return w, func(bool) error { return w.Flush() }, nil
	}
	path, direct, err := whole.Place(path)
	if err != nil {
		return nil, nil, err
	}
	if direct {
		return through(path)
	}
	clearAside(path)
	file, err := os.OpenFile(writtenBeside(path), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) // less what the umask takes
	if err != nil {
		return nil, nil, err
	}
	claim(file)
	w := bufio.NewWriter(file)
	return w, func(whole bool) error {
		err := errors.Join(w.Flush(), file.Close())
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

// into writes a text into a file, or to stdout where no file was named.
func into(stdout io.Writer, path string, text []byte) error {
	w, done, err := output(stdout, path)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return errors.Join(err, done(err == nil))
}

// aside is what follows the name of what is written, until it is whole; behind it stand some letters and ~.
const aside = ".writing-"

// writtenBeside is where what belongs to a path is written until it is whole.
func writtenBeside(path string) string { return path + aside + rand.Text() + "~" }

// claim holds what is written aside, so that nobody takes it for left behind. Where a file cannot be held, nobody else can hold it either.
func claim(f *os.File) { _, _ = disk.TryLock(f) }

// clearAside deletes what processes that were killed have left beside a path: what nobody holds.
func clearAside(path string) {
	dir := filepath.Dir(path)
	names, _ := os.ReadDir(dir) // what cannot be read is told by who writes there
	for _, name := range names {
		if !strings.HasPrefix(name.Name(), filepath.Base(path)+aside) || !strings.HasSuffix(name.Name(), "~") {
			continue
		}
		left := filepath.Join(dir, name.Name())
		f, err := os.Open(left)
		if err != nil {
			continue
		}
		busy, err := disk.TryLock(f)
		f.Close()
		if !busy && err == nil {
			_ = os.RemoveAll(left) // it is in nobody's way
		}
	}
}

// isOpen tells of a path that it is what a writer writes into already: /dev/stdout, and the file that a shell has opened for it.
func isOpen(w io.Writer, path string) bool {
	file, is := w.(*os.File)
	if !is {
		return false
	}
	open, err := file.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(open, there)
}

// through opens what is no file, to be written into as it is.
func through(path string) (io.Writer, func(whole bool) error, error) {
	there, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return nil, nil, err
	}
	w := bufio.NewWriter(there)
	return w, func(bool) error { return errors.Join(w.Flush(), there.Close()) }, nil
}

// tellMissing says how many pages are not in an archive that was written.
func tellMissing(w io.Writer, places []place) {
	missing := 0
	for _, o := range places {
		if a, ok := o.form.(interface{ Missing() int }); ok {
			missing += a.Missing()
		}
	}
	if missing > 0 {
		fmt.Fprintf(w, "%d of them have no bytes in the archive: they were taken in by a second look, or the archive has lost them\n", missing)
	}
}
