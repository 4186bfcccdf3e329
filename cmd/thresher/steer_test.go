package main

import (
	"maps"
	"testing"
)

// TestSharedRunsAreKnownByTheirFolders: also beside runs that were named twice, which are opened once.
func TestSharedRunsAreKnownByTheirFolders(t *testing.T) {
	address := "redis://127.0.0.1:6379/0?crawl=tea"
	shared, err := sharedOf([]string{"runs/a", "runs/a", address}, func(named string) (string, error) { return "folder of " + named, nil })
	if want := map[string]string{"folder of " + address: address}; err != nil || !maps.Equal(shared, want) {
		t.Errorf("%v, %v, want %v", shared, err, want)
	}
}
