// Package outlet answers one question: in what form does a harvest leave? As lines or columns of fields (package sink writes
// those), as a table with types, as plain text, as a folder of Markdown files with what is known of each page at its head, or as chunks for retrieval, or as the
// part of the archive that has its bytes. It
// knows near duplicates, of which the best can be taken alone, and parts sites for training and testing so that none is in both.
package outlet

import (
	"fmt"
	"io"
	"strings"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// Form takes the records of a harvest, one after the other. One that is an io.Closer is whole when it is closed.
type Form interface {
	Encode(*sink.Record) error
}

// Forms are the names of the forms; markdown is a folder, the others are a file each.
var Forms = []string{"jsonl", "csv", "parquet", "text", "markdown", "chunks", "warc"}

// Folder tells of a form that it is a folder.
func Folder(form string) bool { return form == "markdown" }

// Options say how a form is written.
type Options struct {
	Fields  []string // of lines and columns; none means all of lines, and the usual ones of columns
	Numbers []string // values that are numbers, in columns that have types
	Chunk   Chunk
	Runs    []string // the folders whose archives have the bytes of the pages
}

// New writes records in a form that is a file.
func New(form string, w io.Writer, o Options) (Form, error) {
	switch form {
	case "text":
		return &plain{w: w}, nil
	case "warc":
		return newArchive(w, o.Runs), nil
	case "parquet":
		return newTable(w, o.Fields, o.Numbers)
	case "chunks":
		return newChunks(w, o.Chunk)
	case "jsonl", "csv":
		if form == "jsonl" && len(o.Fields) == 0 {
			o.Fields = append(sink.Fields(), sink.FieldCluster)
		}
		return sink.NewEncoder(w, form, o.Fields)
	}
	return nil, fmt.Errorf("a harvest is not written as %q, want %s", form, strings.Join(Forms, ", "))
}

// plain is a harvest as text for people and for tools that know no records.
type plain struct {
	w     io.Writer
	begun bool
}

func (p *plain) Encode(r *sink.Record) error {
	between := ""
	if p.begun {
		between = "\n\n"
	}
	p.begun = true
	gone := ""
	if r.Gone != "" {
		gone = "gone " + r.Gone + "\n"
	}
	_, err := fmt.Fprintf(p.w, "%s%s\n%s\n%s %d\n%s\n%s\n", between, sink.Plain(r.Title), sink.Plain(r.FinalURL), sink.FieldCluster, r.Cluster, gone, sink.Plain(r.Text))
	return err
}
