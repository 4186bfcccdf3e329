package crawlfile

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// Login is a name and a password that stood in an address of a crawl file (https://name:password@www.example.org/).
type Login struct{ Address, User, Password string }

// TakeLogins takes names and passwords out of the addresses of the file into Logins, so that nothing that shows or writes down
// an address shows them. What has been taken stays: a second time changes nothing.
func (c *Config) TakeLogins() {
	for _, a := range c.addressed() {
		*a.list = c.withoutLogins(*a.list)
	}
	c.Fetch.Logins = slices.DeleteFunc(slices.Clone(c.Fetch.Logins), func(l string) bool { return strings.Contains(l, "://") }) // taken
}

// addresses are a list of addresses that may have names and passwords in them.
type addresses struct {
	key  string
	list *[]string
}

func (c *Config) addressed() []addresses {
	return []addresses{{"seeds", &c.Seeds}, {"directories", &c.Directories}, {"engines", &c.Engines}, {"topic.examples", &c.Topic.Examples},
		{"fetch.proxies", &c.Fetch.Proxies}, {"fetch.logins", &c.Fetch.Logins}}
}

// secrets takes all that is secret out of the file, into Logins, and reads the files of logins that it names. What stands in the crawl
// file itself is refused where others may read that: secrets come from the environment, or from a file of one's own.
func (c *Config) secrets() (problems []strict.Problem) {
	wrong := func(key, format string, args ...any) { problems = append(problems, c.At(key, format, args...)) }
	for _, a := range c.addressed() {
		key := a.key
		for i, address := range *a.list {
			plain, _, _, ok := page.Login(address[strings.Index(address, "=http")+1:])
			at := fmt.Sprintf("%s[%d]", key, i)
			switch _, outside := c.given[key]; {
			case key == "fetch.logins" && !ok && strings.Contains(address, "://"):
				wrong(at, "is %q, which has neither name nor password: want https://name:password@www.example.org/, or a file of such lines", plain)
			case ok && !outside && c.File != "":
				if err := privateFile(c.File); err != nil {
					wrong(at, "has a name and a password in it: %v; or put it into a file of mode 0600 that fetch.logins names, or into %s", err, environment("fetch.logins"))
				}
			}
		}
	}
	paths := slices.Clone(c.Fetch.Logins)
	c.TakeLogins()
	for i, path := range paths {
		if strings.Contains(path, "://") {
			continue
		}
		logins, err := loginsOf(path)
		if err != nil {
			wrong(fmt.Sprintf("fetch.logins[%d]", i), "%v", err)
		}
		c.Logins = append(c.Logins, logins...)
	}
	return problems
}

// privateFile says what is wrong with secrets in a file; nothing where it is not there, as with a text that never was in one.
func privateFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	return private(f, path)
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
