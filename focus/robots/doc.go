// Package robots answers one question: may we ask?
//
// Parse reads a robots.txt as RFC 9309 says, and Rules are what it says to one crawler. A Keeper remembers the rules of
// hosts and who is asking for them; it knows no clock and no network. Fetch asks a host. A Gate is a keeper that asks by
// itself, for many goroutines at once. What a host says of the use of its pages is kept with its rules, as it was written; what it
// means is told by focus/rights.
package robots
