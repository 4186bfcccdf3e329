package focus

import (
	"fmt"
	"os"
	"path/filepath"
)

// ofMachine tells of the folder of one machine of a shared crawl: what the machine goes on with is in Redis.
func ofMachine(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, fileState, fileMachine))
	return err == nil
}

// moveAway says what helps where the folder of a machine is damaged.
func moveAway(dir string) string {
	return fmt.Sprintf("the crawl itself is in Redis: move this folder away (mv '%s' '%s.damaged') and the machine begins a new one; what it harvested can be read there",
		dir, dir)
}

// repairMachine mends what can be mended in the folder of a machine: lines of its log and of its harvest. How long its files ought to be is
// known in Redis alone, so that nobody can say of the folder that it is sound.
func (done *Repaired) repairMachine(dir string) error {
	if err := done.endMarked(dir); err != nil {
		return err
	}
	if err := done.mendResults(dir, nil); err != nil {
		return err
	}
	if err := done.findGoneAgain(dir); err != nil {
		return err
	}
	if err := done.conclude(dir); err != nil || !done.Sound || done.Ended != "" {
		done.Sound = false
		return err
	}
	done.Sound = false
	return fmt.Errorf("focus: %s is the folder of one machine of a shared crawl, and holds nothing to repair; if the crawl refuses it: %s", dir, moveAway(dir))
}
