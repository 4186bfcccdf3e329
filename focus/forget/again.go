package forget

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// What a run was visited again for stands below sink.FolderAgain (package again). Files of the names of the run's own say the same
// there; these are its others.
const (
	fileFetched = "fetched.jsonl" // beside the harvest, too
	fileLinks   = "links.json"
	filePlan    = "plan.json" // of a round that is not finished
)

// againFiles are the files below sink.FolderAgain. A round that is not finished has pages in a run folder of its own.
func (e *eraser) againFiles() (names []string, err error) {
	all, err := os.ReadDir(filepath.Join(e.dir, sink.FolderAgain))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	for _, f := range all {
		if f.Name() == filePlan {
			return nil, fmt.Errorf("a round of its pages is not finished: 'thresher crawl FILE --again' finishes it, then they are forgotten")
		}
		if f.Type().IsRegular() {
			names = append(names, sink.FolderAgain+"/"+f.Name())
		}
	}
	return names, err
}

// again writes a file below sink.FolderAgain.
func (e *eraser) again(name string) error {
	switch base := path.Base(name); {
	case harvested.MatchString(base):
		return e.lines(name, e.record)
	case looked.MatchString(base):
		before := e.looked
		defer func() { e.looked = before }() // those of the run are counted
		return e.lines(name, e.look)
	case isArchive(base):
		return e.archive(name)
	case base == fileLinks:
		return e.addresses(name)
	case strings.HasSuffix(base, ".jsonl"):
		return e.lines(name, e.rejected)
	}
	return nil // nobody's but its writer's
}

// addresses writes a file of lists of addresses.
func (e *eraser) addresses(name string) error {
	raw, err := os.ReadFile(filepath.Join(e.dir, filepath.FromSlash(name)))
	said := map[string]json.RawMessage{}
	if err == nil {
		err = json.Unmarshal(raw, &said)
	}
	if err != nil {
		return err
	}
	for key, list := range said {
		var addresses []string
		if json.Unmarshal(list, &addresses) != nil {
			continue // no list
		}
		if said[key], err = json.Marshal(slices.DeleteFunc(addresses, e.ofHost)); err != nil {
			return err
		}
	}
	text, err := json.Marshal(said)
	if err == nil {
		err = os.WriteFile(filepath.Join(e.out, filepath.FromSlash(name)), text, 0o600)
	}
	return err
}
