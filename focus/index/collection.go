package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	bleveindex "github.com/blevesearch/bleve_index_api"

	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/shell"
	"github.com/thresher-crawler/thresher/focus/whole"
)

// Options say where a harvest is, and what else tells of it.
type Options struct {
	// Name is what people call the collection, beside others that are searched together; none means the last name of its folder.
	Name string
	// Folders are those in which the harvest lies, where machines share a crawl; none means the run folder itself.
	Folders []string
	// Log tells the links that a crawl followed, for pages whose bytes were not kept: by the number of the page they stand
	// on. nil means that nobody can tell.
	Log func(visit func(page uint64, address, anchor string) bool) error
	// Redirects tells of addresses that lead to others: links to them count as links to what they lead to. nil means that nobody can tell.
	Redirects func(visit func(from, to string))
	// Reading is how the crawl read its pages, so that their links and kinds are those that it saw; nil means as a crawl does that
	// says nothing of it.
	Reading *page.Options
	// Kept reads which pages count as kept, and how important a second look found them, 0 where none has said so. It is
	// called by an Update that finds no second look, or another one than it was made from; nil, and an answer of nil, mean all that are in the harvest.
	Kept func() (Kept, error)
	// ReadOnly leaves the folder as it is: an index that is there is searched as it is.
	ReadOnly bool
	// Without leaves links out of what pages are found by. Measuring needs it.
	Without func(fromURL, toURL, anchor string) bool
}

// Kept tells whether a page counts as kept, and how important a second look found it.
type Kept func(id uint64) (importance float64, kept bool)

// Collection is a harvest that is searched. It may be searched by many at once, and while it is brought up to date.
type Collection struct {
	Dir     string
	options Options
	mu      sync.RWMutex // held for reading while a generation is in use
	open    *generation
	words   *inverter
	update  sync.Mutex
	closed  bool // for good
	checked checked

	progress progress
}

// generation is an index as it is read. It does not change.
type generation struct {
	path   string
	files  map[string]mark // what it was read from
	store  bleveindex.Index
	reader bleveindex.IndexReader
	table  *table
}

// Open opens the index of a run folder, if there is one that can be read. Update makes it where there is none.
func Open(dir string, o Options) (*Collection, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("there is no run folder %s", dir)
	}
	if len(o.Folders) == 0 {
		o.Folders = []string{dir}
	}
	o.Name = cmp.Or(o.Name, filepath.Base(filepath.Clean(dir)))
	if o.Reading == nil {
		o.Reading = &page.Options{Hidden: true}
	}
	words, err := newInverter()
	if err != nil {
		return nil, err
	}
	return &Collection{Dir: dir, options: o, words: words}, nil
}

// folder is where the index lies.
func (c *Collection) folder() string { return filepath.Join(c.Dir, folderName) }

// Name is what people call the collection.
func (c *Collection) Name() string { return c.options.Name }

// Close closes the collection for good. Searches that are under way are waited for.
func (c *Collection) Close() error {
	c.update.Lock()
	defer c.update.Unlock()
	c.closed = true
	return c.swap(nil)
}

// swap puts a generation in the place of the one that is open, and closes that.
func (c *Collection) swap(g *generation) error {
	c.mu.Lock()
	before := c.open
	c.open = g
	c.mu.Unlock()
	if before == nil {
		return nil
	}
	return before.close()
}

func (g *generation) close() error { return errors.Join(g.reader.Close(), g.store.Close()) }

// Len is how many pages can be found.
func (c *Collection) Len() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.open == nil {
		return 0
	}
	return len(c.open.table.cards)
}

// load opens the generation that stands in the folder, if it is not the one that is open.
func (c *Collection) load() (err error) {
	path, st, err := c.checked.current(c.folder())
	if err != nil || c.open != nil && c.open.path == path {
		return err
	}
	g, err := openGeneration(path)
	if err != nil {
		return err
	}
	g.files = st.Files
	return c.swap(g)
}

// openGeneration opens a generation for reading. Whatever bleve makes of damaged files is an error.
func openGeneration(path string) (g *generation, err error) {
	defer func() {
		if r := recover(); r != nil {
			g, err = nil, damaged("%s cannot be read: %v", path, r)
		}
	}()
	cards, err := readCards(filepath.Join(path, fileCards))
	if err != nil {
		return nil, err
	}
	in, err := openStore(filepath.Join(path, folderBleve), true)
	if err != nil {
		return nil, damaged("%s cannot be opened: %v", path, err)
	}
	g = &generation{path: path, store: in}
	if g.reader, err = in.Reader(); err == nil {
		g.table, err = newTable(cards, g.reader)
	}
	if err != nil {
		in.Close()
		return nil, damaged("%s cannot be read: %v", path, err)
	}
	return g, nil
}

// Change is what Update did.
type Change struct {
	Added, Removed, Again int    // pages; again are those whose in-links say something new of them
	Pages                 int    // that can be found now
	Rebuilt               string // why the index was made anew; empty where it was not
	Unread                int    // lines of the harvest that could not be read
	Elsewhere             bool   // another process is bringing it up to date, or may alone: what it last finished is searched
}

// Update brings the index up to date with the harvest. Where another process is about it, and has finished one before, that
// one is searched.
func (c *Collection) Update(ctx context.Context) (Change, error) {
	c.update.Lock()
	defer c.update.Unlock()
	if c.closed { // by somebody who let it go while another was about to bring it up to date
		return Change{}, nil
	}
	if c.options.ReadOnly {
		err := c.load()
		return Change{Pages: c.Len(), Elsewhere: true}, c.explain(err)
	}
	if c.gone() {
		return Change{}, fmt.Errorf("the run folder %s is gone: its pages are searched again when it is back", c.Dir)
	}
	if err := os.Mkdir(c.folder(), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return Change{}, c.unwritable(err)
	}
	lock, err := c.lock(ctx)
	if err != nil {
		return Change{}, c.explain(err)
	}
	if lock == nil {
		return Change{Pages: c.Len(), Elsewhere: true}, nil
	}
	defer lock.Release()
	change, err := c.bring(ctx)
	var harmed *damagedError
	if errors.As(err, &harmed) {
		again, rerr := c.rebuild(ctx, harmed.why)
		return again, c.explain(rerr)
	}
	return change, c.explain(err)
}

// gone tells of a run folder that was moved or deleted, or is empty as one on a disk that is not there. Whoever searches makes none in its
// place: the run would be put back into that.
func (c *Collection) gone() bool {
	dir, err := os.Open(c.Dir)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer dir.Close()
	_, err = dir.Readdirnames(1)
	return errors.Is(err, io.EOF)
}

// rebuild makes the index anew.
func (c *Collection) rebuild(ctx context.Context, why string) (Change, error) {
	if err := os.Remove(filepath.Join(c.folder(), fileCurrent)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Change{}, err
	}
	change, err := c.bring(ctx)
	change.Rebuilt = why
	return change, err
}

func (c *Collection) explain(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist) && c.options.ReadOnly:
		return fmt.Errorf("%s has no index yet: 'thresher index %s' makes one", c.Dir, shell.Word(c.Dir))
	}
	return fmt.Errorf("%s: %w", c.Dir, err)
}

// unwritable says of an index that cannot be brought up to date what can be searched.
func (c *Collection) unwritable(err error) error {
	if _, none := os.Stat(filepath.Join(c.folder(), fileCurrent)); none != nil {
		if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
			return err // room is what it takes, and not a copy
		}
		return fmt.Errorf("%w; nor has it an index yet: make one of a copy of the run", err)
	}
	return fmt.Errorf("%w; --read-only searches what is there", err)
}

// lock holds the index for this process. It is nil where another holds it and a finished index could be loaded.
func (c *Collection) lock(ctx context.Context) (*disk.Lock, error) {
	for {
		lock, err := disk.LockFolder(c.folder())
		var busy *disk.InUseError
		if err == nil {
			return lock, nil
		}
		if !errors.As(err, &busy) {
			return nil, c.unwritable(err)
		}
		if c.load() == nil {
			return nil, nil
		}
		select { // the first one is being made
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// Forget removes the index, so that Update makes it anew.
func (c *Collection) Forget() error {
	was, none := os.Stat(c.folder())
	err := os.RemoveAll(c.folder())
	if err == nil && none == nil && was.Mode().Perm()&0o077 != 0 { // who could search may search the next one
		if err = os.Mkdir(c.folder(), 0o700); err == nil {
			whole.Share(c.folder(), was.Mode())
		}
	}
	return err
}
