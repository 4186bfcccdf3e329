// Package junk answers one question: is it worth keeping?
//
// Duplicates are pages that were there before, and mirrors of hosts. A TrapWatch tells addresses that a server makes up
// without end. Wall tells what stands in the place of a page. ErrorPages tell pages that say "not found" with status 200.
// Each is useful by itself; package focus asks them in steps 4, 5 and 7 of the journey.
package junk
