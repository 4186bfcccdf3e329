package run

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// FileOrders is below state: what a person has ordered while the crawl went on, one order a line; lines are only ever added. An
// order holds for as long as the run does.
const FileOrders = "orders"

// Orders are what a person has ordered of a run.
type Orders struct {
	Blocked []string // hosts that are not asked any more
	Pages   int      // the budget of pages, if it was raised: what the crawl file gave then stands in Instead
	Instead int
}

// ReadOrders are the orders of a run, which those hear who visit its pages again: they have as many visits more as their lists took.
func ReadOrders(dir string) (o Orders, err error) {
	ran := told(dir)
	_, err = EachSealed(filepath.Join(ran, FileState, FileOrders), 0, o.take)
	if ran != dir && o.Pages > 0 {
		lists := visitsOfLists(dir)
		o.Pages, o.Instead = o.Pages+lists, o.Instead+lists
	}
	return o, err
}

// visitsOfLists are those of the round in a folder that came before its pages; none before it is planned. They stand before the pages in
// the plan, which may be many: a crawl asks each second.
func visitsOfLists(dir string) int {
	f, err := os.Open(filepath.Join(filepath.Dir(filepath.Clean(dir)), FileRound))
	if err != nil {
		return 0
	}
	defer f.Close()
	in := json.NewDecoder(f)
	_, err = in.Token()
	for err == nil && in.More() {
		var key json.Token
		if key, err = in.Token(); key == "lists" {
			var lists struct{ Pages int }
			if in.Decode(&lists) != nil {
				return 0
			}
			return lists.Pages
		}
		if err == nil {
			err = in.Decode(new(json.RawMessage))
		}
	}
	return 0
}

// told is the folder of the run that is told what the crawl of a folder is to do: another one where that is a round.
func told(dir string) string {
	below, name := filepath.Split(filepath.Clean(dir))
	ran := filepath.Dir(filepath.Clean(below))
	if filepath.Base(below) == sink.FolderAgain && name == FolderRound && Is(ran) {
		return ran
	}
	return dir
}

func (o *Orders) take(line string) {
	var from, to int
	host, block := strings.CutPrefix(line, "block ")
	again, unblock := strings.CutPrefix(line, "unblock ")
	switch {
	case block && !slices.Contains(o.Blocked, host):
		o.Blocked = append(o.Blocked, host)
	case unblock:
		o.Blocked = slices.DeleteFunc(o.Blocked, func(h string) bool { return h == again })
	default:
		if n, err := fmt.Sscanf(line, "budget %d instead of %d", &to, &from); err == nil && n == 2 {
			o.Pages, o.Instead = to, from
		}
	}
}

// KeepOut tells whether the host of an address is one that a person has blocked in the run, or had the run forget.
func (o *Orders) KeepOut(address string) bool { return page.Named(page.Host(address), o.Blocked) }

// As is the name by which a host is blocked, which may be its own without a port; empty where it is not.
func (o *Orders) As(host string) string {
	for _, name := range o.Blocked {
		if page.Named(host, []string{name}) {
			return name
		}
	}
	return ""
}

// Budget is how many pages there are where the crawl file gives so many. An order counts for as long as the file says what it said
// then: who changes the file afterwards means it.
func (o *Orders) Budget(given int) int {
	if o.Instead == given && o.Pages > given {
		return o.Pages
	}
	return given
}

// Raised is the budget of pages of a run whose crawl file gives so many; false where nobody has raised it.
func Raised(dir string, given int) (pages int, ok bool) {
	o, err := ReadOrders(dir)
	pages = o.Budget(given)
	return pages, err == nil && pages != given
}

// Block has a run ask hosts no more, or ask them again. It answers whether a crawl is running that hears it at once.
func Block(dir string, hosts []string, again bool) (running bool, err error) {
	if _, err := (&Run{Dir: dir}).WholeConfig(); err != nil {
		return false, err
	}
	verb := "block "
	if again {
		verb = "unblock "
	}
	var lines []byte
	for _, written := range hosts {
		host, err := HostNamed(written)
		if err != nil {
			return false, err
		}
		lines = append(lines, Sealed(verb+host)...)
	}
	return order(dir, lines)
}

// HostNamed is the host that a person named, by itself or in an address.
func HostNamed(written string) (string, error) {
	address := strings.TrimSpace(written)
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	host := page.Host(address)
	if u, err := url.Parse(address); err != nil || host == "" || strings.ContainsAny(host, " *\r\n\t") || u.Hostname() == "" {
		return "", fmt.Errorf("%q is not a host; want a name such as www.example.org, or an address on it", written)
	}
	return host, nil
}

// Raise gives a run a larger budget of pages, or so many more than it has. It answers whether a crawl is running that hears it at
// once.
func Raise(dir string, pages int, more bool) (running bool, err error) {
	config, err := (&Run{Dir: dir}).WholeConfig()
	if err != nil {
		return false, err
	}
	given := config.Budget.Pages
	now := given
	if raised, ok := Raised(dir, given); ok {
		now = raised
	}
	if given == 0 {
		return false, fmt.Errorf("the run in %s has no budget of pages: there is nothing to raise", dir)
	}
	if more {
		pages = min(pages, math.MaxInt-now) + now
	}
	if pages <= now {
		return false, fmt.Errorf("the budget is %s already: want more than that", Several(now, "page"))
	}
	return order(dir, []byte(Sealed(fmt.Sprintf("budget %d instead of %d", pages, given))))
}

func order(dir string, lines []byte) (running bool, err error) {
	if err := AppendSafely(filepath.Join(dir, FileState, FileOrders), lines); err != nil {
		return false, err
	}
	return isRunning(dir)
}
