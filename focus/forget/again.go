package forget

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// What a run was visited again for stands below sink.FolderAgain (package again). Files of the names of the run's own say the same
// there; these are its others.
const (
	fileFetched = "fetched.jsonl" // beside the harvest, too
	fileLinks   = sink.FileLinks
	filePlan    = run.FileRound // of a round that is not finished
)

// againFiles are the files below sink.FolderAgain. A round that is not finished has pages in a run folder of its own.
func (e *eraser) againFiles() (names []string, err error) {
	all, err := os.ReadDir(filepath.Join(e.dir, sink.FolderAgain))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	for _, f := range all {
		if f.Name() == filePlan {
			return nil, fmt.Errorf("a round of its pages is not finished, and asks a host nothing more that is blocked (thresher block HOST): 'thresher crawl FILE --again' finishes it, then they are forgotten")
		}
		if strings.Contains(f.Name(), ".damaged") {
			return nil, setAside(sink.FolderAgain + "/" + f.Name())
		}
		if f.Type().IsRegular() {
			names = append(names, sink.FolderAgain+"/"+f.Name())
		}
	}
	return names, err
}

// betweenRounds are the folders that a round makes anew before it reads them: where none is planned, nobody needs what is in them.
var betweenRounds = []string{"since", "next", "round"}

// leftOfRounds are the folders that a round has left, of which there is no plan, as againFiles has found.
func (e *eraser) leftOfRounds() (names []string) {
	for _, name := range betweenRounds {
		name = sink.FolderAgain + "/" + name
		if _, err := os.Stat(filepath.Join(e.dir, filepath.FromSlash(name))); err == nil {
			names = append(names, name)
		}
	}
	return names
}

// metAgain tells whether a later visit has met the hosts, which the log of the first crawl need not know.
func (e *eraser) metAgain(names []string) (bool, error) {
	for _, name := range names {
		var met bool
		var err error
		switch base := path.Base(name); {
		case !strings.HasPrefix(name, sink.FolderAgain+"/"):
			continue
		case base == fileLinks:
			met, err = e.inLists(name)
		case base == sink.FileVisited, harvested.MatchString(base):
			met, err = e.inLines(name)
		}
		if met || err != nil {
			return met, err
		}
	}
	return false, nil
}

// inLines tells whether a line of a file is the hosts'.
func (e *eraser) inLines(name string) (bool, error) {
	f, err := os.Open(filepath.Join(e.dir, filepath.FromSlash(name)))
	if err != nil {
		return false, err
	}
	defer f.Close()
	for line, err := range run.WholeLines(f) {
		if err != nil {
			return false, err
		}
		var s said
		if json.Unmarshal(line, &s) != nil { // whoever writes the file anew says where
			continue
		}
		if theirs, err := e.theirs(&s); err == nil && theirs {
			return true, nil
		}
	}
	return false, nil
}

// lists are those of a file of lists, by their names.
func (e *eraser) lists(name string) (said map[string]json.RawMessage, err error) {
	raw, err := os.ReadFile(filepath.Join(e.dir, filepath.FromSlash(name)))
	if err == nil {
		err = json.Unmarshal(raw, &said)
	}
	return said, err
}

// inLists tells whether an address of a file of lists is the hosts'.
func (e *eraser) inLists(name string) (bool, error) {
	said, err := e.lists(name)
	for _, list := range said {
		if _, met := e.without(list); met {
			return true, nil
		}
	}
	return false, err
}

// without is a list of addresses, or an object that says something of each, without those of the hosts; met tells that there are any.
// Anything else is as it was.
func (e *eraser) without(list json.RawMessage) (left any, met bool) {
	var addresses []string
	var of map[string]json.RawMessage
	switch {
	case json.Unmarshal(list, &addresses) == nil:
		n := len(addresses)
		addresses = slices.DeleteFunc(addresses, e.ofHost)
		return addresses, len(addresses) < n
	case json.Unmarshal(list, &of) == nil:
		n := len(of)
		maps.DeleteFunc(of, func(address string, _ json.RawMessage) bool { return e.ofHost(address) })
		return of, len(of) < n
	}
	return list, false
}

// again writes a file below sink.FolderAgain.
func (e *eraser) again(name string) error {
	switch base := path.Base(name); {
	case harvested.MatchString(base):
		return e.lines(name, e.counted)
	case looked.MatchString(base):
		before := e.looked
		defer func() { e.looked = before }() // those of the run are counted
		return e.lines(name, e.look)
	case isArchive(base):
		return e.archive(name)
	case base == fileLinks:
		return e.addresses(name)
	case asked.MatchString(base):
		return e.lines(name, e.decision)
	case strings.HasSuffix(base, ".jsonl"):
		return e.lines(name, e.rejected)
	}
	return nil // nobody's but its writer's
}

// addresses writes a file of lists of addresses.
func (e *eraser) addresses(name string) error {
	said, err := e.lists(name)
	if err != nil {
		return err
	}
	for key, list := range said {
		left, _ := e.without(list)
		if said[key], err = json.Marshal(left); err != nil {
			return err
		}
	}
	text, err := json.Marshal(said)
	if err == nil {
		err = os.WriteFile(filepath.Join(e.out, filepath.FromSlash(name)), text, 0o600)
	}
	return err
}
