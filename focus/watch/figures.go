package watch

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/study"
)

// figures are what is known of what the run keeps.
type figures struct {
	at  time.Time
	now *run.Figures
}

// read reads the figures again where they have changed. Such as cannot be read are none: who writes them is told.
func (f *figures) read(dir string) {
	info, err := os.Stat(filepath.Join(dir, run.FileFigures))
	if err != nil {
		*f = figures{}
		return
	}
	if info.ModTime().Equal(f.at) {
		return
	}
	f.at = info.ModTime()
	if f.now, err = run.ReadFigures(dir); err != nil {
		f.now = nil
	}
}

// labels are what a person has said of pages of the run.
type labels struct {
	at   time.Time
	said map[uint64]bool
}

// read reads the labels again where they have changed. A list that cannot be read is none: who writes it is told.
func (l *labels) read(path string) {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		*l = labels{}
	}
	if err != nil || info.ModTime().Equal(l.at) {
		return
	}
	all, err := study.ReadLabels(path)
	l.at, l.said = info.ModTime(), map[uint64]bool{}
	if err != nil {
		return
	}
	for _, one := range all {
		l.said[hashOf(one.Address)] = one.Relevant
	}
}
