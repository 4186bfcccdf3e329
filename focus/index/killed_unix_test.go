//go:build unix

package index

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
)

// deadly is a context that kills the process when it is asked the nth time whether it has ended: between two lines that are
// read, or between two pages that are written.
type deadly struct {
	context.Context
	left int
}

func (d *deadly) Err() error {
	if d.left--; d.left == 0 {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	return d.Context.Err()
}

// TestIndexAndDie is no test, but the process that TestAProcessThatIsKilled kills.
func TestIndexAndDie(t *testing.T) {
	at, err := strconv.Atoi(os.Getenv("THRESHER_DIE_AT"))
	if err != nil {
		t.Skip("only TestAProcessThatIsKilled asks for this")
	}
	c, err := Open(os.Getenv("THRESHER_DIE_IN"), Options{})
	noError(t, err)
	change, err := c.Update(&deadly{context.Background(), at})
	fmt.Println("survived", change, err)
}

// TestAProcessThatIsKilled holds that wherever a process is killed while it indexes, the index agrees with the harvest when it
// is opened the next time, and nothing is made anew for it.
func TestAProcessThatIsKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts a process for each kill")
	}
	for _, c := range []struct {
		indexed bool // some pages are in the index already
		at      []int
	}{
		{false, []int{1, 4, 8, 12}}, // of six lines and six pages
		{true, []int{1, 2}},         // of one line and one page
	} {
		for _, at := range c.at {
			h := small(t)
			if c.indexed {
				before, _ := opened(t, h.dir)
				before.Close()
				h.keep("http://tea.example.com/white", article("White tea", "White tea is hardly touched."))
			}
			child := exec.Command(os.Args[0], "-test.run=^TestIndexAndDie$", "-test.v")
			child.Env = append(os.Environ(), fmt.Sprintf("THRESHER_DIE_AT=%d", at), "THRESHER_DIE_IN="+h.dir)
			said, err := child.CombinedOutput()
			if status, ok := child.ProcessState.Sys().(syscall.WaitStatus); err == nil || !ok || status.Signal() != syscall.SIGKILL {
				t.Fatalf("killed at %d: %v, and it said %s", at, err, said)
			}
			after, change := opened(t, h.dir)
			if change.Rebuilt != "" || change.Pages != int(h.next) || found(asked(t, after, "张益唐")) != "3" {
				t.Errorf("killed at %d, indexed before %v: %+v, want %d pages", at, c.indexed, change, h.next)
			}
			if c.indexed && found(asked(t, after, "hardly touched")) != "7" {
				t.Errorf("killed at %d: the new page is not found", at)
			}
			if again := updated(t, after); again.Added != 0 {
				t.Errorf("killed at %d: %+v, want nothing left to do", at, again)
			}
		}
	}
}
