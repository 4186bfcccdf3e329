package study

import (
	"fmt"
	"os"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/text"
)

// OpenList opens a list of labels to write on. A last line without an end gets one.
func OpenList(file string) (*os.File, error) {
	list, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("%w; give another list with --labels FILE.tsv", err)
	}
	if err := endLine(list); err != nil {
		list.Close()
		return nil, err
	}
	return list, nil
}

// Current is an open list, or that which stands in its place: many editors write a file anew, and what was written on after that would be
// lost.
func Current(list *os.File) (*os.File, error) {
	open, err := list.Stat()
	if there, gone := os.Stat(list.Name()); err == nil && gone == nil && os.SameFile(open, there) {
		return list, nil
	}
	anew, err := OpenList(list.Name())
	if err != nil {
		return list, err
	}
	list.Close()
	return anew, nil
}

// endLine gives the last line of a file an end where it has none.
func endLine(f *os.File) error {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	var last [1]byte
	if _, err := f.ReadAt(last[:], info.Size()-1); err != nil || last[0] == '\n' {
		return err
	}
	_, err = f.WriteString("\n")
	return err
}

// WriteLabel writes a label on a line of its own at the end of a list, and waits for the disk.
func WriteLabel(list *os.File, l Label) error {
	err := endLine(list)
	if err == nil {
		_, err = list.WriteString(l.Line())
	}
	if err == nil {
		err = list.Sync()
	}
	if err != nil {
		return fmt.Errorf("the label was not written: %w", err)
	}
	return nil
}

// TakeBack takes the label that was written last out of a list again. Where somebody else has written since, the list stays as it is.
func TakeBack(list *os.File, l Label) error {
	line := l.Line()
	info, err := list.Stat()
	if err != nil {
		return err
	}
	at, last := info.Size()-int64(len(line)), make([]byte, len(line))
	if at >= 0 {
		_, err = list.ReadAt(last, at)
	}
	if err != nil || string(last) != line {
		return fmt.Errorf("the list was changed meanwhile; change the line of %s in it", l.Address)
	}
	if err := list.Truncate(at); err != nil {
		return err
	}
	return list.Sync()
}

// MainText is a page of which its title and its main text are known.
func MainText(address, title, body string) Specimen {
	d := &text.Doc{Language: text.Detect(page.Cut(body, 2000), ""), Segments: []text.Segment{{Text: title, Position: text.Title}, {Text: body}}}
	return Specimen{Address: address, Title: title, Doc: d, Bare: true}
}

// CorpusOf are the pages that have labels. Such as are not there teach nothing.
func CorpusOf(labels []Label, pages map[string]Specimen) (c Corpus) {
	for _, l := range labels {
		switch p, there := pages[l.Address]; {
		case there && l.Relevant:
			c.Relevant = append(c.Relevant, p)
		case there:
			c.Other = append(c.Other, p)
		}
	}
	return c
}
