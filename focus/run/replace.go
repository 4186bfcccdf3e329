package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/whole"
)

// Most of a run folder changes in one step: what is to stand there is written below FolderStaged, which is then called
// folderReady. From that moment on the new files are the run: whoever opens it next moves what was not moved yet.
const (
	FolderStaged = "staged" // below a run folder: what is to take the place of its files, and is not whole yet
	folderReady  = "ready"  // what is whole
	filePlan     = "plan.json"
)

// plan is what becomes of the files of a run folder.
type plan struct {
	Files  []string `json:"files"`  // that are moved to where they belong
	Remove []string `json:"remove"` // that have no place in the run any more
}

// Hold keeps other processes from going on with a run, and from changing it, until it is released. What those that were killed while
// they wrote have left is deleted.
func Hold(dir string) (*disk.Lock, error) {
	lock, err := disk.LockFolder(filepath.Join(dir, FileState))
	if inUse := (*disk.InUseError)(nil); errors.As(err, &inUse) {
		return nil, &InUseError{dir, inUse}
	}
	if err == nil {
		whole.Clear(dir)
	}
	return lock, err
}

// Replace puts the files below FolderStaged, all of which are whole, in the place of those that stand in a run folder. Of the old
// ones those go that are named, and whatever state the run had. The caller holds the run. step is asked before each step, for tests
// of what a kill leaves.
func Replace(dir string, remove []string, step func(string)) error {
	staged := filepath.Join(dir, FolderStaged)
	var p plan
	err := filepath.WalkDir(staged, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(staged, path)
		if err == nil && filepath.Base(name) != FileLock {
			p.Files = append(p.Files, filepath.ToSlash(name))
			err = syncFile(path)
		}
		return err
	})
	if err != nil {
		return err
	}
	states, err := os.ReadDir(filepath.Join(dir, FileState))
	if err != nil {
		return err
	}
	for _, s := range states {
		remove = append(remove, FileState+"/"+s.Name())
	}
	for _, name := range remove {
		if !slices.Contains(p.Files, name) && name != FileState+"/"+FileLock {
			p.Remove = append(p.Remove, name)
		}
	}
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	if err := AppendSafely(filepath.Join(staged, filePlan), text); err != nil {
		return err
	}
	step("ready")
	if err := os.Rename(staged, filepath.Join(dir, folderReady)); err != nil {
		return err
	}
	return finish(dir, step)
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// finish moves what is whole to where it belongs. Done again, or after a kill in the middle, it does what is left of it.
func finish(dir string, step func(string)) error {
	ready := filepath.Join(dir, folderReady)
	text, err := os.ReadFile(filepath.Join(ready, filePlan))
	if errors.Is(err, os.ErrNotExist) {
		return os.RemoveAll(ready) // all was moved
	}
	var p plan
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		return fmt.Errorf("run folder %s: what is to stand in it cannot be read: %w", dir, err)
	}
	for _, name := range p.Remove {
		step("remove " + name)
		if err := os.RemoveAll(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	for _, name := range p.Files {
		step("move " + name)
		to := filepath.Join(dir, filepath.FromSlash(name))
		err := whole.Replace(filepath.Join(ready, filepath.FromSlash(name)), to)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	step("clear")
	share(dir)
	if err := os.Remove(filepath.Join(ready, filePlan)); err != nil {
		return err
	}
	return os.RemoveAll(ready)
}

// settled finishes what a process that was killed had begun to replace in a run folder, and removes what it had not made whole.
// held tells that this process holds the run; otherwise whoever does is left to it.
func settled(dir string, held bool) error {
	if _, err := os.Stat(filepath.Join(dir, folderReady)); err != nil {
		if held {
			return os.RemoveAll(filepath.Join(dir, FolderStaged))
		}
		return nil
	}
	if !held {
		lock, err := Hold(dir)
		if inUse := (*InUseError)(nil); errors.As(err, &inUse) {
			return nil
		}
		if err != nil {
			return err
		}
		defer lock.Release()
	}
	return finish(dir, func(string) {})
}
