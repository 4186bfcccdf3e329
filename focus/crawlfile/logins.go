package crawlfile

import (
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
)

// Login is a name and a password that stood in an address of a crawl file (https://name:password@www.example.org/).
type Login struct{ Address, User, Password string }

// TakeLogins takes names and passwords out of the addresses of the file into Logins, so that nothing that shows or writes down
// an address shows them. What has been taken stays: a second time changes nothing.
func (c *Config) TakeLogins() {
	for _, list := range []*[]string{&c.Seeds, &c.Directories, &c.Engines, &c.Topic.Examples} {
		*list = c.withoutLogins(*list)
	}
}

func (c *Config) withoutLogins(addresses []string) []string {
	own := slices.Clone(addresses)
	for i, written := range own {
		name, address := "", written
		if begin := strings.Index(written, "=http"); begin >= 0 { // an engine, with its name
			name, address = written[:begin+1], written[begin+1:]
		}
		plain, user, password, ok := page.Login(address)
		if !ok {
			continue
		}
		own[i] = name + plain
		c.Logins = append(slices.Clip(c.Logins), Login{plain, user, password})
	}
	return own
}
