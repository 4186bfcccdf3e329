package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// A run whose pages are visited again keeps what each round has asked for, after the round and its log are gone, below
// sink.FolderAgain. The round that is under way stands there in a run folder of its own.
const (
	FolderRound = "round" // the crawl of the sitemaps and feeds, and then of the pages
	FileRound   = sink.FilePlan
)

// FileAsked is the file of what a round has asked for.
func FileAsked(round int) string { return fmt.Sprintf("asked-%06d.log", round) }

// Asked is Log, and goes on with what the rounds have asked for, in their order. Their decisions have no numbers.
func (r *Run) Asked(visit func(*Decision) bool) error {
	on := true
	until := func(d *Decision) bool { on = visit(d); return on }
	if err := r.Log(until); err != nil || len(r.Parts) > 0 { // of a crawl that machines share nothing is visited again
		return err
	}
	below := filepath.Join(r.Dir, sink.FolderAgain)
	var files []string
	entries, err := os.ReadDir(below)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "asked-") && strings.HasSuffix(e.Name(), ".log") {
			files = append(files, filepath.Join(below, e.Name()))
		}
	}
	var plan struct{ Round int }
	raw, err := os.ReadFile(filepath.Join(below, FileRound))
	if err == nil {
		err = json.Unmarshal(raw, &plan)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return sink.AgainCured(r.Dir, fmt.Errorf("%s: %w", filepath.Join(below, FileRound), err))
	}
	if _, err := os.Stat(filepath.Join(below, FileAsked(plan.Round))); err != nil { // else it is among the files
		files = append(files, filepath.Join(below, FolderRound, FileLog))
	}
	for _, file := range files {
		if err := ReadLog(file, until); !on || err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}
