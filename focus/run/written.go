package run

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// Written are the files that a crawl writes results into.
type Written struct {
	told int64 // how long the log was when the frontier was told last; the first, so that it is one word to a machine of 32 bits

	Sinks []sink.Sink // of the crawl file
	Own   []sink.Sink // of the program
	Looks *sink.Looks // nil where nothing is kept for a second look
	Log   *Log
	Meter *Meter
	Say   func(string) // hears of what holds a sink up; may be nil

	forms []string // of Sinks
}

// Told is how long the log is with all that the frontier has been told of.
func (w *Written) Told() int64 {
	if w == nil {
		return 0
	}
	return atomic.LoadInt64(&w.told)
}

// Ahead is what they want made of a page before it is known whether it is kept.
func (w *Written) Ahead() *sink.Ahead { return sink.AheadOf(w.Looks, w.Sinks) }

// outputs are the files of records in the run folder: of those that are kept and of those that are looked at again.
func (w *Written) outputs() []sink.Output {
	var all []sink.Output
	for _, s := range w.Sinks {
		all = append(all, s)
	}
	if w.Looks != nil {
		all = append(all, w.Looks)
	}
	return all
}

// syncRecords makes the records safe, wherever they are.
func (w *Written) syncRecords() []error {
	var errs []error
	for i, s := range w.outputs() {
		errs = append(errs, w.ofForm(i, having(s, sink.Output.Sync)))
	}
	for i := range w.Own {
		errs = append(errs, w.own(i, sink.Sink.Sync))
	}
	return errs
}

// Sync makes all that was written before survive a crash. It may be called while the crawl goes on.
func (w *Written) Sync() error {
	return errors.Join(append(w.syncRecords(), w.Log.Sync(), w.Meter.Sync())...)
}

// Lengths is how long each file is with all that was written, by its name below the run folder, and how far the sinks of the
// program are.
func (w *Written) Lengths() map[string]int64 {
	all := map[string]int64{FileLog: w.Log.Size(), FileMeter: w.Meter.Size()}
	atomic.StoreInt64(&w.told, all[FileLog])
	for _, s := range w.Sinks {
		sink.AddLengths(all, s)
	}
	if w.Looks != nil {
		sink.AddLengths(all, w.Looks)
	}
	w.ownLengths(all)
	return all
}

// Hand makes the records safe, and hands the log to the system: what is lost of it when a machine fails is no page.
func (w *Written) Hand() error {
	defer atomic.StoreInt64(&w.told, w.Log.Size())
	return errors.Join(append(w.syncRecords(), w.Log.Flush(), w.Meter.Flush())...)
}

// Open opens the files of results of a run folder that are to be written into, behind what is there, and takes the sinks of
// the program back to what was committed.
func (w *Written) Open(dir string, config *crawlfile.Config, committed map[string]int64) (err error) {
	if w.Log, err = OpenLog(filepath.Join(dir, FileLog)); err != nil {
		return err
	}
	if w.Meter, err = openMeter(filepath.Join(dir, FileMeter)); err != nil {
		return err
	}
	if err := w.openSinks(dir, config); err != nil {
		return err
	}
	if err := w.cutOwn(dir, config.Sinks, committed); err != nil {
		return fmt.Errorf("run folder %s: %w", dir, err)
	}
	return nil
}

// openSinks opens those of a crawl file that are not open.
func (w *Written) openSinks(dir string, config *crawlfile.Config) error {
	for _, o := range formsOf(config) {
		if slices.Contains(w.forms, string(o.To)) {
			continue
		}
		s, err := sink.Open(dir, optionsOf(config, &o, w.Say))
		if err != nil {
			return err
		}
		w.Sinks, w.forms = append(w.Sinks, s), append(w.forms, string(o.To))
	}
	return nil
}

// More is what a crawl writes into once its file names further sinks. They begin with the page that is kept next. What was written
// into before may still be made safe by somebody, and is left as it is. Where one cannot be opened none is.
func (w *Written) More(dir string, config *crawlfile.Config) (*Written, error) {
	more := &Written{Sinks: slices.Clone(w.Sinks), Own: w.Own, Looks: w.Looks, Log: w.Log, Meter: w.Meter, Say: w.Say,
		forms: slices.Clone(w.forms), told: w.Told()}
	err := more.openSinks(dir, config)
	if err != nil {
		for _, s := range more.Sinks[len(w.Sinks):] {
			err = errors.Join(err, s.Close())
		}
	}
	return more, err
}

// formsOf are the forms in which a crawl writes: those of its file, and the harvest where one of them is sent from it.
func formsOf(config *crawlfile.Config) []crawlfile.SinkConfig {
	follows := slices.ContainsFunc(config.Sinks, func(s crawlfile.SinkConfig) bool { return s.To.Follows() })
	harvests := slices.ContainsFunc(config.Sinks, func(s crawlfile.SinkConfig) bool { return s.To == "jsonl" })
	if !follows || harvests {
		return config.Sinks
	}
	return append([]crawlfile.SinkConfig{{To: "jsonl", Rotate: 1 << 30}}, config.Sinks...)
}

// mostUnsent is how many bytes of a harvest may wait to be sent where the crawl file does not say.
const mostUnsent = 256e6

func optionsOf(config *crawlfile.Config, o *crawlfile.SinkConfig, say func(string)) sink.Options {
	fields := o.Fields
	if o.To == "csv" && len(fields) == 0 {
		fields = sink.Columns(config.Extract.Names()...)
	}
	return sink.Options{To: string(o.To), Rotate: int64(o.Rotate), Fields: fields,
		URL: o.URL, Index: o.Index, Run: config.Name, Values: config.Extract.Kinds(), Queue: cmp.Or(int64(o.Queue), mostUnsent), Say: say}
}

// Send brings the clusters to which a run is sent to what it keeps now, after a second look; waited says that they were waited for just
// before. A crawl that is running does that itself.
func Send(folders []string, config *crawlfile.Config, waited bool, say func(string)) error {
	var errs []error
	for _, o := range config.Sinks {
		if !o.To.Follows() {
			continue
		}
		for _, dir := range folders {
			options := optionsOf(config, &o, say)
			options.Waited = waited
			errs = append(errs, sendFolder(dir, options))
		}
	}
	return errors.Join(errs...)
}

// sendFolder sends what a folder keeps. No crawl may begin there meanwhile: it would send the same, and each took out what is the
// other's.
func sendFolder(dir string, o sink.Options) error {
	lock, err := hold(dir)
	if err != nil || lock == nil {
		return err
	}
	s, err := sink.Open(dir, o)
	if err == nil {
		err = s.Close()
	}
	return errors.Join(err, lock.Release())
}

// Settle writes kept.jsonl anew of a run that was visited again, has ended, and has none: somebody who follows files finds the latest of
// each page nowhere else. While a crawl goes on nobody knows yet what will be kept.
func Settle(dir string) error {
	if !sink.Revised(dir) || sink.HasKept(dir) {
		return nil
	}
	if standing, err := ReadStanding(dir); err != nil || standing.State != "finished" {
		return nil
	}
	lock, err := hold(dir)
	if err != nil || lock == nil {
		return err
	}
	if !sink.HasKept(dir) {
		err = sink.WriteKept(dir)
	}
	return errors.Join(err, lock.Release())
}

// Hurry tells the sinks that the crawl was told to stop, so that whoever closes them does not want to wait.
func (w *Written) Hurry() {
	if w == nil {
		return
	}
	for _, s := range w.Sinks {
		if h, ok := s.(interface{ Hurry() }); ok {
			h.Hurry()
		}
	}
}

// Behind says why the crawl must wait for a sink; it is empty where it need not.
func (w *Written) Behind() string {
	for _, s := range w.Sinks {
		if b, ok := s.(interface{ Behind() string }); ok && b.Behind() != "" {
			return b.Behind()
		}
	}
	return ""
}

// OpenLooks opens what is kept for a second look, if the crawl file wants one.
func (w *Written) OpenLooks(dir string, config *crawlfile.Config, threshold float64) (err error) {
	if config.SecondLook == "off" {
		return nil
	}
	w.Looks, err = sink.OpenLooks(dir, sink.LooksOptions{Mode: config.SecondLook, Threshold: threshold,
		Most: int64(config.SecondLookBytes), Rotate: 1 << 30})
	return err
}

// Close closes all of them but those of the program.
func (w *Written) Close() error {
	var errs []error
	for _, s := range w.Sinks {
		errs = append(errs, s.Close())
	}
	return errors.Join(append(errs, w.Looks.Close(), w.Log.Close(), w.Meter.Close())...)
}
