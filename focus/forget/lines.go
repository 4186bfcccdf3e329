package forget

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// errNameless tells of a file of pages that does not say whose they are.
var errNameless = errors.New("its lines say neither id, url, final_url nor host, so that nobody can tell whose pages they are: " +
	"block the host (thresher block) and crawl anew with --fresh and fields that say it")

var (
	harvested = regexp.MustCompile(`^harvest(-\d+)?\.jsonl$`)
	looked    = regexp.MustCompile(`^look(-\d+)?\.jsonl$`)
	tabled    = regexp.MustCompile(`^harvest(-\d+)?\.csv$`)
	archived  = regexp.MustCompile(`^pages-\d+\.warc\.gz$`)
	asked     = regexp.MustCompile(`^asked-\d+\.log$`)
)

func isArchive(name string) bool { return archived.MatchString(name) }

// ofCrawl tells of a file that a crawl goes on with.
func (e *eraser) ofCrawl(name string) bool {
	return name == run.FileLog || name == run.FileMeter || harvested.MatchString(name) || looked.MatchString(name) || tabled.MatchString(name) || isArchive(name)
}

// rewrite writes a file that a crawl goes on with.
func (e *eraser) rewrite(name string) error {
	switch {
	case name == run.FileLog:
		return e.lines(name, e.decision)
	case name == run.FileMeter, tabled.MatchString(name):
		return e.table(name)
	case isArchive(name):
		return e.archive(name)
	case looked.MatchString(name):
		return e.lines(name, e.look)
	}
	return e.lines(name, e.harvest)
}

// lines writes a file of lines, without those of which edit answers nothing, and without a last one that has no end.
func (e *eraser) lines(name string, edit func(line []byte) ([]byte, error)) error {
	return e.through(name, func(file, in *os.File) error {
		number, out := 0, bufio.NewWriterSize(file, 1<<16)
		for line, err := range run.WholeLines(in) {
			number++
			if err == nil {
				line, err = edit(line)
			}
			if err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
			out.Write(line) // an error stays until Flush
		}
		return out.Flush()
	})
}

// The places of what a line of crawl.log says, as package run writes it.
const (
	logDecision, logID, logVia, logURL, logAnchor, logChosen = 2, 3, 4, 10, 13, 15
)

// decision edits a line of crawl.log. What a page of the hosts said of a link to another host goes.
func (e *eraser) decision(line []byte) ([]byte, error) {
	mark := line[0] // '#' makes a comment of the visit of a page that was lost, which is a line as others are
	f := strings.Split("\t"+string(line[1:]), "\t")
	if len(f) <= logChosen || mark == '#' && f[logDecision] != "keep" {
		return line, nil
	}
	if e.ofHost(f[logURL]) {
		return nil, nil
	}
	via, err := strconv.ParseUint(f[logVia], 10, 64)
	if err != nil {
		return nil, err
	}
	if e.ids[via] {
		f[logAnchor] = ""
	}
	for _, i := range []int{logDecision, logChosen} { // a page may be put down as a copy of one of theirs
		f[i] = e.unnamed(f[i])
	}
	return append([]byte{mark}, strings.Join(f, "\t")[1:]...), nil
}

// said is what a line says of whose page it tells of.
type said struct {
	ID       *uint64         `json:"id"`
	URL      *string         `json:"url"`
	FinalURL *string         `json:"final_url"`
	Host     *string         `json:"host"`
	Trail    json.RawMessage `json:"trail"`
}

func (e *eraser) theirs(s *said) (bool, error) {
	if s.ID == nil && s.URL == nil && s.FinalURL == nil && s.Host == nil {
		return false, errNameless
	}
	is := func(address *string) bool { return address != nil && e.ofHost(*address) }
	return s.ID != nil && e.ids[*s.ID] || is(s.URL) || is(s.FinalURL) || s.Host != nil && e.ofHost("http://"+*s.Host), nil
}

// harvest is counted, and names others.
func (e *eraser) harvest(line []byte) ([]byte, error) {
	edited, err := e.counted(line)
	if err == nil && !e.archived && len(edited) > 0 {
		e.mention(line)
	}
	return edited, err
}

// counted is record, and counts: a page once that rounds have found to be another.
func (e *eraser) counted(line []byte) ([]byte, error) {
	edited, err := e.record(line)
	if err != nil || len(edited) > 0 {
		return edited, err
	}
	var s said
	if err := json.Unmarshal(line, &s); err != nil {
		return nil, err
	}
	if s.ID == nil || !e.went[*s.ID] {
		e.done.Kept++
	}
	if s.ID != nil {
		e.went[*s.ID] = true
	}
	return nil, nil
}

// second is record of what a second look keeps, and counts what stays.
func (e *eraser) second(line []byte) ([]byte, error) {
	edited, err := e.record(line)
	if len(edited) > 0 {
		e.kept++
	}
	return edited, err
}

// record edits a line that is the record of a page: its own goes, and from the way to another those steps that were theirs.
func (e *eraser) record(line []byte) ([]byte, error) {
	if len(bytes.TrimSpace(line)) == 0 {
		return line, nil
	}
	var s said
	if err := json.Unmarshal(line, &s); err != nil {
		return nil, err
	}
	if theirs, err := e.theirs(&s); err != nil || theirs {
		return nil, err
	}
	return e.way(line, s.Trail)
}

// look edits a line of a page for a second look.
func (e *eraser) look(line []byte) ([]byte, error) {
	if len(bytes.TrimSpace(line)) == 0 {
		return line, nil
	}
	var s struct {
		Record said `json:"record"`
	}
	if err := json.Unmarshal(line, &s); err != nil {
		return nil, err
	}
	if theirs, err := e.theirs(&s.Record); err != nil || theirs {
		e.looked++
		return nil, err
	}
	return e.way(line, s.Record.Trail)
}

// way takes the pages of the hosts out of the trail that stands in a line.
func (e *eraser) way(line []byte, trail json.RawMessage) ([]byte, error) {
	if len(trail) == 0 || !e.names(string(trail)) {
		return line, nil
	}
	var steps []json.RawMessage
	if err := json.Unmarshal(trail, &steps); err != nil {
		return nil, err
	}
	left := []json.RawMessage{}
	for _, raw := range steps {
		var s sink.Step
		if err := json.Unmarshal(raw, &s); err != nil {
			return nil, err
		}
		if !e.ofHost(s.URL) {
			left = append(left, raw)
		}
	}
	now, err := json.Marshal(left)
	if err != nil {
		return nil, err
	}
	const begins = `"trail":` // no string of JSON holds it: its quotes would be behind a backslash
	return bytes.Replace(line, append([]byte(begins), trail...), append([]byte(begins), now...), 1), nil
}

// label edits a line of a list of labels, which begins with an address.
func (e *eraser) label(line []byte) ([]byte, error) {
	address, _, _ := strings.Cut(strings.TrimSpace(string(line)), "\t")
	if e.ofHost(address) {
		e.done.Labels++
		return nil, nil
	}
	return line, nil
}

// rejected edits a line of what a cluster did not take.
func (e *eraser) rejected(line []byte) ([]byte, error) {
	var s struct {
		URL string `json:"url"`
	}
	if err := json.Unmarshal(line, &s); err != nil || e.ofHost(s.URL) {
		return nil, err
	}
	return line, nil
}

// noted edits a line of what was fetched. One that a crash has torn says nothing to anybody, and might name the hosts.
func (e *eraser) noted(line []byte) ([]byte, error) {
	if !json.Valid(line) {
		return nil, nil
	}
	return e.rejected(line)
}

// opinion edits a line of what models said. One that does not say of which page is asked for again when it is wanted.
func (e *eraser) opinion(line []byte) ([]byte, error) {
	var s struct {
		URL string `json:"url"`
	}
	if json.Unmarshal(line, &s) != nil || s.URL == "" || e.ofHost(s.URL) {
		return nil, nil
	}
	return line, nil
}
