package extensions

// Refusal is an address that was not fetched, or a page that was not handed on, and why. Colly itself says nothing of a
// request that a callback aborted.
type Refusal struct {
	URL    string
	By     string // the extension's name
	Reason string // what decided, such as the line of a robots.txt
}

// refusing tells of refusals, possibly from many goroutines at once; nil tells nobody.
type refusing func(Refusal)

func (tell refusing) refused(url, by, reason string) {
	if tell != nil {
		tell(Refusal{url, by, reason})
	}
}
