package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// school keeps the lessons of the runs whose pages somebody labels: one a run.
type school struct {
	mu      sync.Mutex
	lessons map[string]*lesson         // by folder
	skipped map[string]map[string]bool // pages, by folder: they stay so when a lesson is let go of
}

// lesson is what a judge is taught of a run: the pages that it keeps for its second look, and what was said of them.
type lesson struct {
	seat    chan struct{} // of whoever uses it: reading it may take minutes
	dir     string
	archive winnow.Archive
	judge   *topic.Topic   // of the run
	at      map[string]int // pages by address
	stamp   string         // of the files that were read
	list    string         // of the labels
	skipped map[string]bool
	users   int          // who use it or wait for it; the school's lock must be held
	last    atomic.Int64 // when somebody looked

	teaching *study.Labelling
	said     map[string]bool // pages that have a label
	more     map[string]bool // where pages come from: some of those were let go of
	since    int             // labels given since a judge was trained
	before   float64         // F1 of the judge before
}

// mostLessons is of how many runs pages are at hand at the same time.
const mostLessons = 4

// lessonOf is the lesson of a run, read anew where its files have changed; a page that was skipped stays so. It is the caller's alone
// until it is left.
func (s *Server) lessonOf(ctx context.Context, dir string) (l *lesson, leave func(), err error) {
	s.school.mu.Lock()
	if s.school.lessons == nil {
		s.school.lessons, s.school.skipped = map[string]*lesson{}, map[string]map[string]bool{}
	}
	l = s.school.lessons[dir]
	if l == nil {
		s.school.room()
		if s.school.skipped[dir] == nil {
			s.school.skipped[dir] = map[string]bool{}
		}
		l = &lesson{dir: dir, list: filepath.Join(dir, "labels.tsv"), skipped: s.school.skipped[dir], seat: make(chan struct{}, 1)}
		s.school.lessons[dir] = l
	}
	l.users++
	s.school.mu.Unlock()
	left := func() {
		s.school.mu.Lock()
		l.users--
		s.school.mu.Unlock()
	}
	rise, err := seat(ctx, l.seat, errReading)
	if err != nil {
		left()
		return nil, nil, err
	}
	leave = func() { rise(); left() }
	if err := l.open(); err != nil {
		leave()
		return nil, nil, err
	}
	return l, leave, nil
}

// room lets go of the run that nobody has looked at for longest, where there are as many as there may be: never of one that is in use,
// for two lessons of a run would write one list. s.mu must be held.
func (s *school) room() {
	var oldest *lesson
	for _, l := range s.lessons {
		if l.users == 0 && (oldest == nil || l.last.Load() < oldest.last.Load()) {
			oldest = l
		}
	}
	if oldest != nil && len(s.lessons) >= mostLessons {
		delete(s.lessons, oldest.dir)
	}
}

// forgets lets go, again and again, of what was read of runs that nobody looks at any more.
func (s *Server) forgets() {
	tick := time.NewTicker(forgetAfter / 10)
	defer tick.Stop()
	for {
		select {
		case <-s.serving.Done():
			return
		case now := <-tick.C:
			s.forget(now.Add(-forgetAfter))
		}
	}
}

// forget lets go of what nobody has looked at since.
func (s *Server) forget(since time.Time) {
	s.school.mu.Lock()
	for dir, l := range s.school.lessons {
		if l.users == 0 && l.last.Load() < since.UnixNano() { // nobody uses it
			delete(s.school.lessons, dir)
		}
	}
	s.school.mu.Unlock()
	s.desk.mu.Lock()
	defer s.desk.mu.Unlock()
	for dir, f := range s.desk.runs {
		if f.mu.TryLock() {
			if f.looked.Before(since) {
				delete(s.desk.runs, dir)
			}
			f.mu.Unlock()
		}
	}
}

// open reads what is new of a run.
func (l *lesson) open() error {
	l.last.Store(time.Now().UnixNano())
	if stamp := l.stampNow(); l.judge == nil || stamp != l.stamp {
		archive, err := winnow.Open(l.dir, run.Folders(l.dir))
		if err != nil {
			return err
		}
		if l.judge == nil {
			if l.judge, err = judgeOf(l.dir); err != nil {
				return err
			}
		}
		l.archive, l.stamp, l.teaching = archive, stamp, nil
		l.index()
	}
	if l.teaching != nil {
		return nil
	}
	return l.begin()
}

func (l *lesson) index() {
	l.at = map[string]int{}
	for i := range l.archive.Pages {
		l.at[l.archive.Pages[i].URL] = i
	}
}

// atHand is how many near misses, and how many of the latest finds, stay in memory beside the pages whose labels would teach most.
const atHand = 200

// read reads pages that have labels and those that are asked about next, and lets go of all others: the texts of what a run keeps for its
// second look may take gigabytes.
func (l *lesson) read(addresses []string) (map[string]study.Specimen, error) {
	stays := map[string]bool{}
	for _, from := range []string{fromNear, fromFinds} {
		for _, i := range l.fromLook(from, atHand) {
			stays[l.archive.Pages[i].URL] = true
		}
	}
	asked, read := map[string]bool{}, map[string]study.Specimen{}
	for _, address := range addresses {
		asked[address] = true
		stays[address] = stays[address] || !l.said[address]
	}
	err := l.archive.Texts(func(i int, text string) error {
		p := &l.archive.Pages[i]
		if asked[p.URL] && l.at[p.URL] == i {
			read[p.URL] = study.MainText(p.URL, p.Title, text)
		}
		if stays[p.URL] {
			p.Text = text
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var pages []winnow.Page
	l.more = map[string]bool{}
	for _, p := range l.archive.Pages {
		switch {
		case stays[p.URL]:
			p.Keys = nil
			pages = append(pages, p)
		case l.said[p.URL] || l.skipped[p.URL]:
		case p.Relevance >= l.archive.Options.Threshold:
			l.more[fromFinds], l.more[fromTelling] = true, true
		default:
			l.more[fromNear], l.more[fromTelling] = true, true
		}
	}
	l.archive = winnow.Archive{Pages: pages, Options: l.archive.Options}
	l.index()
	return read, nil
}

// page is where a page of the run stands, which may be one that was let go of.
func (l *lesson) page(address string) (*winnow.Page, error) {
	if i, there := l.at[address]; there {
		return &l.archive.Pages[i], nil
	}
	if l.more[fromTelling] {
		whole, err := winnow.Open(l.dir, run.Folders(l.dir))
		if err != nil {
			return nil, err
		}
		var found *winnow.Page
		err = whole.Texts(func(i int, text string) error {
			if p := whole.Pages[i]; p.URL == address && found == nil {
				p.Text, found = text, &p
			}
			return nil
		})
		if err != nil || found != nil {
			return found, err
		}
	}
	return nil, misuse("address: %s is no page of this run that can be labelled", address)
}

// stampNow is another one when the pages or the labels of the run are others. A crawl that goes on is read again now and then only.
func (l *lesson) stampNow() string {
	var b strings.Builder
	names := []string{l.list}
	for _, folder := range run.Folders(l.dir) {
		names = append(names, sink.LookFiles(folder)...)
	}
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			const step = 1 << 20
			size := info.Size()
			if name != l.list {
				size /= step // so that a crawl that goes on is not read again for each page
			}
			fmt.Fprint(&b, name, size, " ")
		}
	}
	return b.String()
}

// judgeOf is the judge of a run.
func judgeOf(dir string) (*topic.Topic, error) {
	config, err := run.ConfigOf(dir)
	if err != nil && config.File == "" {
		return nil, err
	}
	return topic.New(config.Spec())
}

// begin chooses pages to ask about, by the labels there are.
func (l *lesson) begin() error {
	labels, err := study.ReadLabels(l.list)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	l.said = map[string]bool{}
	for _, label := range labels {
		l.said[label.Address] = true
	}
	var judged []*study.Unlabelled
	for i := range l.archive.Pages {
		if p := &l.archive.Pages[i]; !l.skipped[p.URL] {
			judged = append(judged, &study.Unlabelled{Address: p.URL, Name: p.URL, Relevance: p.Relevance})
		}
	}
	teaching, err := study.LabellingOf(judged, labels, l.archive.Options.Threshold, l.read, study.UsualPool)
	if err != nil {
		l.judge = nil // what was read is read anew
		return err
	}
	l.teaching = teaching
	return l.train()
}

// train trains a judge on the labels; what the one before came to is kept beside it.
func (l *lesson) train() error {
	if l.teaching.Judge != nil {
		l.before = l.teaching.Judge.Model().F1
	}
	l.since = 0
	return l.teaching.Train()
}
