package forget

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/pdf"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/warc"
)

// table writes a file of rows below a row of names.
func (e *eraser) table(name string) error {
	in, err := os.Open(filepath.Join(e.dir, name))
	if err != nil {
		return err
	}
	defer in.Close()
	rows, err := csv.NewReader(in).ReadAll()
	if err != nil || len(rows) == 0 {
		return errors.Join(err, e.copied(name))
	}
	head, rows := rows[0], rows[1:]
	theirs := func(row []string) bool { return e.theirRow(head, row) }
	if name == run.FileMeter {
		rows = recount(rows, theirs)
	} else if !slices.ContainsFunc(head, func(column string) bool { return slices.Contains([]string{"id", "url", "final_url", "host"}, column) }) {
		return errNameless
	} else {
		rows = slices.DeleteFunc(rows, theirs)
	}
	if at := slices.Index(head, "trail"); at >= 0 {
		for _, row := range rows {
			if e.names(row[at]) {
				row[at] = "" // addresses and words of links in one
			}
		}
	}
	out, err := create(filepath.Join(e.out, name), in)
	if err != nil {
		return err
	}
	w := csv.NewWriter(out)
	return errors.Join(w.Write(head), w.WriteAll(rows), out.Close())
}

func (e *eraser) theirRow(head, row []string) bool {
	for i, column := range head {
		switch column {
		case "url", "final_url":
			if e.ofHost(row[i]) {
				return true
			}
		case "host":
			if e.ofHost("http://" + row[i]) {
				return true
			}
		case "id":
			if id, err := strconv.ParseUint(row[i], 10, 64); err == nil && e.ids[id] {
				return true
			}
		}
	}
	return false
}

// recount takes rows out of a meter, and counts the others anew.
func recount(rows [][]string, theirs func(row []string) bool) (left [][]string) {
	const relevant, kept, harvest = 1, 2, 4
	var was, counted [kept + 1]int
	for _, row := range rows {
		goes := theirs(row)
		for _, c := range []int{relevant, kept} {
			now, _ := strconv.Atoi(row[c]) // one that is none counts for nothing
			if !goes {
				counted[c] += now - was[c]
				row[c] = strconv.Itoa(counted[c])
			}
			was[c] = now
		}
		if goes {
			continue
		}
		left = append(left, row)
		row[0] = strconv.Itoa(len(left))
		row[harvest] = strconv.FormatFloat(float64(counted[relevant])/float64(len(left)), 'f', 4, 64)
	}
	return left
}

// archive writes a WARC file. Pages of other hosts stay as they are, but for the records of where they were found.
func (e *eraser) archive(name string) error {
	found, err := e.foundAs(name)
	if err != nil {
		return err
	}
	return e.through(name, func(out, in *os.File) error {
		w := warc.NewWriter(out)
		return eachRecord(in, func(r *warc.Record) error {
			if e.ofHost(r.Target) || found[exchange(r)] {
				return nil
			}
			if r.Type == "metadata" {
				e.withoutWay(r)
			}
			if r.Type == "response" {
				if answer, body, err := r.Response(); err == nil {
					e.mention(inClear(answer, body))
				}
			}
			_, err := w.Write(r)
			return err
		})
	})
}

// exchange tells the records of one page from those of others.
func exchange(r *warc.Record) string { return fmt.Sprint(r.Date.UnixNano(), " ", r.Target) }

// foundAs are the exchanges of pages of other hosts that an address of the hosts led to.
func (e *eraser) foundAs(name string) (map[string]bool, error) {
	in, err := os.Open(filepath.Join(e.dir, name))
	if err != nil {
		return nil, err
	}
	defer in.Close()
	found := map[string]bool{}
	return found, eachRecord(in, func(r *warc.Record) error {
		for line := range strings.Lines(string(r.Body)) {
			if address, ok := strings.CutPrefix(line, "found-as: "); ok && r.Type == "metadata" && e.ofHost(strings.TrimSpace(address)) {
				found[exchange(r)] = true
			}
		}
		return nil
	})
}

func eachRecord(in io.Reader, visit func(*warc.Record) error) error {
	r, err := warc.NewReader(in)
	if errors.Is(err, io.EOF) {
		return nil
	}
	for err == nil {
		var rec *warc.Record
		if rec, err = r.Next(); err == nil {
			err = visit(rec)
		}
	}
	var cut *warc.CutError
	if errors.Is(err, io.EOF) || errors.As(err, &cut) { // what a crash has cut is no page
		return nil
	}
	return err
}

// withoutWay takes out of what the crawl said of a page by which page of the hosts it was found.
func (e *eraser) withoutWay(r *warc.Record) {
	var left []byte
	for line := range strings.Lines(string(r.Body)) {
		if address, ok := strings.CutPrefix(line, "via: "); !ok || !e.ofHost(strings.TrimSpace(address)) {
			left = append(left, line...)
		}
	}
	if len(left) < len(r.Body) {
		r.Body = left
		r.Header.Del("WARC-Block-Digest")
	}
}

// inClear is a stored page in which addresses can be counted: those in a PDF may be packed.
func inClear(answer *http.Response, body []byte) []byte {
	if media, _, err := mime.ParseMediaType(answer.Header.Get("Content-Type")); err != nil || media != page.PDFType {
		return body
	}
	html, err := pdf.HTML(context.Background(), body)
	if err != nil {
		return body // it was no page, either
	}
	return html
}

// mention counts the addresses of the hosts that stand in a stored page of another.
func (e *eraser) mention(stored []byte) {
	lower := bytes.ToLower(stored)
	for _, h := range e.hosts {
		for rest := lower; ; {
			_, after, ok := bytes.Cut(rest, []byte("//"+h))
			if !ok {
				break
			}
			if len(after) == 0 || !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-.:", rune(after[0])) {
				e.done.Mentions++
			}
			rest = after
		}
	}
}
