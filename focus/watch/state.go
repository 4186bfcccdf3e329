package watch

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/run"
)

// State is how a run is at this moment.
type State string

// The states of a run.
const (
	Running     State = "running"
	Paused      State = "paused"
	Stopping    State = "stopping"
	Finished    State = "finished"
	Interrupted State = "interrupted"
	Died        State = "died" // its process ended without a word
)

// Live tells of a run that a process works on.
func (s State) Live() bool { return s == Running || s == Paused || s == Stopping }

// quiet is how long a process that works on a run may say nothing before it is asked for by its number.
const quiet = 10 * time.Second

// stateOf says in which state a run is. It takes no lock: whoever starts a crawl at this moment finds its folder free.
func stateOf(dir string, s *run.Standing) State {
	if s.State != "running" {
		return State(s.State)
	}
	if !works(dir) {
		return Died
	}
	switch run.Commanded(dir) {
	case frontier.Pause:
		return Paused
	case frontier.Stop:
		return Stopping
	}
	return Running
}

// works tells whether the process is there that holds a run: it has written how the run stands just now, or has the number that
// stands in the lock.
func works(dir string) bool {
	state := filepath.Join(dir, run.FileState)
	if info, err := os.Stat(filepath.Join(state, run.FileRun)); err == nil && time.Since(info.ModTime()) < quiet/4 {
		return true
	}
	said, err := os.ReadFile(filepath.Join(state, run.FileLock))
	if err != nil {
		return false
	}
	number, err := strconv.Atoi(strings.TrimSpace(string(said)))
	if err != nil || number <= 0 {
		return false
	}
	process, err := os.FindProcess(number)
	if err != nil {
		return false
	}
	defer process.Release()
	err = process.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission) || runtime.GOOS == "windows" // where a process that is found is there
}
