package focus_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// What a callback sets on its visit stands in the record, in the table, and in what is read back; of a page that is not kept
// nothing stands anywhere.
func TestDataOfTheProgramTravelsWithTheHarvest(t *testing.T) {
	config := solarConfig(t, solarWeb())
	config.Sinks = append(config.Sinks, crawlfile.SinkConfig{To: "csv", Rotate: 1 << 20, Fields: []string{"title", "data"}})
	crawler, err := focus.NewWith(config)
	if err != nil {
		t.Fatal(err)
	}
	crawler.Collector().OnHTML("title", func(e *colly.HTMLElement) {
		v := focus.VisitOf(e.Response.Ctx)
		if err := v.Set("price", 12.5); err != nil {
			t.Error(err)
		}
		if err := v.Set("said", "“"+e.Text+"”"); err != nil {
			t.Error(err)
		}
		if err := v.Set("never", func() {}); err == nil || !strings.Contains(err.Error(), "never") {
			t.Errorf("a function was set: %v", err)
		}
		if item, ok := extensions.ItemOf(e.Response.Ctx); !ok || item.ID != v.Item.ID {
			t.Errorf("the item of the callback is %v, that of the visit %v", item, v.Item)
		}
	})
	crawler.OnPage(func(v *focus.Visit) string {
		if err := v.Set("late", true); err != nil {
			t.Error(err)
		}
		return ""
	})
	if _, err := crawler.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	records := harvest(t, config)
	for _, r := range records {
		var price float64
		if err := json.Unmarshal(r.Data["price"], &price); err != nil || price != 12.5 || string(r.Data["late"]) != "true" || len(r.Data) != 3 {
			t.Errorf("%s has the data %s (%v)", r.URL, r.Data, err)
		}
	}
	table, err := os.ReadFile(filepath.Join(config.Store, "harvest.csv"))
	if err != nil || len(records) == 0 || strings.Count(string(table), "late=true; price=12.5; said=“") != len(records) {
		t.Errorf("%d records, and the table\n%s(%v)", len(records), table, err)
	}
	if err := focus.VisitOf(colly.NewContext()).Set("price", 1); err == nil {
		t.Error("something was set on no visit")
	}
}

// What comes too late for the record is an error, and not lost in silence.
func TestDataThatComesTooLate(t *testing.T) {
	crawler := crawlOn(t, collectorOver(collyWeb()))
	late, kept := 0, 0
	crawler.OnDone(func(v *focus.Visit) {
		if v.Kept {
			kept++
			if err := v.Set("late", true); err != nil && strings.Contains(err.Error(), v.Item.URL) {
				late++
			}
		}
	})
	mustRun(t, crawler)
	if kept == 0 || late != kept {
		t.Errorf("%d of %d pages said that it was too late", late, kept)
	}
}

// In a Colly program with Attach and the queue, the visit of a callback is the same.
func TestDataOfACollyProgram(t *testing.T) {
	c := collectorOver(collyWeb())
	waiting := frontier.NewMemory(frontier.Manners{})
	var kept kindly
	if _, err := focus.Attach(c, waiting, solarTopic(t), loadTree(t, sharkTree), focus.Into(&kept)); err != nil {
		t.Fatal(err)
	}
	c.OnResponse(func(r *colly.Response) {
		if err := focus.VisitOf(r.Ctx).Set("length", len(r.Body)); err != nil {
			t.Error(err)
		}
	})
	q := newQueue(t, 2, waiting)
	q.AddURL("http://a.example/")
	if err := q.Run(c); err != nil {
		t.Fatal(err)
	}
	if len(kept) == 0 {
		t.Fatal("nothing was kept")
	}
	for _, r := range kept {
		if len(r.Data["length"]) == 0 {
			t.Errorf("%s has the data %s", r.URL, r.Data)
		}
	}
}

// kindly is a sink of records.
type kindly []*sink.Record

func (s *kindly) Write(r *sink.Record) error { *s = append(*s, r); return nil }
func (s *kindly) Lengths() map[string]int64  { return nil }
func (s *kindly) Sync() error                { return nil }
func (s *kindly) Close() error               { return nil }
