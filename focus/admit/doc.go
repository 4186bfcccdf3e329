// Package admit answers one question: may it enter? A Scope is asked about every address before anything is ranked, and
// whatever is refused, link or page, is refused with a Refused, a reason that has a name.
package admit
