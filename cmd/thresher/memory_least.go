package main

import (
	"errors"
	"fmt"

	"github.com/thresher-crawler/thresher/focus/text"
)

// What a process must be allowed for a small crawl, and for the dictionaries of gojieba beside what a crawl of some thousand pages takes.
const (
	roomToWork    = 90_000_000
	roomToGojieba = 400_000_000
)

// spareGojieba leaves the dictionaries of gojieba alone where little memory may be used: they take some 130 MB in C++, of a sudden and for good, and
// Go cuts Chinese into the same words, somewhat slower.
func spareGojieba() {
	if most := ceiling(); most < roomToGojieba {
		text.Spare(errors.New(allowance(most)))
	}
}

// meagre says that the control group of this process leaves it too little memory: Linux ends without a word what takes more. It is empty where
// there is room.
func meagre() string {
	if most := ceiling(); most < roomToWork {
		return allowance(most) + ": the system may kill a crawl at any time, without a word; from 128 MB on a small one gets by, and 512 MB are enough for some thousand pages"
	}
	return ""
}

func allowance(most int64) string {
	return fmt.Sprintf("this process may have %s of memory (cgroup)", inBytes((most+8)/9*10))
}
