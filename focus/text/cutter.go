package text

// Options tune a Cutter.
type Options struct {
	Terms     []string // the topic's own terms: kept whole, found as phrases
	UserDict  string   // path of a user dictionary for Chinese; empty means none
	KeepStops bool     // do not drop stop words
	Tags      bool     // find parts of speech
	Limit     int      // bytes of body text that are cut in a page; 0 means 20 KB, -1 no limit
}

// Cutter cuts text into words. It may be used by many goroutines at once.
type Cutter struct{}

// NewCutter makes a Cutter, or says which line of the user dictionary is wrong.
func NewCutter(o Options) (*Cutter, error) { panic("text: not built") }

// Cut appends the words of s to dst, stop words dropped.
func (c *Cutter) Cut(dst []Token, s string) []Token { panic("text: not built") }

// Tokens are the words of a page, cut once and kept.
func (c *Cutter) Tokens(d *Doc) []Token { panic("text: not built") }

// Detect tells the language of a page: script ranges first, then what <html lang> says, then a detector.
func Detect(sample, declared string) string { panic("text: not built") }

// Decode turns a body into UTF-8 and names the charset it was in. contentType is the header, which may be empty or
// wrong. The answer may share memory with body.
func Decode(body []byte, contentType string) (utf8 []byte, charset string) { panic("text: not built") }

// Backend names what cuts Chinese in this build: "gojieba" or the pure-Go stand-in.
func Backend() string { panic("text: not built") }
