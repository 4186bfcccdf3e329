package page

// Options bound and tune the reading of a page. The zero value means the defaults.
type Options struct {
	MaxLinks int // links per page; 0 means 5000
	MaxDepth int // nesting; 0 means 512
	MaxText  int // bytes of text; 0 means 2 MiB
}

// Parse reads an HTML page in UTF-8, found at address, into a Page.
func Parse(body []byte, address string, o Options) *Page { panic("page: not built") }

// Canonical is an address's identity: what it is known by, never what is fetched.
func Canonical(address string) (string, error) { panic("page: not built") }

// Host is the host whose clock an address obeys: lower case, with the port where it is not the scheme's own.
func Host(address string) string { panic("page: not built") }

// MainText is the clean text of the main block; Markdown the same with its headings, lists and links.
func (p *Page) MainText() string { panic("page: not built") }

// Markdown is the main block as Markdown.
func (p *Page) Markdown() string { panic("page: not built") }
