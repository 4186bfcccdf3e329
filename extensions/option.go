package extensions

import (
	"fmt"
	"time"
)

// Option tunes an extension. An option belongs to the extensions its comment names; to give it to another one is a
// mistake in the program, and panics where the extension is registered.
type Option struct {
	name string
	to   func(settings any) bool // sets it, or answers false where the settings have no such thing
}

// option makes the Option that sets something in settings of type S.
func option[S any](name string, set func(*S)) Option {
	return Option{name: name, to: func(settings any) bool {
		s, ok := settings.(*S)
		if ok {
			set(s)
		}
		return ok
	}}
}

// tune applies options to the settings of the extension of that name.
func tune(extension string, settings any, options []Option) {
	for _, o := range options {
		if !o.to(settings) {
			panic(fmt.Sprintf("extensions: %s knows no option %s", extension, o.name))
		}
	}
}

// want panics on a value that is not allowed: it is a mistake in the program.
func want(ok bool, option string, have any, allowed string) {
	if !ok {
		panic(fmt.Sprintf("extensions: %s(%v): want %s", option, have, allowed))
	}
}

func wantTime(option string, d time.Duration) { want(d > 0, option, d, "a time above 0") }

// timed is the part of an extension's settings that tells the time.
type timed struct{ now func() time.Time }

// Now gives an extension another clock than the wall's (Robots, Retry, Resolver, Traps, WARC, JSONLines, Progress).
func Now(now func() time.Time) Option {
	return Option{name: "Now", to: func(settings any) bool {
		t, ok := settings.(interface{ clock(func() time.Time) })
		if ok {
			t.clock(now)
		}
		return ok
	}}
}

func (t *timed) clock(now func() time.Time) { t.now = now }

// bounded is the part of an extension's settings that bounds its memory.
type bounded struct{ capacity int }

// Remember is how many things an extension keeps in memory at most: hosts (Robots, Resolver, SoftNotFound), pages
// (Canonical, NearDuplicates, NewValidators), patterns of addresses (Traps). What was not used for long is forgotten.
func Remember(n int) Option {
	want(n > 0, "Remember", n, "a number above 0")
	return Option{name: "Remember", to: func(settings any) bool {
		b, ok := settings.(interface{ bound(int) })
		if ok {
			b.bound(n)
		}
		return ok
	}}
}

func (b *bounded) bound(n int) { b.capacity = n }
