package extensions

// Refusal is an address that was not fetched, or a page that was not handed on, and why.
type Refusal struct {
	URL    string
	By     string // the extension's name
	Reason string // what decided, such as the line of a robots.txt
}

// refusing is the part of an extension's settings that tells of refusals.
type refusing struct{ tell func(Refusal) }

func (r *refusing) refused(url, by, reason string) {
	if r.tell != nil {
		r.tell(Refusal{url, by, reason})
	}
}

// OnRefusal names the function that hears of every refusal (Robots, Canonical, Traps, NearDuplicates), possibly from
// many goroutines at once. Colly itself says nothing of a request that a callback aborted.
func OnRefusal(tell func(Refusal)) Option {
	return Option{name: "OnRefusal", to: func(settings any) bool {
		r, ok := settings.(interface{ telling(func(Refusal)) })
		if ok {
			r.telling(tell)
		}
		return ok
	}}
}

func (r *refusing) telling(tell func(Refusal)) { r.tell = tell }
