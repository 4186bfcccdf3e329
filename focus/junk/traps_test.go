package junk

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
)

func in2026() time.Time { return time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC) }

func TestTrapShapes(t *testing.T) {
	cases := []struct{ path, want string }{
		{"/", ""},
		{"/a/b/c/d.html?x=1&y=2", ""},
		{"/2026/06/06/06/index.html", ""},
		{"/img/img/x", ""},
		{"/a/a/a", "repeating segments: a"},
		{"/x/a/b/a/b/a/b/y", "repeating segments: a/b"},
		{"/a/b/a/b/c", ""},
		{"/a/b/c/a/b/c/a/b/c", "repeating segments: a/b/c"},
		{"/a/1/a/2/a/3/a", "repeating segments: a"},
		{"/1/1/1/1/1", ""},
		{"/" + strings.Repeat("x", 2000), "address of 2017 bytes"},
		{"/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20/21/22/23/24/25", "25 path segments"},
		{"/s?a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8&i=9&j=10&k=11&l=12&m=13&n=14&o=15&p=16&q=17&r=18&s=19&t=20&u=21", "facets: 21 parameters"},
		{"/s?__biz=M==&mid=2650&idx=1&sn=ab&chksm=cd&mpshare=1&scene=1&srcid=0&sharer_sharetime=1&sharer_shareid=2&key=3&ascene=4&uin=5", ""},
		{"/s?__biz=M==&amp;mid=2650&amp;idx=1&amp;sn=ab&amp;chksm=cd&amp;scene=21", ""},
		{"/s?f=1&f=2&f=3&f=4", `facets: parameter "f" 4 times`},
		{"/s?f=1&f=2&f=3", ""},
		{"/calendar/2031/05", "calendar: year 2031"},
		{"/events?date=2029-01-01", "calendar: year 2029"},
		{"/events?date=2028-01-01", ""},
		{"/cal?month=4&year=2077", "calendar: year 2077"},
		{"/x/20990101.html", ""},
		{"/x/20990101/", ""},
		{"/events/20990101/", "calendar: year 2099"},
		{"/events/20990132/", ""},
		{"/x?startDate=20990101", "calendar: year 2099"},
		{"/x/2031/05/", "calendar: year 2031"},
		{"/x/2031/05/7/name", "calendar: year 2031"},
		{"/x/2031-5-17-name.html", "calendar: year 2031"},
		{"/x/2031-05-things", ""},
		{"/cal/2031/5", "calendar: year 2031"},
		{"/EventList/2031/5", "calendar: year 2031"},
		{"/kalender.php?tag=2031-05", "calendar: year 2031"},
		{"/x/20120304?d=2031-05-01", "calendar: year 2031"},
		{"/list?y=2031&m=5", "calendar: year 2031"},
		{"/list?y=2031&m=4711", ""},
		{"/questions/76951092/solar", ""},
		{"/question?id=26011234", ""},
		{"/topic/3000/1", ""},
		{"/topic/2045/1", ""},
		{"/a/2045/5/x", ""},
		{"/iframe/5029/6/1.html", ""},
		{"/update/20450612/", ""},
		{"/history/1789/07/14", ""},
		{"/p/9999/77", ""},
		{"/model-2077/x", ""},
		{"/calendar/9999/01", "calendar: year 9999"},
		{"/cal/2127/05", "calendar: year 2127"},
	}
	for _, c := range cases {
		if got := NewTrapWatch(TrapConfig{Now: in2026}).Check("http://a.example" + c.path); got != c.want {
			t.Errorf("%.60s: %q, want %q", c.path, got, c.want)
		}
	}
}

// An address that says what it is letter by letter is cut as any other.
func TestPlainAddressesAreCutAsOthers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	addresses := []string{"http://a.example", "http://a.example?q", "https://a.example/?", "http://a.example//b/?a=1?b=2&c;d", "ftp://a.example/x", "http://a.example/x?u=http://b.example/", "http://a.example:80/x", "http:///x"}
	const letters = "ab9-._~/?=&;%:@#+ \xc3\xa9"
	for range 2000 {
		b := []byte("http://a.example/")
		for range r.IntN(12) {
			b = append(b, letters[r.IntN(len(letters))])
		}
		addresses = append(addresses, string(b))
	}
	for _, address := range addresses {
		got, ok := cut(address)
		u, err := url.Parse(address)
		if ok != (err == nil) {
			t.Fatalf("%q is cut: %v, %v", address, ok, err)
		}
		if want := (parts{address: address}); ok {
			want.path, want.escaped, want.query = u.Path, u.EscapedPath(), u.RawQuery
			if got != want {
				t.Errorf("%q is cut into %+v, want %+v", address, got, want)
			}
		}
		l := page.LinkTo(address) // says of itself what Check finds out
		identity, err := page.Canonical(l.URL)
		if err != nil {
			identity = l.URL
		}
		if l.Identity != identity || l.Host != page.Host(l.URL) {
			t.Errorf("%q: a link is known as %q of %q, and its address as %q of %q", l.URL, l.Identity, l.Host, identity, page.Host(l.URL))
		}
	}
}

// TestTrapBudgets: how many of an endless kind pass, and that one host's traps do not touch another host's pages.
func TestTrapBudgets(t *testing.T) {
	cases := []struct {
		name   string
		nth    func(i int) string
		passes int
		reason string
	}{
		{"numbers in paths", func(i int) string { return fmt.Sprintf("/item/%d/", i) }, 50, "more than 50 of the pattern /item/#/"},
		{"values of a query", func(i int) string { return fmt.Sprintf("/list?page=%d", i) }, 20, "more than 20 of the pattern /list?page"},
		{"combinations of parameters", func(i int) string { return fmt.Sprintf("/shop?k%c%c=1", 'a'+i%26, 'a'+i/26) }, mostKeySets, "facets: more than 40 combinations of parameters"},
		{"session ids", func(i int) string { return fmt.Sprintf("/x?PHPSESSID=%032d", i) }, mostSpelling, "session ids: another way to write http://trap.example/x"},
		{"deep paths", func(i int) string {
			return "/a/b/c/d/e/f/g/h/i/j/k/l/w" + strings.Repeat("x", i+1) + "/y" + strings.Repeat("z", i)
		}, mostDeep, "ever-growing paths: more than 100 deep ones"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := NewTrapWatch(TrapConfig{Now: in2026, Paths: 50, Queries: 20})
			passes, reason := 0, ""
			for i := range 300 {
				r := w.Check("http://trap.example" + c.nth(i))
				if r == "" && reason == "" {
					passes++
				} else if reason == "" {
					reason = r
				} else if again := w.Check("http://trap.example" + c.nth(i)); r == "" || again != r {
					t.Fatalf("number %d after one was refused: %q, then %q", i, r, again)
				}
			}
			if passes != c.passes || reason != c.reason {
				t.Errorf("%d pass, then %q; want %d, %q", passes, reason, c.passes, c.reason)
			}
			if r := w.Check("http://other.example" + c.nth(1)); r != "" {
				t.Errorf("another host's page is refused: %s", r)
			}
			if r := w.Check("http://trap.example/about"); r != "" {
				t.Errorf("another page of the host is refused: %s", r)
			}
		})
	}
}

// TestHostsWithoutEnd: a name server that answers to any name makes up hosts as a program makes up pages. Of those of one site so many
// pass, more where their pages are kept, and the pages of those that have passed.
func TestHostsWithoutEnd(t *testing.T) {
	names := map[string]func(i int) string{
		"names":         func(i int) string { return fmt.Sprintf("http://h%d.farm.example/", i) },
		"ports":         func(i int) string { return fmt.Sprintf("http://farm.example:%d/", 1000+i) },
		"of an address": func(i int) string { return fmt.Sprintf("http://192.0.2.7:%d/", 1000+i) },
	}
	for name, nth := range names {
		w := NewTrapWatch(TrapConfig{Now: in2026, Hosts: 30})
		site := map[bool]string{true: "192.0.2.7", false: "farm.example"}[name == "of an address"]
		reason := "more than 30 hosts of " + site
		for i := range 300 {
			want := ""
			if i >= 30 {
				want = reason
			}
			if r := w.Check(nth(i)); r != want {
				t.Fatalf("%s: host %d: %q, want %q", name, i, r, want)
			}
		}
		w.Kept(nth(3) + "page.html")
		for i := range 300 {
			if passes, want := w.Check(nth(i)+"more.html") == "", i < 30+perKept; passes != want {
				t.Errorf("%s: host %d passes: %v where a page was kept", name, i, passes)
			}
		}
		for _, other := range []string{"http://" + site + "/", "http://www.elsewhere.example/", "http://192.0.2.8:99/"} {
			if r := w.Check(other); r != "" {
				t.Errorf("%s: %s is refused: %s", name, other, r)
			}
		}
	}
	w := NewTrapWatch(TrapConfig{Now: in2026, Hosts: 30})
	for i := range 300 { // below a public suffix each name is a site
		if r := w.Check(fmt.Sprintf("http://h%d.co.uk/", i)) + w.Check(fmt.Sprintf("http://h%d.github.io/", i)) + w.Check(fmt.Sprintf("http://192.0.2.%d/", i%256)); r != "" {
			t.Fatalf("site %d is refused: %s", i, r)
		}
	}
}

// TestTrapBudgetsGrow: where pages are kept more of their pattern passes, also what was refused before; and what a site lists itself
// passes and is not counted.
func TestTrapBudgetsGrow(t *testing.T) {
	w := NewTrapWatch(TrapConfig{Now: in2026, Paths: 50, Queries: 20})
	for name, c := range map[string]struct {
		nth  func(i int) string
		most int
	}{
		"numbers in paths":  {func(i int) string { return fmt.Sprintf("http://a.example/item/%d/", i) }, 50},
		"values of a query": {func(i int) string { return fmt.Sprintf("http://a.example/list?page=%d", i) }, 20},
	} {
		for i := range 500 {
			l := page.LinkTo(c.nth(i))
			if l.Listed = true; w.CheckLink(&l) != "" {
				t.Fatalf("%s: %s is listed, and refused", name, l.URL)
			}
		}
		passed := map[int]bool{}
		for kept := range 4 {
			for i := range 500 {
				if !passed[i] {
					passed[i] = w.Check(c.nth(i)) == ""
				}
			}
			n := 0
			for _, yes := range passed {
				if yes {
					n++
				}
			}
			if want := c.most + perKept*kept; n != want {
				t.Errorf("%s: %d pass where %d pages were kept, want %d", name, n, kept, want)
			}
			w.Kept(c.nth(kept))
		}
	}
	l := page.LinkTo("http://a.example/a/a/a")
	if l.Listed = true; w.CheckLink(&l) == "" {
		t.Error("what repeats itself passes where it is listed")
	}
}

// TestRefusedTrapsAreNotForgotten: a trap that is asked about stays one, however many other kinds were met since; and what was told of
// it comes back the same.
func TestRefusedTrapsAreNotForgotten(t *testing.T) {
	w := NewTrapWatch(TrapConfig{Now: in2026, Queries: 20, Remember: 200})
	other := NewTrapWatch(TrapConfig{Now: in2026, Queries: 20, Remember: 200})
	w.Record()
	passed := 0
	for i := range 5000 {
		if w.Check(fmt.Sprintf("http://trap.example/list?page=%d", i)) == "" {
			passed++
		}
		w.Check(fmt.Sprintf("http://h%d.example/", i))
		if err := other.Relearn(w.Lesson()); err != nil {
			t.Fatal(err)
		}
	}
	if passed != 20 {
		t.Errorf("%d pass, want 20", passed)
	}
	if !bytes.Equal(w.State(), other.State()) {
		t.Error("what was told is not what is known")
	}
}

// TestAHostInUseIsNotForgotten: where a site has as many hosts as it may, the ones the crawl knows stay known, however much else it meets.
func TestAHostInUseIsNotForgotten(t *testing.T) {
	w := NewTrapWatch(TrapConfig{Now: in2026, Hosts: 3, Remember: 100})
	for i := range 500 {
		for _, host := range []string{"a", "b"} {
			address := fmt.Sprintf("http://%s.farm.example/%s", host, strings.Repeat("x", 1+i))
			if r := w.Check(address); r != "" {
				t.Fatalf("link %d of %s, which is known: %s", i, host, r)
			}
		}
		w.Check(fmt.Sprintf("http://made-up-%d.farm.example/", i))
	}
}

// TestArticlesOfADayGrowWithWhatIsKept: a site that asks for its articles by their dates is no calendar as long as they are kept.
func TestArticlesOfADayGrowWithWhatIsKept(t *testing.T) {
	w := NewTrapWatch(TrapConfig{Now: in2026})
	for i := range 1900 {
		address := fmt.Sprintf("http://a.example/article?y=%d&m=%d&d=%d&id=%d", 2020-i/336, 1+i/28%12, 1+i%28, i)
		if r := w.Check(address); r != "" {
			t.Fatalf("%s: %s", address, r)
		}
		w.Kept(address)
	}
}

func TestTrapCalendarBudget(t *testing.T) {
	w := NewTrapWatch(TrapConfig{Now: in2026})
	day := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	calendars := []func(i int) string{
		func(int) string { return "/calendar/" + day.Format("2006/01/02") },
		func(i int) string { return fmt.Sprintf("/day/%s/%d", day.Format("20060102"), i) },
		func(i int) string { return fmt.Sprintf("/list?y=%d&m=%d", 2027-i/12, 12-i%12) },
	}
	passes := make([]int, len(calendars))
	for i := range 1000 {
		for n, address := range calendars {
			first := w.Check("http://a.example"+address(i)) == ""
			if first {
				passes[n]++
			}
			if again := w.Check("http://a.example"+address(i)) == ""; again != first {
				t.Fatalf("%s passes: %v, then %v", address(i), first, again)
			}
		}
		for _, archive := range []string{"/news/" + day.Format("2006/01/02"), "/today/" + day.Format("2006/01/02"), fmt.Sprintf("/day/2024/05/17/%d.html", i)} {
			if r := w.Check("http://a.example" + archive); r != "" {
				t.Fatalf("an archive, %s: %s", archive, r)
			}
		}
		day = day.AddDate(0, 0, 1)
	}
	for n, passed := range passes {
		if passed != mostDates {
			t.Errorf("%d dates of the calendar %s pass, want %d", passed, calendars[n](0), mostDates)
		}
	}
}

func FuzzTraps(f *testing.F) {
	f.Add("http://a.example/a/a/a?x=1;y=2&year=2077&month=4")
	f.Add("http://a.example/%zz/2026-13-01/20990101//..")
	f.Fuzz(func(t *testing.T, address string) {
		w := NewTrapWatch(TrapConfig{Now: in2026, Remember: 2})
		first := w.Check(address)
		if again := NewTrapWatch(TrapConfig{Now: in2026}).Check(address); again != first {
			t.Fatalf("%q: %q, then %q", address, first, again)
		}
		if w.seen.Len() > 2 {
			t.Fatal("it remembers more than it may")
		}
	})
}
