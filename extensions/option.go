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

// either makes one Option out of options of the same name that belong to different extensions.
func either(options ...Option) Option {
	return Option{name: options[0].name, to: func(settings any) bool {
		for _, o := range options {
			if o.to(settings) {
				return true
			}
		}
		return false
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
