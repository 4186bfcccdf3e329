package index

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// ErrMoved says that a record is not where it was when it was indexed: its file was written anew.
var ErrMoved = errors.New("the record is being indexed anew: try again in a moment")

// readRecord reads the record of a card from the harvest.
func readRecord(dir string, c *card) (*sink.Record, error) {
	r := &sink.Record{}
	return r, readLine(dir, c, r, &r.ID)
}

// contents are what is indexed and shown of a record. The rest is passed over, which takes half the time.
type contents struct {
	ID          uint64                     `json:"id"`
	URL         string                     `json:"url"`
	FinalURL    string                     `json:"final_url"`
	Host        string                     `json:"host"`
	Time        time.Time                  `json:"time"`
	Language    string                     `json:"language"`
	Title       string                     `json:"title"`
	Description string                     `json:"description"`
	Date        string                     `json:"date"`
	Text        string                     `json:"text"`
	Digest      string                     `json:"digest"`
	Relevance   *float64                   `json:"relevance"` // null where nobody judged it
	Data        map[string]json.RawMessage `json:"data"`
}

func (in *contents) record() *sink.Record {
	r := &sink.Record{ID: in.ID, URL: in.URL, FinalURL: in.FinalURL, Host: in.Host, Time: in.Time, Language: in.Language, Title: in.Title,
		Text: in.Text, Digest: in.Digest, Relevance: math.NaN(), Data: in.Data, Imprint: sink.Imprint{Description: in.Description, Date: in.Date}}
	if in.Relevance != nil {
		r.Relevance = *in.Relevance
	}
	return r
}

// readContents reads as much of the record of a card as is searched and shown: not its Markdown, nor how the crawl came to it.
func readContents(dir string, c *card) (*sink.Record, error) {
	var in contents
	err := readLine(dir, c, &in, &in.ID)
	return in.record(), err
}

// readLine reads the line of a card; id is where the number of the page is read into.
func readLine(dir string, c *card, into any, id *uint64) error {
	rewritten := filepath.Base(c.File) == sink.FileKept
	line, err := lineOf(dir, c)
	if err == nil || err == io.EOF {
		err = json.Unmarshal(line, into)
	} else if !rewritten || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	switch {
	case err == nil && *id == c.ID:
		return nil
	case rewritten:
		return ErrMoved
	case err != nil:
		return fmt.Errorf("%s at byte %d: %w", filepath.Join(dir, c.File), c.Offset, err)
	}
	return fmt.Errorf("%s at byte %d: not the record of %v any more", filepath.Join(dir, c.File), c.Offset, c)
}

// lineOf is the line of a card as it stands in its file.
func lineOf(dir string, c *card) ([]byte, error) {
	f, err := os.Open(filepath.Join(dir, c.File))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	line := make([]byte, c.Length)
	_, err = f.ReadAt(line, c.Offset)
	return line, err
}
