package again

import (
	"errors"
	"math"
	"net/http"
	"os"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// asked keeps what the round has asked its hosts for, and what it has not because they say so: whoever answers for the crawl has to
// tell that when the round and its log are gone, too.
func (r *Round) asked(next string) error {
	path := filepath.Join(next, "asked.log")
	log, err := run.OpenLog(path)
	if err != nil {
		return err
	}
	var failed error
	err = run.ReadLog(filepath.Join(r.below, folderRound, run.FileLog), func(d *run.Decision) bool {
		if d.Decision != "push" && (d.Decision != "refuse" || d.Reason.Kind() == admit.RefusedNoFollow) {
			said := *d // but for its numbers, which are those of the round, and for words of pages
			said.ID, said.Via, said.Anchor, said.Title, said.Chosen = 0, 0, "", "", ""
			if d.Title == unchanged {
				if by := reservedBy(d.Reason); by != "" {
					said.Reason = by
				}
				said.Status, said.Bytes, said.Relevance = http.StatusNotModified, 0, math.NaN() // what was judged is no page
			}
			failed = log.Write(&said)
		}
		return failed == nil
	})
	if err = errors.Join(err, failed); err != nil {
		return errors.Join(err, log.Close())
	}
	if err := errors.Join(log.Sync(), log.Close()); err != nil {
		return err
	}
	return os.Rename(path, filepath.Join(r.below, run.FileAsked(r.plan.Round)))
}

// TookOut is the visit by which a page that the first crawl kept went out of the harvest: the last of a later round that was answered
// with the page, or that it is as it was, if the round found a reason not to keep what it says now. It is nil of any other page.
func TookOut(dir, address string) (out *run.Decision, err error) {
	identity, err := page.Canonical(address)
	if err != nil {
		return nil, err
	}
	rounds, err := filepath.Glob(filepath.Join(crawlfile.GlobEscape(filepath.Join(dir, sink.FolderAgain)), "asked-*.log"))
	for _, file := range rounds { // by number, and so by name
		err = errors.Join(err, run.ReadLog(file, func(d *run.Decision) bool {
			if id, err := page.Canonical(d.URL); err != nil || id != identity || !page.Arrived(d.Status) {
				return true
			}
			switch {
			case d.Decision == "keep":
				out = nil
			case d.Decision == "drop" && (d.Status != http.StatusNotModified || reservedBy(d.Reason) != "") && isPage(d.Reason):
				out = d
			}
			return true
		}))
	}
	return out, err
}
