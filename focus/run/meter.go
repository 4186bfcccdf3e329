package run

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/thresher-crawler/thresher/focus/measure"
)

// Meter keeps the meter of a run. A nil Meter keeps none.
type Meter struct {
	*lineFile
	meter *measure.Meter
	row   bytes.Buffer
}

// openMeter opens a meter to add to it. A new one gets the names of its columns first.
func openMeter(path string) (*Meter, error) {
	lines, err := openLines(path)
	if err != nil {
		return nil, err
	}
	g := &Meter{lineFile: lines}
	if g.meter, err = measure.NewMeter(&g.row); err == nil {
		err = g.meter.Flush()
	}
	if err == nil && lines.Size() == 0 {
		err = lines.add(g.row.Bytes()) // the names of the columns
	}
	if err != nil {
		lines.Close()
		return nil, err
	}
	return g, nil
}

// Close writes what is gathered.
func (g *Meter) Close() error {
	if g == nil {
		return nil
	}
	return g.lineFile.Close()
}

// Write adds a row.
func (g *Meter) Write(r measure.Reading) error {
	if g == nil {
		return nil
	}
	g.row.Reset()
	if err := errors.Join(g.meter.Write(r), g.meter.Flush()); err != nil { // into memory
		return fmt.Errorf("meter: %w", err)
	}
	return g.add(g.row.Bytes())
}
