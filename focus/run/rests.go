package run

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// Rest is how long a host is left alone.
type Rest struct {
	Host  string
	Pause time.Duration // after its last visit; 0 where that was in another process
	Until time.Time     // by the crawl's clock
	told  int64         // how long the log was when that was known
}

// line is a rest as it stands among what is under way, for whoever watches the crawl.
func (r *Rest) line() string {
	return Sealed(fmt.Sprintf("%c %d %d %d %s", signRests, r.told, r.Until.UnixMilli(), r.Pause.Milliseconds(), r.Host))
}

// readRest is the rest of such a line; false where it is none.
func readRest(line string) (r Rest, ok bool) {
	fields := strings.Fields(line)
	if len(fields) != 5 {
		return r, false
	}
	var n [3]int64
	for i := range n {
		var err error
		if n[i], err = strconv.ParseInt(fields[i+1], 10, 64); err != nil {
			return r, false
		}
	}
	return Rest{fields[4], time.Duration(n[2]) * time.Millisecond, time.UnixMilli(n[1]), n[0]}, true
}

// rests tells how long hosts are left alone, as the frontier does.
type rests struct {
	hosts   resting
	written func() *Written
}

// resting is a frontier that says which hosts rest. One on other machines is asked by who wants to know (Shared.Together).
type resting interface {
	frontier.Examiner
	Resting(each func(host string, is frontier.Health))
}

// Follow writes down from now on which hosts a frontier lets rest, if it knows, and for which part of the log that holds.
func (u *Underway) Follow(f frontier.Frontier, written func() *Written) {
	if hosts, ok := f.(resting); ok {
		u.rests = &rests{hosts, written}
	}
}

// leastRest is the shortest rest that is told: who watches looks once a second, and hardly ever sees a shorter one.
const leastRest = 100 * time.Millisecond

// of is the line of a host of which a visit has ended; empty where nothing is to be said.
func (r *rests) of(host string) string {
	if r == nil {
		return ""
	}
	is := r.hosts.Health(host)
	if is.Pause < leastRest {
		return ""
	}
	one := r.rest(host, is)
	return one.line()
}

func (r *rests) rest(host string, is frontier.Health) Rest {
	return Rest{host, is.Pause, is.Next, r.written().Told()}
}

// mostRests is how many hosts are said to rest where all of them are told anew: those that rest longest.
const mostRests = 2000

// all are the lines of the hosts that rest.
func (r *rests) all() string {
	if r == nil {
		return ""
	}
	var all []Rest
	r.hosts.Resting(func(host string, is frontier.Health) { all = append(all, r.rest(host, is)) })
	slices.SortFunc(all, func(a, b Rest) int { return cmp.Or(b.Until.Compare(a.Until), strings.Compare(a.Host, b.Host)) })
	var text strings.Builder
	for _, one := range all[:min(len(all), mostRests)] {
		text.WriteString(one.line())
	}
	return text.String()
}
