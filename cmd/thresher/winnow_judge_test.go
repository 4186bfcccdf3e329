package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// A trained judge in the place of the second look says what is kept, and the second look comes back when it is asked again.
func TestWinnowByATrainedJudge(t *testing.T) {
	run := quickstartRun(t)
	kept, harvest := filepath.Join(run, sink.FileKept), mustRead(t, filepath.Join(run, "harvest.jsonl"))
	before := mustRead(t, kept)
	model := filepath.Join(t.TempDir(), "sailing.judge")
	must(t, "train", "judge", "--web", "testdata/webs/quickstart", "--topic", "sailing", "--kind", "bayes", "--out", model)
	var taken, dropped string // by the second look, and labelled otherwise
	for seen, err := range sink.ReadLooks(run) {
		noError(t, err)
		if at := seen.Record.FinalURL; strings.Contains(before, strconv.Quote(at)) {
			taken = at
		} else {
			dropped = at
		}
	}
	labels := filepath.Join(run, "labels.tsv")
	noError(t, os.WriteFile(labels, []byte(taken+"\tother\n"+dropped+"\trelevant\n"), 0o644))
	var said winnowed
	noError(t, json.Unmarshal([]byte(must(t, "winnow", "--run", run, "--judge", model, "--json")), &said))
	right, all := rightly(t, kept)
	if all != said.Kept || 10*right < 9*all || all < 50 || said.In+said.Out == 0 || before == mustRead(t, kept) {
		t.Errorf("%d of %d kept pages are of the topic: %+v", right, all, said)
	}
	if now := recordsByAddress(t, kept); now[taken] != nil || now[dropped] == nil || said.Labels != 2 {
		t.Errorf("labels do not stand: %s is kept, and %s is not: %+v", taken, dropped, said)
	}
	weak, err := topic.LoadModel(model)
	noError(t, err)
	weak.MacroF1 = .6
	noError(t, weak.Save(model))
	t.Chdir(filepath.Dir(model))
	if code, _, errs := thresher(t, "winnow", "--run", run, "--judge", "sailing.judge"); code != exitDone || !strings.Contains(errs, "WARNING: sailing.judge: the trained judge is weak (macro F1 0.60") || len(said.Notes) != 0 {
		t.Errorf("exit %d: %s; of the good one %q", code, errs, said.Notes)
	}
	if cut := winnow.LastCut(run); cut == nil || cut.Judge != model {
		t.Errorf("for rounds from other folders it has written down %+v, want %s", cut, model)
	}
	noError(t, os.Remove(labels))
	if must(t, "winnow", "--run", run); before != mustRead(t, kept) || harvest != mustRead(t, filepath.Join(run, "harvest.jsonl")) {
		t.Error("the second look does not come back as it was")
	}
	if code, _, errs := thresher(t, "winnow", "--run", run, "--judge", "nowhere.judge"); code != exitMisuse || !strings.Contains(errs, "nowhere.judge") || before != mustRead(t, kept) {
		t.Errorf("a judge that is not there: exit %d: %s", code, errs)
	}
	replies(t, exitMisuse, "is no model", "winnow", "--run", run, "--judge", kept)
}
