package sink

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	safely "github.com/thresher-crawler/thresher/focus/whole"
)

// spot is a place in what is sent: the number of a file, and how many of its bytes.
type spot struct {
	File   int   `json:"file"`
	Offset int64 `json:"offset"`
}

// number is what a document says of its place, so that all behind another one can be asked for.
func (s spot) number() int64 { return int64(s.File)<<40 | s.Offset }

// clusterState is how far a cluster is. It is written down before anything is sent, so that it never has a document of which the
// state does not know.
type clusterState struct {
	Target  string `json:"target"`  // cluster, index and run
	Owner   string `json:"owner"`   // what the documents of this run folder are told from all others by
	UUID    string `json:"uuid"`    // of the index that was sent to: another one of its name has nothing of it
	Epoch   int64  `json:"epoch"`   // documents of another one are to go
	Source  string `json:"source"`  // what is sent: the harvest, or which kept.jsonl
	Acked   spot   `json:"acked"`   // what is before it, the cluster has
	Sending spot   `json:"sending"` // what is before it, the cluster may have
	Last    uint32 `json:"last"`    // CRC-32C of the last line before Acked
	Length  int64  `json:"length"`  // of that line, with its end
	Stale   bool   `json:"stale"`   // documents of another epoch may be there
	Purge   *spot  `json:"purge"`   // documents of this epoch from here on are to go: a crash took them back
}

var lineSums = crc32.MakeTable(crc32.Castagnoli)

// remember reads how far the cluster is, and holds it against what a crash has left of the harvest. It is called before anything
// is written.
func (c *cluster) remember() error {
	target := c.url + " " + c.index + " " + c.run
	raw, err := os.ReadFile(filepath.Join(c.dir, fileCluster))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err != nil || json.Unmarshal(raw, &c.st) != nil || c.st.Target != target || c.st.Owner == "" {
		c.st = clusterState{Target: target, Owner: c.st.Owner} // of another cluster, of nobody, or none: all is sent
		if c.st.Owner == "" {
			c.st.Owner, err = ownerOf(c.dir, c.run)
		}
		c.rejected = map[string]bool{}
		return err
	}
	if c.rejected, err = readRejected(filepath.Join(c.dir, FileRejected)); err != nil {
		return err
	}
	if c.st.Epoch == 0 || c.st.Source != c.source() {
		return nil // it begins anew
	}
	length, err := c.length(c.st.Acked.File)
	switch {
	case err != nil && c.st.Acked.File > 0 && errors.Is(err, os.ErrNotExist):
		c.st.Epoch = 0 // cut back across the beginning of a file: of the one before, too, more may be gone than is known here
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return err
	case length < c.st.Acked.Offset:
		c.st.Acked.Offset, c.st.Last, c.st.Length = length, 0, 0
		c.purgeFrom(c.st.Acked)
	case !c.stands():
		c.st.Epoch = 0 // the harvest is another one
	case c.st.Acked != c.st.Sending:
		c.purgeFrom(c.st.Acked)
	}
	return nil
}

// ownerOf is what the documents of a run folder are told from all others by: runs of two projects may have one name. It is made of
// the machine and the folder, so that a run that begins anew in its place takes out what the one before has left, and stays what it
// is in opensearch.json, wherever the folder goes.
func ownerOf(dir, run string) (string, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	machine, _ := os.Hostname() // without one it is the folder alone
	sum := sha256.Sum256([]byte(machine + "\n" + path + "\n" + run))
	return fmt.Sprintf("%x", sum[:16]), nil
}

// purgeFrom has all from a place on taken out. One that is to be taken out already may lie before it.
func (c *cluster) purgeFrom(at spot) {
	if c.st.Purge == nil || at.number() < c.st.Purge.number() {
		c.st.Purge = &at
	}
}

// stands tells whether the last line that was sent is where it was: at the end of the file before where nothing of this one was.
func (c *cluster) stands() bool {
	if c.st.Length == 0 {
		return true
	}
	file, end := c.st.Acked.File, c.st.Acked.Offset
	if end == 0 && file > 0 {
		file--
		var err error
		if end, err = c.length(file); err != nil {
			return false
		}
	}
	f, err := os.Open(c.path(file))
	if err != nil || end < c.st.Length {
		return false
	}
	defer f.Close()
	line := make([]byte, c.st.Length)
	_, err = f.ReadAt(line, end-c.st.Length)
	return err == nil && crc32.Checksum(line, lineSums) == c.st.Last
}

// source is what is sent: the harvest, or what a second look keeps of it.
func (c *cluster) source() string {
	info, err := os.Stat(filepath.Join(c.dir, FileKept))
	if err != nil {
		return "harvest"
	}
	return fmt.Sprintf("%s %d %d", FileKept, info.Size(), info.ModTime().UnixNano())
}

// path is a file of what is sent.
func (c *cluster) path(n int) string {
	if c.st.Source != "harvest" && c.st.Source != "" {
		return filepath.Join(c.dir, FileKept)
	}
	return filepath.Join(c.dir, jsonl.name(n))
}

func (c *cluster) length(n int) (int64, error) {
	info, err := os.Stat(c.path(n))
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// waiting is how many bytes of the harvest stand behind a place.
func (c *cluster) waiting(at spot) (int64, error) {
	names, err := HarvestFiles(c.dir)
	n := -at.Offset
	for _, name := range names {
		if number, _ := jsonl.number(name); number >= at.File {
			info, err := os.Stat(filepath.Join(c.dir, name))
			if err != nil {
				return 0, err
			}
			n += info.Size()
		}
	}
	return n, err
}

// save writes down how far the cluster is.
func (c *cluster) save() error {
	raw, err := json.Marshal(&c.st)
	if err != nil {
		return err
	}
	c.noted = c.st
	return safely.Write(filepath.Join(c.dir, fileCluster), raw)
}

// errAnew: what the cluster had is gone, so that all is sent anew.
var errAnew = errors.New("the index is gone")

// level brings the cluster to what the run keeps.
func (c *cluster) level() error {
	for {
		if err := c.begin(); errors.Is(err, errAnew) {
			c.major, c.st.Epoch = 0, 0
			continue
		} else if err != nil {
			return err
		}
		b, next, err := c.read(c.st.Acked, c.batch)
		switch {
		case err != nil:
			return err
		case c.source() != c.st.Source:
			continue // a second look came between
		case len(b) == 0:
			if err := c.settle(next); !errors.Is(err, errAnew) {
				return err
			}
			c.major, c.st.Epoch = 0, 0
			continue
		}
		c.st.Sending = next
		if err := c.save(); err != nil {
			return err
		}
		err = c.send(b)
		if err == nil {
			err = c.same()
		}
		if errors.Is(err, errAnew) {
			c.major, c.st.Epoch = 0, 0
			continue
		} else if err != nil {
			return err
		}
		c.answers()
		last := b[len(b)-1]
		c.st.Last, c.st.Length = last.sum, last.length
		c.reached(next)
	}
}

// reached notes how far the cluster is.
func (c *cluster) reached(at spot) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.st.Acked, c.at = at, at
	if strings.HasPrefix(c.st.Source, FileKept) {
		c.at.File = math.MaxInt32 // nothing of the harvest is to be sent
	}
}

// begin has the index there, begins to send anew where that is called for, and takes out what a crash took back.
func (c *cluster) begin() error {
	if c.major == 0 {
		if err := c.ensure(); err != nil {
			c.major = 0
			return err
		}
	}
	if now := c.source(); c.st.Epoch == 0 || c.st.Source != now {
		c.st = clusterState{Target: c.st.Target, Owner: c.st.Owner, UUID: c.st.UUID, Epoch: time.Now().UnixNano(), Source: now, Stale: true}
		c.rejected = map[string]bool{}
		if err := os.Remove(filepath.Join(c.dir, FileRejected)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		c.reached(spot{})
		return c.save()
	}
	if c.st.Purge == nil {
		return nil
	}
	if err := c.purge(map[string]any{"bool": map[string]any{"filter": []any{c.ours(), c.ofEpoch(),
		map[string]any{"range": map[string]any{"thresher.at": map[string]any{"gte": c.st.Purge.number()}}}}}}); err != nil {
		return err
	}
	c.answers()
	c.st.Purge, c.st.Sending = nil, c.st.Acked
	return c.save()
}

// settle writes down that the cluster has all, and takes out what is of an earlier epoch.
func (c *cluster) settle(at spot) error {
	if c.st.Stale {
		if err := c.purge(map[string]any{"bool": map[string]any{"filter": []any{c.ours()}, "must_not": []any{c.ofEpoch()}}}); err != nil {
			return err
		}
	}
	if err := c.still(); err != nil {
		return err
	}
	c.answers()
	c.st.Stale, c.st.Sending = false, at
	if c.reached(at); c.st == c.noted {
		return nil
	}
	return c.save()
}

func (c *cluster) ours() any {
	return map[string]any{"term": map[string]any{"thresher.owner": c.st.Owner}}
}

func (c *cluster) ofEpoch() any {
	return map[string]any{"term": map[string]any{"thresher.epoch": c.st.Epoch}}
}

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
