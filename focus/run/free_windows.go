package run

import "golang.org/x/sys/windows"

// Free is how much room a program like this one has on the disk of a folder.
func Free(folder string) (uint64, error) {
	path, err := windows.UTF16PtrFromString(folder)
	if err != nil {
		return 0, err
	}
	var free uint64
	err = windows.GetDiskFreeSpaceEx(path, &free, nil, nil)
	return free, err
}
