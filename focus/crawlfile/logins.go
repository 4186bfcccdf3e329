package crawlfile

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
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
		*a.list = c.withoutLogins(a)
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

// wantLogin is what an item of fetch.logins may be.
const wantLogin = "https://name:password@www.example.org/, or a file of such lines"

// isHost tells whether an address has a host to which a login can be sent.
func isHost(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != ""
}

// secrets takes all that is secret out of the file, into Logins, and looks at the files of logins that it names. What stands in the crawl
// file itself is refused where others may read that: secrets come from the environment, or from a file of one's own.
func (c *Config) secrets() (problems []strict.Problem) {
	wrong := func(key, format string, args ...any) { problems = append(problems, c.At(key, format, args...)) }
	for _, a := range c.addressed() {
		key := a.key
		for i, address := range *a.list {
			plain, _, _, ok := page.Login(a.bare(address))
			at := fmt.Sprintf("%s[%d]", key, i)
			switch _, outside := c.given[key]; {
			case key == "fetch.logins" && !ok && strings.Contains(address, "://"):
				wrong(at, "%s, and shows no name and password: want "+wantLogin, unlike(address))
			case key == "fetch.logins" && ok && !isHost(plain):
				wrong(at, "has no host that can be read behind its name and password: want "+wantLogin)
			case ok && !outside && c.File != "":
				if err := privateFile(c.File); err != nil {
					wrong(at, "has a name and a password in it: %v; or put it into a file of mode 0600 that fetch.logins names, or into %s", err, environment("fetch.logins"))
				}
			}
		}
	}
	if _, outside := c.given["fetch.render"]; !outside && c.File != "" && withoutPasswords(c.Fetch.Render) != c.Fetch.Render {
		if err := privateFile(c.File); err != nil {
			wrong("fetch.render", "has a secret in it: %v; or put the address into %s", err, environment("fetch.render"))
		}
	}
	for i, path := range c.Fetch.Logins {
		_, err := loginsOf(path)
		switch at := fmt.Sprintf("fetch.logins[%d]", i); {
		case err == nil || strings.Contains(path, "://"):
		case errors.Is(err, os.ErrNotExist) && strings.ContainsAny(filepath.Base(path), ":@"): // who has left https:// out has written a password
			wrong(at, "is neither a file nor an address that begins with http:// or https://: want "+wantLogin)
		default:
			wrong(at, "%v", err)
		}
	}
	c.TakeLogins()
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

// bare is an address of the list without the name that an engine may have before it: searxng=https://search.example/.
func (a addresses) bare(written string) string {
	if name, address, named := strings.Cut(written, "=http"); named && a.key == "engines" && !strings.Contains(name, "://") {
		return "http" + address
	}
	return written
}

func (c *Config) withoutLogins(a addresses) []string {
	own := slices.Clone(*a.list)
	for i, written := range own {
		address := a.bare(written)
		plain, user, password, ok := page.Login(address)
		if !ok {
			continue
		}
		own[i] = strings.TrimSuffix(written, address) + plain
		c.Logins = append(slices.Clip(c.Logins), Login{plain, user, password})
	}
	return own
}
