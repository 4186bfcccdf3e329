package pdf

import "syscall"

// What else ends a process from outside.
const terminate, hangUp = syscall.SIGTERM, syscall.SIGHUP

// confine can bound nothing here: guard and whoever opened the room do.
func confine(uint64) error { return nil }

// apart keeps a process from what is typed on the terminal, which is meant for whoever opened the room.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
