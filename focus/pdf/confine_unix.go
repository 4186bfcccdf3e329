//go:build linux || darwin

package pdf

import (
	"runtime"
	"syscall"
)

// What else ends a process from outside.
const terminate, hangUp = syscall.SIGTERM, syscall.SIGHUP

// apart keeps a process from what is typed on the terminal, which is meant for whoever opened the room.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// confine bounds what this process may take, as far as the system does that. What it can be given no bound of, guard watches.
func confine(memory uint64) error {
	bounds := map[int]uint64{syscall.RLIMIT_CPU: uint64(mostWork.Seconds()) + 1, syscall.RLIMIT_CORE: 0, syscall.RLIMIT_FSIZE: 0}
	if runtime.GOOS == "linux" && !raced { // elsewhere what is mapped does not count
		const runtimes = 64 << 20 // stacks, and tables of the garbage collector
		bounds[syscall.RLIMIT_DATA] = memory + runtimes
	}
	for resource, most := range bounds {
		var now syscall.Rlimit
		if err := syscall.Getrlimit(resource, &now); err != nil {
			return err
		}
		most = min(most, now.Max)
		if err := syscall.Setrlimit(resource, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
			return err
		}
	}
	return nil
}
