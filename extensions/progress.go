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
	now      func() time.Time
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
	told     int          // relevant pages whose callbacks have not ended
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

// ProgressConfig tunes Progress; the zero value is the default.
type ProgressConfig struct {
	Every  time.Duration    // how often the line is written; 0 means five times a second on a terminal, else every 10 seconds
	Goal   int              // pages that are to be fetched: the line then tells how long that will take; 0 is no goal
	Queued func() int       // tells how many links wait: the Len of a frontier; nil leaves them out
	Now    func() time.Time // the clock; nil is the wall's
}

// Progress writes a line about the crawl: pages, relevant ones and harvest rate where Relevant is told, links that
// wait, speed, time left. On a terminal the line is written over itself, elsewhere it is a new one each time. It is
// written when a page has been fetched; Done writes the last one.
func Progress(c *colly.Collector, w io.Writer, o ProgressConfig) *Line {
	every := 10 * time.Second
	l := &Line{now: clock(o.Now), w: w, goal: setting("ProgressConfig.Goal", o.Goal, 0), waiting: o.Queued}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		l.terminal, every = true, 200*time.Millisecond
	}
	l.every = setting("ProgressConfig.Every", o.Every, every)
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
	if yes {
		l.relevant++
		l.told++
	}
}

func (l *Line) page() {
	l.mu.Lock()
	defer l.mu.Unlock()
	yes := l.told > 0
	if l.last[l.pages%lately] = yes; yes {
		l.told--
	}
	l.pages++
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
