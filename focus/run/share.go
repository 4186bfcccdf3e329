package run

import (
	"os"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/whole"
)

// share lets those read what a run has written anew who were let read its state, which is its owner's alone unless that changes its mode.
// Files of somebody's own stay as they are.
func share(dir string) {
	state, err := os.Stat(filepath.Join(dir, FileState))
	if err != nil {
		return
	}
	for _, pattern := range append([]string{FileState}, Results...) {
		paths, _ := results(dir, pattern)
		for _, path := range paths {
			whole.Share(path, state.Mode())
		}
	}
}
