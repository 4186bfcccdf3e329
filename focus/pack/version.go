package pack

import "fmt"

// VersionError tells of what another version of this program wrote. It is not damaged: whoever wrote it can read it.
type VersionError struct {
	Wrote, Reads int // the format it is written in, and the one this program reads
}

// Version is nil where something is written in the format that this program reads, and a *VersionError otherwise.
func Version(wrote, reads int) error {
	if wrote == reads {
		return nil
	}
	return &VersionError{wrote, reads}
}

// Newer tells of a later version: what it wrote is left as it is.
func (e *VersionError) Newer() bool { return e.Wrote > e.Reads }

func (e *VersionError) Error() string {
	if e.Newer() {
		return fmt.Sprintf("a newer thresher wrote it (format %d, and this one reads %d); use that one", e.Wrote, e.Reads)
	}
	return fmt.Sprintf("an older thresher wrote it (format %d, and this one reads %d); use that one", e.Wrote, e.Reads)
}
