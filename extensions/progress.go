package extensions

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gocolly/colly/v2"
	"golang.org/x/term"
)

// Line is the line that tells how a crawl is doing. It may be used by many goroutines at once.
type Line struct {
	timed
	w        io.Writer
	every    time.Duration
	terminal bool
	goal     int
	waiting  func() int

	mu       sync.Mutex
	begin    time.Time
	shown    time.Time
	width    int
	pages    int
	relevant int
	judged   bool
	last     [lately]bool // relevance of the pages before, in a ring
	speed    [10]sample   // pages at some moments before, in a ring
	samples  int
}

type sample struct {
	at    time.Time
	pages int
}

// lately is over how many pages the second harvest rate is taken.
const lately = 500

// Every is how often the line is written (Progress). Default: five times a second on a terminal, else every 10 seconds.
func Every(d time.Duration) Option {
	wantTime("Every", d)
	return option("Every", func(l *Line) { l.every = d })
}

// Goal is how many pages are to be fetched (Progress): the line then tells how long that will take.
func Goal(pages int) Option {
	want(pages > 0, "Goal", pages, "a number above 0")
	return option("Goal", func(l *Line) { l.goal = pages })
}

// Queued tells how many links wait (Progress): the Len of a frontier.
func Queued(waiting func() int) Option {
	return option("Queued", func(l *Line) { l.waiting = waiting })
}

// Progress writes a line about the crawl: pages, relevant ones and harvest rate where Relevant is told, links that
// wait, speed, time left. On a terminal the line is written over itself, elsewhere it is a new one each time. It is
// written when a page has been fetched; Done writes the last one.
func Progress(c *colly.Collector, w io.Writer, o ...Option) *Line {
	l := &Line{timed: timed{time.Now}, w: w, every: 10 * time.Second}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		l.terminal, l.every = true, 200*time.Millisecond
	}
	tune("Progress", l, o)
	l.begin = l.now()
	l.shown = l.begin
	c.OnScraped(func(*colly.Response) { l.page() })
	return l
}

// Relevant tells whether the page at hand is relevant. It is told before the page's OnScraped callbacks end.
func (l *Line) Relevant(yes bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.judged = true
	l.last[l.pages%lately] = yes
	if yes {
		l.relevant++
	}
}

func (l *Line) page() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pages++
	if !l.judged {
		l.last[l.pages%lately] = false
	}
	if now := l.now(); now.Sub(l.shown) >= l.every {
		l.show(now, false)
	}
}

// Done writes the last line.
func (l *Line) Done() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.show(l.now(), true)
}

func (l *Line) show(now time.Time, end bool) {
	text := l.text(now)
	l.shown = now
	l.speed[l.samples%len(l.speed)] = sample{now, l.pages}
	l.samples++
	if !l.terminal {
		fmt.Fprintln(l.w, text)
		return
	}
	blank := strings.Repeat(" ", max(0, l.width-len(text)))
	l.width = len(text)
	fmt.Fprint(l.w, "\r", text, blank)
	if end {
		fmt.Fprintln(l.w)
	}
}

func (l *Line) text(now time.Time) string {
	parts := []string{thousands(l.pages) + " pages"}
	if l.judged && l.pages > 0 {
		recent, n := 0, min(l.pages, lately)
		for _, yes := range l.last[:n] {
			if yes {
				recent++
			}
		}
		parts = append(parts, fmt.Sprintf("%s relevant, harvest %.1f %%, of the last %d %.1f %%",
			thousands(l.relevant), 100*float64(l.relevant)/float64(l.pages), n, 100*float64(recent)/float64(n)))
	}
	if l.waiting != nil {
		parts = append(parts, thousands(l.waiting())+" waiting")
	}
	rate := l.rate(now)
	parts = append(parts, fmt.Sprintf("%.1f pages/s", rate))
	if l.goal > l.pages && rate > 0 {
		left := time.Duration(float64(l.goal-l.pages) / rate * float64(time.Second))
		parts = append(parts, left.Round(time.Second).String()+" left")
	}
	return strings.Join(parts, " · ")
}

// rate is the speed since the oldest moment that is remembered.
func (l *Line) rate(now time.Time) float64 {
	from := sample{at: l.begin}
	if l.samples >= len(l.speed) {
		from = l.speed[l.samples%len(l.speed)]
	}
	seconds := now.Sub(from.at).Seconds()
	if seconds <= 0 {
		return 0
	}
	return float64(l.pages-from.pages) / seconds
}

// thousands writes 1234567 as 1,234,567.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for at := len(s) - 3; at > 0 && s[at-1] != '-'; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}
