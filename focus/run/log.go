package run

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/shell"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// crawl.log holds one line per decision, tab-separated: what every reading command answers from. A link has a line when
// it enters the frontier ("push"), when a better way to it is found ("raise"), and when it is refused for the first
// time ("refuse: reason"). What was known has one when a redirect leads there ("onward", with the reason where it was refused). A
// visit has a line when it ends: "keep", or "drop: reason".
const logHeader = "#thresher-log-2\ttime\tdecision\tid\tvia\thops\tstatus\tbytes\tscore\trelevance\turl\tnumbers\twords\tanchor\ttitle\tchosen\n"

// Decision is one line of crawl.log, read back.
type Decision struct {
	Time      time.Time
	Decision  string // push, raise, refuse, onward, keep, drop
	Reason    admit.Refused
	ID, Via   uint64
	Hops      string
	Status    int
	Bytes     int64
	Score     float64 // the promise; NaN where nothing was ranked
	Relevance float64 // NaN where nothing was judged
	URL       string
	Numbers   []float32 // the promise's tree
	Words     []string  // the topic's words around the link, or on the page
	Anchor    string
	Title     string
	Chosen    string // how a selection came to let the link go; empty where its score alone says it
}

// Log writes crawl.log. A nil Log writes nothing.
type Log struct {
	mu sync.Mutex // a Visit in a callback writes without having the turn
	*lineFile
	line []byte
	at   time.Time // of the last line, and as it is written: a page and its links have one
	said []byte
}

// OpenLog opens a log to add to it. A new one gets the names of its columns first.
func OpenLog(path string) (*Log, error) {
	lines, err := openLines(path)
	if err != nil {
		return nil, err
	}
	l := &Log{lineFile: lines}
	if lines.Size() == 0 {
		err = lines.add([]byte(logHeader))
	}
	return l, err
}

// Write adds a line. Fields are separated by tabs, lists within them by spaces or commas; appendField keeps what comes from pages
// and hosts from bringing separators of its own.
func (l *Log) Write(d *Decision) error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.line[:0]
	b = append(b, '\t')
	if l.said == nil || d.Time != l.at {
		l.at, l.said = d.Time, d.Time.UTC().AppendFormat(l.said[:0], "2006-01-02T15:04:05.000Z")
	}
	b = append(append(append(b, l.said...), '\t'), d.Decision...)
	if d.Reason != "" {
		b = appendField(append(b, ": "...), string(d.Reason))
	}
	b = strconv.AppendUint(append(b, '\t'), d.ID, 10)
	b = strconv.AppendUint(append(b, '\t'), d.Via, 10)
	b = append(append(b, '\t'), d.Hops...)
	b = strconv.AppendInt(append(b, '\t'), int64(d.Status), 10)
	b = strconv.AppendInt(append(b, '\t'), d.Bytes, 10)
	b = appendNumber(append(b, '\t'), d.Score)
	b = appendNumber(append(b, '\t'), d.Relevance)
	b = appendField(append(b, '\t'), d.URL)
	b = append(b, '\t')
	for i, n := range d.Numbers {
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendFloat(b, float64(n), 'g', 5, 32)
	}
	b = append(b, '\t')
	for i, w := range d.Words {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendField(b, strings.ReplaceAll(w, ",", " "))
	}
	b = appendField(append(b, '\t'), d.Anchor)
	b = appendField(append(b, '\t'), d.Title)
	b = appendField(append(b, '\t'), d.Chosen)
	l.line = append(b, '\n')
	return l.lineFile.add(l.line)
}

// appendNumber writes a number with five digits, and - for NaN.
func appendNumber(b []byte, x float64) []byte {
	if math.IsNaN(x) {
		return append(b, '-')
	}
	return strconv.AppendFloat(b, x, 'g', 5, 64)
}

// appendField writes text without what would break a line into fields.
func appendField(b []byte, s string) []byte {
	if plain(s) {
		return append(b, s...)
	}
	for _, r := range s {
		if sink.Steers(r) {
			r = ' '
		}
		b = utf8.AppendRune(b, r)
	}
	return b
}

// plain tells of a text that it can stand in a field as it is: most addresses and anchors are written in ASCII alone.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// Close writes what is gathered.
func (l *Log) Close() error {
	if l == nil {
		return nil
	}
	return l.lineFile.Close()
}

// Visits are the decisions that a page was visited by, kept or not.
var Visits = []string{"keep", "drop"}

// ReadLog calls visit for every line of a crawl.log, in order, until it answers false. A line that is still being
// written is left out. Where decisions are named all others are passed over unread, which is much faster: most of a log is of links.
func ReadLog(path string, visit func(*Decision) bool, decisions ...string) error {
	f, err := openLog(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var wanted func(line []byte) bool
	if len(decisions) > 0 {
		wanted = func(line []byte) bool {
			decision, _, _ := bytes.Cut(column(line, 2), []byte(": "))
			return slices.Contains(decisions, string(decision))
		}
	}
	return readDecisions(path, f, wanted, visit)
}

func openLog(path string) (*os.File, error) {
	f, err := os.Open(path)
	switch dir := filepath.Dir(path); {
	case errors.Is(err, os.ErrNotExist) && Is(dir) && !OfMachine(dir):
		return nil, fmt.Errorf("%w: put it back; 'thresher repair --run %s' goes on without it, from what the harvest says", err, dir)
	case err != nil:
		return nil, fmt.Errorf("%w; is this the folder of a run?", err)
	}
	return f, nil
}

// readRedirects calls visit for every redirect in a log: of what is known when it is said, an address and where it leads. Nothing else
// is read.
func readRedirects(path string, visit func(from, to string)) error {
	f, err := openLog(path)
	if err != nil {
		return err
	}
	defer f.Close()
	redirect, hop := []byte("drop: "+string(admit.RefusedRedirect)), []byte{HopRedirect}
	from := map[uint64]string{}
	return readDecisions(path, f, func(line []byte) bool {
		return bytes.HasPrefix(column(line, 2), redirect) || bytes.HasSuffix(column(line, 5), hop)
	}, func(d *Decision) bool {
		if d.Reason.Kind() == admit.RefusedRedirect && d.Decision == "drop" {
			from[d.ID] = d.URL
		}
		if at := from[d.Via]; at != "" && strings.HasSuffix(d.Hops, string(HopRedirect)) {
			visit(at, d.URL)
		}
		return true
	})
}

// column is the n-th field of a line.
func column(line []byte, n int) []byte {
	for range n {
		_, line, _ = bytes.Cut(line, []byte("\t"))
	}
	field, _, _ := bytes.Cut(line, []byte("\t"))
	return field
}

// BeganAt is when the first decision of a run was made or, where its log is gone, the first page was kept; zero where neither was.
func BeganAt(dir string) (at time.Time, err error) {
	err = ReadLog(filepath.Join(dir, FileLog), func(d *Decision) bool { at = d.Time; return false })
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	if err != nil || !at.IsZero() {
		return at, err
	}
	for r, err := range sink.HarvestOnce(dir) {
		if err == nil {
			at = r.Time
		}
		break
	}
	return at, nil
}

// home is the run folder of a log: its own, or that of which it is one of the rounds'.
func home(path string) string {
	dir := filepath.Dir(path)
	if filepath.Base(dir) == sink.FolderAgain {
		return filepath.Dir(dir)
	}
	return dir
}

// readDecisions reads those lines of the log at a path that are wanted; nil wants all.
func readDecisions(path string, from io.Reader, wanted func(line []byte) bool, visit func(*Decision) bool) error {
	number := 0
	for line, err := range WholeLines(from) {
		if err != nil {
			return err
		}
		if number++; wanted != nil && !wanted(line) {
			continue
		}
		d, err := lineOf(line)
		if err != nil {
			return fmt.Errorf("%s line %d: %w; 'thresher repair --run %s' leaves out what cannot be read", path, number, err, shell.Word(home(path)))
		}
		if d != nil && !visit(d) {
			break
		}
	}
	return nil
}

// lineOf is the decision of a line; nil if it has none: a comment, or nothing.
func lineOf(line []byte) (*Decision, error) {
	if line[0] == '#' || line[0] == '\n' {
		return nil, nil
	}
	return readDecision(bytes.TrimSuffix(line, []byte("\n")))
}

const logFields = 16

func readDecision(line []byte) (*Decision, error) {
	if n := bytes.Count(line, []byte("\t")) + 1; n != logFields {
		return nil, fmt.Errorf("%d fields, want %d", n, logFields)
	}
	var f [logFields]string
	for i, rest := 0, string(line); i < logFields; i++ {
		f[i], rest, _ = strings.Cut(rest, "\t")
	}
	d := &Decision{Hops: f[5], URL: f[10], Anchor: f[13], Title: f[14], Chosen: f[15]}
	d.Decision, _, _ = strings.Cut(f[2], ": ")
	if len(f[2]) > len(d.Decision) {
		d.Reason = admit.Refused(f[2][len(d.Decision)+2:])
	}
	var err [8]error
	d.Time, err[0] = time.Parse(time.RFC3339, f[1])
	d.ID, err[1] = strconv.ParseUint(f[3], 10, 64)
	d.Via, err[2] = strconv.ParseUint(f[4], 10, 64)
	d.Status, err[3] = strconv.Atoi(f[6])
	d.Bytes, err[4] = strconv.ParseInt(f[7], 10, 64)
	d.Score, err[5] = readNumber(f[8])
	d.Relevance, err[6] = readNumber(f[9])
	for _, n := range strings.Fields(f[11]) {
		x, bad := strconv.ParseFloat(n, 32)
		if bad != nil {
			err[7] = bad
		}
		d.Numbers = append(d.Numbers, float32(x))
	}
	if f[12] != "" {
		d.Words = strings.Split(f[12], ",")
	}
	for _, e := range err {
		if e != nil {
			return nil, e
		}
	}
	return d, nil
}

func readNumber(s string) (float64, error) {
	if s == "-" {
		return math.NaN(), nil
	}
	return strconv.ParseFloat(s, 64)
}

// Fetched tells of a decision that it is a visit which cost a request.
func (d *Decision) Fetched() bool {
	return d.Decision == "keep" || d.Decision == "drop" && !d.Reason.Unvisited()
}

// Judged tells of a visit that the page was judged: what list sites counts. Of a list, and of a page that only a script fills, nothing
// but the links was read.
func (d *Decision) Judged() bool {
	return !math.IsNaN(d.Relevance) && d.Reason != admit.RefusedList && d.Reason != admit.RefusedScript && page.Arrived(d.Status)
}

// Open tells of a visit that the judge alone decided whether the page is kept: it is no copy, no author reserves it, and so on.
func (d *Decision) Open() bool {
	return d.Judged() && (d.Decision == "keep" || d.Decision == "drop" && d.Reason == admit.RefusedWeak)
}

// Relevant tells of a visit that it found a page of the topic, whatever else kept it out of the harvest: what a crawl counts as
// relevant, and all that read its log. What repeats a page that was kept is no find, nor is what its author keeps out of every harvest.
func (d *Decision) Relevant() bool {
	return d.ofTopic() && d.Reason.Finds()
}

// ofTopic tells of a visit that the page was judged to be of the topic.
func (d *Decision) ofTopic() bool { return d.Judged() && d.Reason.Kind() != admit.RefusedWeak }

// siteOf is page.Host of an address that was fetched or may be, without a look at what comes after the host where that is written as
// most are.
func siteOf(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	if written := rest[strings.LastIndexByte(rest, '@')+1:]; plainHost(written) {
		return written
	}
	return page.Host(address)
}

// plainHost tells of a host that is written as it is known: a name in lower case that ends with a letter, or a plain address of IPv4,
// and perhaps a port that is no scheme's own.
func plainHost(written string) bool {
	name, port, ported := strings.Cut(written, ":")
	if name == "" || ported && (port == "" || port[0] == '0' || port == "80" || port == "443") {
		return false
	}
	if name[len(name)-1] < 'a' {
		if _, err := netip.ParseAddr(name); err != nil {
			return false
		}
	}
	for _, b := range []byte(name) {
		if !('a' <= b && b <= 'z' || '0' <= b && b <= '9' || b == '-' || b == '.') {
			return false
		}
	}
	for _, b := range []byte(port) {
		if b < '0' || b > '9' {
			return false
		}
	}
	return true
}
