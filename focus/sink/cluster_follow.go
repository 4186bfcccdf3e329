package sink

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
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
