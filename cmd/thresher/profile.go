package main

import (
	"fmt"
	"os"
	"runtime/pprof"
)

// profiled writes a CPU profile of what happens until end is called into a file; go tool pprof reads it. An empty name asks
// for none.
func profiled(name string) (end func() error, err error) {
	if name == "" {
		return func() error { return nil }, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, fmt.Errorf("the profile: %w", err)
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("the profile: %w", err)
	}
	return func() error {
		pprof.StopCPUProfile()
		if err := f.Close(); err != nil {
			return fmt.Errorf("the profile: %w", err)
		}
		return nil
	}, nil
}
