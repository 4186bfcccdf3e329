package topic

import (
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/text"
)

// TestJudgeOfCoursePages trains as the source of the link layers did: course home pages of many universities against
// their other pages, cross-validated in ten folds. The source's judge was above .85 in macro and micro F1.
func TestJudgeOfCoursePages(t *testing.T) {
	w := openWeb(t, "webkb")
	var relevant, other []*text.Doc
	for i, label := range w.labels {
		switch {
		case strings.HasPrefix(label, "course\tmisc\t"):
			relevant = append(relevant, w.docs[i])
		case strings.Contains(label, "\tmisc\t"):
			other = append(other, w.docs[i])
		}
	}
	_, report, err := Train(relevant, other, TrainOptions{Spec: Defaults()})
	if err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + report.String())
	if report.Weak() {
		t.Errorf("macro F1 %.3f, micro F1 %.3f, want %.2f", report.MacroF1, report.MicroF1, goodF1)
	}
}
