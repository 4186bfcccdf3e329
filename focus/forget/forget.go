// Package forget answers one question: what is left of a host that wants out? Nothing: its pages, its links and what was said of
// them leave every file of a run, and the run asks it no more.
//
// Every file is written anew beside the old ones, the state out of the log and the harvest as a repair makes it, and all of them take
// the place of the old ones in one step (run.Replace). A process that is killed before leaves the run as it was.
package forget

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/opinion"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/watch"
)

// Report is what was taken out of a run.
type Report struct {
	Run      string   `json:"run"`
	Hosts    []string `json:"hosts"`
	Links    int      `json:"links"`    // addresses of the hosts that the crawl knew, fetched ones among them
	Fetched  int      `json:"fetched"`  // of those
	Kept     int      `json:"kept"`     // pages of the harvest
	Labels   int      `json:"labels"`   // lines of lists of labels
	Mentions int      `json:"mentions"` // addresses of the hosts in stored pages of other hosts, which stay as they are
	Named    []string `json:"named"`    // files of the folder that name them still, because people or other programs wrote them
	Indexed  bool     `json:"indexed"`  // the harvest had an index, which is gone and is to be made anew
}

// folderIndex is where the index of a harvest stands, which package index makes.
const folderIndex = "index"

// eraser takes hosts out of the run in dir; what it writes goes below out.
type eraser struct {
	dir, out string
	hosts    []string
	ids      map[uint64]bool // links to the hosts
	went     map[uint64]bool // pages of the harvest that went
	step     func(string)
	looked   int  // pages for a second look that went
	kept     int  // pages that are kept after it, and stay
	archived bool // there are WARC files, in which mentions are counted
	done     Report
}

// Hosts takes hosts out of a run that stands still, and keeps them out. A host is named as page.Host names it.
func Hosts(dir string, hosts []string) (*Report, error) { return hostsBy(dir, hosts, func(string) {}) }

func hostsBy(dir string, hosts []string, step func(string)) (*Report, error) {
	if run.OfMachine(dir) {
		return nil, Shared{dir}
	}
	before, err := run.ReadStanding(dir)
	if err != nil {
		return nil, err
	}
	lock, err := run.Hold(dir)
	if err != nil {
		return nil, err
	}
	defer lock.Release()
	e := &eraser{dir: dir, out: filepath.Join(dir, run.FolderStaged), hosts: hosts, ids: map[uint64]bool{}, went: map[uint64]bool{}, step: step,
		done: Report{Run: dir, Hosts: hosts, Named: []string{}}}
	if err := os.RemoveAll(e.out); err != nil { // of a process that was killed
		return nil, err
	}
	remove, err := e.stage(before)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("forget in %s: %w; nothing was changed", dir, err), os.RemoveAll(e.out))
	}
	return &e.done, run.Replace(dir, remove, step)
}

// Shared tells of a crawl whose state is in Redis, or of the folder of a machine that has part in one.
type Shared struct{ Named string }

func (s Shared) Error() string {
	return fmt.Sprintf("%s: machines share this crawl, and its links are in Redis, where nothing is taken out: "+
		"'thresher block HOST --run %[1]s' has it asked no more; to be rid of what is there, block it, export the other hosts' pages and give up the crawl with its folders", s.Named)
}

// stage writes what is to stand in the run folder, and answers the files of the old one that have no place there.
func (e *eraser) stage(before run.Standing) (remove []string, err error) {
	names, err := e.files()
	if err != nil {
		return nil, err
	}
	if err := errors.Join(os.MkdirAll(filepath.Join(e.out, run.FileState), 0o700), os.MkdirAll(filepath.Join(e.out, sink.FolderAgain), 0o700)); err != nil {
		return nil, err
	}
	if err := e.findLinks(names); err != nil {
		return nil, err
	}
	remove = e.leftOfRounds()
	e.archived = slices.ContainsFunc(names, isArchive)
	for _, name := range names {
		if e.ofCrawl(name) {
			e.step("write " + name)
			if err := e.rewrite(name); err != nil {
				return nil, fmt.Errorf("%s: %w", filepath.Join(e.dir, name), err)
			}
		}
	}
	e.step("state")
	if err := e.state(before); err != nil {
		return nil, err
	}
	for _, name := range names { // these a state that is made anew would take away, or write in its own way
		if e.ofCrawl(name) {
			continue
		}
		e.step("write " + name)
		goes, err := e.rest(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(e.dir, name), err)
		}
		if goes {
			remove = append(remove, name)
		}
	}
	if err := e.figures(); err != nil {
		return nil, err
	}
	if slices.Contains(names, run.FileReport) {
		if err := watch.WriteReport(e.out); err != nil {
			return nil, err
		}
	}
	if _, err := os.Stat(filepath.Join(e.dir, folderIndex)); err == nil {
		e.done.Indexed = true
		remove = append(remove, folderIndex)
	}
	return remove, os.RemoveAll(filepath.Join(e.out, run.FileState+".damaged"))
}

// files are the files of the run folder, those of its state left out. What a repair has set aside is no file that can be read.
func (e *eraser) files() (names []string, err error) {
	all, err := os.ReadDir(e.dir)
	if err != nil {
		return nil, err
	}
	if err := e.noLinks(); err != nil {
		return nil, err
	}
	if names, err = e.againFiles(); err != nil {
		return nil, err
	}
	for _, f := range all {
		switch {
		case strings.Contains(f.Name(), ".damaged"):
			return nil, setAside(f.Name())
		case f.Type().IsRegular():
			names = append(names, f.Name())
		}
	}
	return names, err
}

func setAside(name string) error {
	return fmt.Errorf("%s was set aside by a repair, and nobody can tell whose pages are in it: move it away first", name)
}

// noLinks refuses a run of which a part stands elsewhere: what a link leads to would stay as it is, with the hosts' pages in it. Folders of
// one's own may be links.
func (e *eraser) noLinks() error {
	for _, folder := range []string{"", run.FileState, sink.FolderAgain} {
		all, err := os.ReadDir(filepath.Join(e.dir, folder))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		for _, f := range all {
			path := filepath.Join(e.dir, folder, f.Name())
			if f.Type()&os.ModeSymlink == 0 || folder == "" && ownFolder(path) {
				continue
			}
			to, err := filepath.EvalSymlinks(path)
			if err != nil {
				return err
			}
			return fmt.Errorf("%s is a link, and %s, to which it leads, would stay as it is: put that in the place of the link first", path, to)
		}
	}
	return nil
}

// ownFolder tells of a folder that is none of the run's.
func ownFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() && !slices.Contains([]string{run.FileState, sink.FolderAgain, folderIndex}, filepath.Base(path))
}

// ofHost tells whether an address is one of the hosts'.
func (e *eraser) ofHost(address string) bool { return page.Named(page.Host(address), e.hosts) }

// findLinks finds the links to the hosts, those that were refused among them. A host that only a later visit met has none.
func (e *eraser) findLinks(names []string) error {
	known := false
	err := run.ReadLog(filepath.Join(e.dir, run.FileLog), func(d *run.Decision) bool {
		if !e.ofHost(d.URL) {
			return true
		}
		if h := page.Host(d.URL); !slices.Contains(e.hosts, h) { // it was named without its port
			e.hosts = append(e.hosts, h)
		}
		if known = true; d.ID != 0 {
			e.ids[d.ID] = true
		}
		if d.Fetched() {
			e.done.Fetched++
		}
		return true
	})
	e.done.Hosts = e.hosts
	if e.done.Links = len(e.ids); err == nil && !known {
		known, err = e.metAgain(names)
	}
	if err == nil && !known {
		return &Unknown{e.hosts}
	}
	return err
}

// state makes the state of the run anew, of the log and the harvest that were written. What the crawl learned begins again: nobody
// could tell what of it came from the hosts' pages.
func (e *eraser) state(before run.Standing) error {
	if err := e.crawlFile(); err != nil {
		return err
	}
	if err := run.Stand(e.out, before); err != nil {
		return err
	}
	if _, err := focus.Repair(e.out); err != nil {
		return err
	}
	after, err := run.ReadStanding(e.out)
	if err != nil {
		return err
	}
	after.File, after.State, after.Reason, after.Started, after.Ended = before.File, before.State, before.Reason, before.Started, before.Ended
	if err := run.Stand(e.out, after); err != nil {
		return err
	}
	return e.orders()
}

// crawlFile writes the crawl file for the state to be made anew with: no cluster is sent anything meanwhile.
func (e *eraser) crawlFile() error {
	config, err := (&run.Run{Dir: e.dir}).CrawledConfig()
	if err != nil {
		return err
	}
	config.Sinks = slices.DeleteFunc(config.Sinks, func(s crawlfile.SinkConfig) bool { return s.To == "opensearch" })
	if err := run.WriteFile(filepath.Join(e.out, run.FileCrawl), config.YAML()); err != nil {
		return err
	}
	return e.copied(run.FileStrategy)
}

// orders takes over what people have ordered of the run, and what they have injected but for addresses of the hosts, and adds the
// order that keeps the hosts out.
func (e *eraser) orders() error {
	for _, name := range []string{run.FileOrders, run.FileInjected} {
		var lines []byte
		_, err := run.EachSealed(filepath.Join(e.dir, run.FileState, name), 0, func(line string) {
			_, host, _ := strings.Cut(line, " ")
			if !e.ofHost(line) && !page.Named(host, e.hosts) {
				lines = append(lines, run.Sealed(line)...)
			}
		})
		if err != nil {
			return err
		}
		if name == run.FileOrders {
			for _, h := range e.hosts {
				lines = append(lines, run.Sealed("block "+h)...)
			}
		}
		if len(lines) == 0 {
			continue
		}
		if err := run.WriteFile(filepath.Join(e.out, run.FileState, name), lines); err != nil {
			return err
		}
	}
	return nil
}

// figures takes the pages of the hosts out of what is said of the second look, and leaves out what was found of the harvest with them in
// it: its audit, and how much of the topic it lacks.
func (e *eraser) figures() error {
	if _, err := os.Stat(filepath.Join(e.out, run.FileFigures)); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	f, err := run.ReadFigures(e.out)
	if err != nil {
		return err
	}
	left := run.Figures{Look: f.Look}
	if l := left.Look; l != nil {
		for _, list := range []*[]run.Told{&l.Best, &l.Near, &l.In, &l.Out} {
			*list = slices.DeleteFunc(*list, func(t run.Told) bool { return e.ofHost(t.URL) })
		}
		l.Pages -= min(l.Pages, e.looked)
		if sink.HasKept(e.out) {
			l.Kept = e.kept
		}
	}
	return left.Write(e.out)
}

// rest writes a file that a crawl does not go on with. goes tells that the old one has no place in the run any more.
func (e *eraser) rest(name string) (goes bool, err error) {
	switch {
	case name == sink.FileKept:
		return false, e.lines(name, e.second)
	case name == fileFetched:
		return false, e.lines(name, e.noted)
	case name == sink.FileRejected:
		return false, e.lines(name, e.rejected)
	case strings.HasPrefix(name, sink.FolderAgain+"/"):
		return false, e.again(name)
	case name == opinion.FileCache:
		return false, e.lines(name, e.opinion)
	case strings.HasSuffix(name, ".tsv"):
		return false, e.lines(name, e.label)
	case name == crawlfile.FileExperience: // it was learned from the hosts' pages, too, and is written when the crawl ends
		return true, nil
	case name == run.FileReport, name == run.FileLock, strings.HasPrefix(name, ".beside-"):
		return name != run.FileReport, nil
	case name == run.FileFigures, name == run.FileStrategy:
		return false, e.copied(name)
	}
	raw, err := os.ReadFile(filepath.Join(e.dir, name))
	if err == nil && e.names(string(raw)) {
		e.done.Named = append(e.done.Named, name)
	}
	if err == nil && name == run.FileCrawl {
		err = e.copied(name)
	}
	return false, err // any other is nobody's but its writer's, and stays
}

// copied takes a file over as it is.
func (e *eraser) copied(name string) error {
	return e.through(name, func(out, in *os.File) error {
		_, err := io.Copy(out, in)
		return err
	})
}

// through writes a file anew from what it was.
func (e *eraser) through(name string, write func(out, in *os.File) error) error {
	in, err := os.Open(filepath.Join(e.dir, name))
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := create(filepath.Join(e.out, name), in)
	if err != nil {
		return err
	}
	err = write(out, in)
	return errors.Join(err, out.Close())
}

// create makes a file that may be read by whom another may be read by.
func create(path string, as *os.File) (*os.File, error) {
	info, err := as.Stat()
	if err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, info.Mode().Perm())
}
