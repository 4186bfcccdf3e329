package sink

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

// document is a page on its way to the cluster.
type document struct {
	id, url string
	body    []byte // one line of JSON, without its end
	sum     uint32 // of the line of the harvest
	length  int64
	wrong   string // why it is no document
}

// mostDocuments is how many pages are sent at once.
const mostDocuments = 500

// read reads what stands behind a place, up to so many bytes, and where that ends.
func (c *cluster) read(at spot, most int) (b []document, next spot, err error) {
	next = at
	for size := 0; ; {
		_, none := os.Stat(c.path(next.File + 1)) // a file that has a successor is not written to any more
		last, full := none != nil || c.st.Source != "harvest", false
		followFile(c.dir, filepath.Base(c.path(next.File)), next.Offset, func(l Line, failed error) bool {
			if err = failed; err != nil {
				return false
			}
			place := spot{next.File, l.Offset}
			next.Offset = l.Offset + int64(len(l.Text)) + 1
			if len(bytes.TrimSpace(l.Text)) > 0 { // else there was one that could not be read
				d := c.document(l.Text, place)
				b, size = append(b, d), size+len(d.body)
			}
			full = size >= most || len(b) >= mostDocuments
			return !full
		})
		if errors.Is(err, os.ErrNotExist) && len(b) == 0 {
			return nil, next, nil // nothing was kept yet
		}
		if err != nil || full {
			return b, next, err
		}
		if last {
			return b, next, nil
		}
		next = spot{File: next.File + 1}
	}
}

// document makes of a line of the harvest what is sent.
func (c *cluster) document(line []byte, at spot) document {
	d := document{sum: crc32.Update(crc32.Checksum(line, lineSums), lineSums, []byte{'\n'}), length: int64(len(line)) + 1}
	var r struct{ URL string }
	if err := json.Unmarshal(line, &r); err != nil || r.URL == "" {
		d.id, d.wrong = fmt.Sprintf("line at %d", at.number()), "the line of the harvest cannot be read"
		d.body = bytes.Clone(line)
		return d
	}
	d.url, d.id = r.URL, DocumentID(c.st.Owner, r.URL)
	run, _ := json.Marshal(c.run) // it cannot fail
	d.body = fmt.Appendf(nil, `{"thresher":{"run":%s,"owner":"%s","epoch":%d,"at":%d}`, run, c.st.Owner, c.st.Epoch, at.number())
	if len(c.fields) == 0 {
		d.body = append(append(d.body, ','), line[1:]...)
		return d
	}
	record := &Record{}
	if err := json.Unmarshal(line, record); err != nil {
		d.wrong = err.Error()
		return d
	}
	for _, f := range c.fields {
		d.body = append(appendString(append(d.body, ','), f.name), ':')
		d.body = f.json(d.body, record)
	}
	d.body = append(d.body, '}')
	return d
}

// rejection is a line of the file of what a cluster did not take.
type rejection struct {
	ID       string          `json:"id"`
	URL      string          `json:"url"`
	Status   int             `json:"status"`
	Reason   string          `json:"reason"`
	Document json.RawMessage `json:"document"`
}

// reject keeps a document aside that the cluster does not take.
func (c *cluster) reject(d *document, status int, reason string) error {
	if c.rejected[d.id] {
		return nil
	}
	r := rejection{ID: d.id, URL: d.url, Status: status, Reason: reason, Document: d.body}
	if d.wrong != "" {
		r.Document = nil
	}
	line, err := json.Marshal(&r)
	if err != nil {
		return err
	}
	path := filepath.Join(c.dir, FileRejected)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if c.rejected[d.id] = true; len(c.rejected) <= mostNamed {
		c.say(fmt.Sprintf("the cluster %s did not take %s: %s; it is kept aside in %s", c.url, d.url, reason, path))
	}
	return nil
}

// mostNamed is how many pages that a cluster does not take are named one by one.
const mostNamed = 5

// readRejected reads which documents are kept aside. A line that has no end was never told, and is written again.
func readRejected(path string) (map[string]bool, error) {
	ids := map[string]bool{}
	raw, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return ids, nil
	}
	if err != nil {
		return nil, err
	}
	if end := bytes.LastIndexByte(raw, '\n') + 1; end < len(raw) {
		if err := os.Truncate(path, int64(end)); err != nil {
			return nil, err
		}
		raw = raw[:end]
	}
	for in := json.NewDecoder(bytes.NewReader(raw)); ; {
		var r rejection
		if err := in.Decode(&r); err == io.EOF {
			return ids, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w: remove %s beside it, and all is sent again", path, err, fileCluster)
		}
		ids[r.ID] = true
	}
}
