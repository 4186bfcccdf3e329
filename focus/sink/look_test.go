package sink

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func seenPage(n int, relevance float64) *Seen {
	r := &Record{ID: uint64(n), URL: fmt.Sprintf("http://a.test/%d", n), FinalURL: fmt.Sprintf("http://a.test/%d", n), Time: time.Unix(1e9, 0).UTC(), Title: "a \"title\"", Text: strings.Repeat("text\n", 50),
		Relevance: relevance, Terms: []Term{{"tea", .5}}}
	return &Seen{Kept: relevance >= .3, Keys: []uint64{Key(r.URL)}, Links: []Pointer{{1<<63 + 5, 3, "an \"anchor\"\n"}, {2, -1, "茶"}}, Record: r}
}

func TestLooksAreReadBackAsTheyWereTaken(t *testing.T) {
	dir := t.TempDir()
	l, err := OpenLooks(dir, LooksOptions{Mode: "all", Threshold: .3, Most: 1 << 20, Rotate: 2000})
	if err != nil {
		t.Fatal(err)
	}
	page := func(n int) *Seen {
		s := seenPage(n+1, .1*float64(n))
		s.Links = append(s.Links, Pointer{3, 0, `,"record":{`}, Pointer{3, 0, `,"body":`})
		if n%2 > 0 {
			s.Body = []byte("<p>tea")
		}
		return s
	}
	for n := range 9 {
		if err := l.Take(page(n)); err != nil {
			t.Fatal(err)
		}
	}
	lengths := l.Lengths()
	if err := l.Close(); err != nil || len(lengths) < 2 {
		t.Fatal(err, lengths)
	}
	n := 0
	for s, err := range ReadLooks(dir) {
		if err != nil {
			t.Fatal(err)
		}
		want := page(n)
		n++
		if s.Kept != want.Kept || !reflect.DeepEqual(s.Keys, want.Keys) || !reflect.DeepEqual(s.Links, want.Links) || s.Record.Text != want.Record.Text || s.Record.Relevance != want.Record.Relevance {
			t.Errorf("have %+v, want %+v", s, want)
		}
	}
	if n != 9 {
		t.Errorf("%d pages", n)
	}
	n = 0
	for s, err := range LooksBriefly(dir) {
		want := page(n)
		n++
		if want.Record.Text = ""; err != nil || !reflect.DeepEqual(s.Links, want.Links) || s.Record.Text != "" || s.Record.Title != want.Record.Title {
			t.Errorf("briefly %+v, %v", s, err)
		}
	}
	n = 0
	for s, err := range LookRecords(dir) {
		want := page(n)
		if n++; err != nil || !reflect.DeepEqual(s.Keys, want.Keys) || len(s.Links) > 0 || len(s.Body) > 0 || s.Record.Text != "" || s.Record.Title != want.Record.Title || s.Copied != (len(want.Body) > 0) {
			t.Errorf("its record alone: %+v, %v", s, err)
		}
	}
	for s, err := range LookTexts(dir) {
		n--
		if err != nil || len(s.Links) > 0 || len(s.Body) > 0 || s.Record.Text != seenPage(0, 0).Record.Text {
			t.Errorf("its text alone: %+v, %v", s, err)
		}
	}
	if n != 0 {
		t.Errorf("%d texts are missing", n)
	}
	lengths["look.jsonl"] = 0
	if err := Cut(dir, map[string]int64{}); err != nil || HasLooks(dir) {
		t.Errorf("what was never committed stays: %v", err)
	}
}

// Where room runs out the least likely pages are removed first, the others stay as they were and in their order, and they never
// take more than they may, but for the files that are to go.
func TestTheLeastLikelyGoFirst(t *testing.T) {
	dir := t.TempDir()
	o := LooksOptions{Mode: "all", Threshold: .3, Most: 65_000, Rotate: 12_000}
	l, err := OpenLooks(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	committed, before := map[string]int64{}, 0
	relevances := []float64{.01, .1, .2, .5}
	for n := range 160 {
		if !l.Wants(relevances[n%4], fmt.Sprint(n), false) {
			t.Fatalf("page %d is not wanted", n)
		}
		if err := l.Take(seenPage(n+1, relevances[n%4])); err != nil {
			t.Fatal(err)
		}
		if l.used() > o.Most {
			t.Fatalf("%d bytes after page %d", l.used(), n)
		}
		if l.Thinned() && before == 0 { // a crash now takes it back to what was committed
			before = n
			copied := t.TempDir()
			if err := l.Sync(); err != nil {
				t.Fatal(err)
			}
			if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			if err := Cut(copied, committed); err != nil {
				t.Fatal(err)
			}
			if have := numbersOfLooks(t, copied); len(have) != n {
				t.Errorf("after a crash there are %d of %d pages", len(have), n)
			}
			maps.Copy(committed, l.Lengths())
			if err := Cut(dir, committed); err != nil { // and one a moment later to what took their place
				t.Fatal(err)
			}
		}
		if l.Thinned() {
			if err := l.Sweep(); err != nil {
				t.Fatal(err)
			}
		}
		maps.Copy(committed, l.Lengths())
	}
	if err := l.Close(); err != nil || before == 0 || !l.Full() {
		t.Fatal(err, before)
	}
	have, taken := numbersOfLooks(t, dir), map[float64]int{}
	for _, n := range have {
		taken[relevances[(n-1)%4]]++
	}
	if !slices.IsSorted(have) || taken[.5] != 40 || !(taken[.2] >= taken[.1] && taken[.1] >= taken[.01]) || taken[.01]+taken[.1] == 0 || len(have) == 160 {
		t.Errorf("by relevance %v, in the order %v", taken, have)
	}
	if err := Cut(dir, committed); err != nil || len(numbersOfLooks(t, dir)) != len(have) {
		t.Errorf("what was committed is not there: %v", err)
	}
	again, err := OpenLooks(dir, o)
	if err != nil || !again.Full() {
		t.Fatalf("opened again: %v", err)
	}
	if err := again.Take(seenPage(500, .5)); err != nil || again.Close() != nil {
		t.Fatal(err)
	}
	if have := numbersOfLooks(t, dir); have[len(have)-1] != 500 {
		t.Errorf("it does not go on where it was: %v", have)
	}
	var none *Looks
	if none.Wants(1, "", true) || none.Full() || none.Thinned() || none.Close() != nil {
		t.Error("no looks want something")
	}
}

// A page that is longer than what is read at a time makes room, or stays, like any other.
func TestALongPageIsThinnedOut(t *testing.T) {
	dir := t.TempDir()
	l, err := OpenLooks(dir, LooksOptions{Mode: "all", Threshold: .3, Most: 6 << 20, Rotate: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	for n, relevance := range []float64{.5, .01, .5, .6} {
		s := seenPage(n+1, relevance)
		if n < 2 {
			s.Record.Text = strings.Repeat("text", 1<<19+n)
		}
		if n == 3 {
			l.Most = l.used() // no room for it
		}
		if err := l.Take(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := l.Sweep(); err != nil {
		t.Fatal(err)
	}
	if have := numbersOfLooks(t, dir); !slices.Equal(have, []int{1, 3, 4}) {
		t.Errorf("pages %v are there", have)
	}
}

func numbersOfLooks(t *testing.T, dir string) (numbers []int) {
	t.Helper()
	for s, err := range ReadLooks(dir) {
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, int(s.Record.ID))
	}
	return numbers
}

// Of what is clearly foreign a few pages are enough, always the same ones.
func TestWhatIsLikely(t *testing.T) {
	few := 0
	for n := range 1000 {
		if Likely(.01, .3, fmt.Sprint(n)) {
			few++
		}
	}
	if few < 80 || few > 180 || !Likely(.06, .3, "") {
		t.Errorf("%d of 1000 foreign pages", few)
	}
}

// All pages of a site that gives much are wanted: of what is of a topic as a whole many pages have none of its terms.
func TestWhoGivesMuch(t *testing.T) {
	for of, want := range map[[2]int]bool{{0, 0}: false, {2, 2}: false, {3, 3}: true, {12, 3}: true, {13, 3}: false, {400, 100}: true, {400, 99}: false} {
		if GivesMuch(of[0], of[1]) != want {
			t.Errorf("%d of %d pages are relevant: it gives much is %v, want %v", of[1], of[0], !want, want)
		}
	}
	l := &Looks{LooksOptions: LooksOptions{Mode: "likely", Threshold: .3}}
	wanted := 0
	for n := range 100 {
		if !l.Wants(0, fmt.Sprint(n), true) {
			t.Errorf("page %d of a site that gives much is not wanted", n)
		}
		if l.Wants(0, fmt.Sprint(n), false) {
			wanted++
		}
	}
	if wanted > 30 {
		t.Errorf("%d of 100 clearly foreign pages are wanted", wanted)
	}
}

func BenchmarkTake(b *testing.B) {
	l, err := OpenLooks(b.TempDir(), LooksOptions{Mode: "all", Threshold: .3, Most: 1 << 40, Rotate: 1 << 30})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	s := seenPage(1, .5)
	s.Record.Text, s.Record.Markdown = strings.Repeat("some words of a page ", 250), strings.Repeat("some words of a page ", 250)
	for range 80 {
		s.Links = append(s.Links, Pointer{Key(fmt.Sprint(len(s.Links))), 7, "what a link says"})
	}
	for b.Loop() {
		if err := l.Take(s); err != nil {
			b.Fatal(err)
		}
	}
}

// The body of a page whose values are wanted comes back as it was, and takes less room than it has.
func TestBodiesAreReadBackAsTheyWereTaken(t *testing.T) {
	dir := t.TempDir()
	l, err := OpenLooks(dir, LooksOptions{Mode: "all", Threshold: .3, Most: 1 << 20, Rotate: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	bodies := [][]byte{[]byte(strings.Repeat("<p>茶 and tea</p>", 500)), nil, []byte("<p>\x00\xff")}
	for n, body := range bodies {
		page := seenPage(n+1, .1)
		page.Body = body
		if err := l.Take(page); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	n := 0
	for s, err := range ReadLooks(dir) {
		if err != nil || string(s.Body) != string(bodies[n]) {
			t.Errorf("page %d has a body of %d bytes (%v), want %d", n, len(s.Body), err, len(bodies[n]))
		}
		n++
	}
	if info, err := os.Stat(dir + "/look.jsonl"); err != nil || info.Size() > 6000 || n != len(bodies) {
		t.Errorf("%d pages take %v bytes (%v)", n, info.Size(), err)
	}
}

// A value is a field of its own, and a table whose columns are others than before begins a new file: no row stands below names that
// are not its own.
func TestOtherColumnsBeginAFile(t *testing.T) {
	dir := t.TempDir()
	write := func(fields ...string) {
		t.Helper()
		s, err := Open(dir, Options{To: "csv", Fields: fields})
		if err != nil {
			t.Fatal(err)
		}
		r := seenPage(1, .5).Record
		r.Data = map[string]json.RawMessage{"price": json.RawMessage("12.5"), "tags": json.RawMessage(`["a","b"]`), "none": json.RawMessage("null")}
		if err := s.Write(r); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	write("id", "data.price")
	write("id", "data.price")
	write("id", "data.tags", "data.none", "data.never")
	for name, want := range map[string]string{"harvest.csv": "id,data.price\n1,12.5\n1,12.5\n", "harvest-0001.csv": "id,data.tags,data.none,data.never\n1,a; b,,\n"} {
		if have, err := os.ReadFile(dir + "/" + name); err != nil || string(have) != want {
			t.Errorf("%s is %q (%v), want %q", name, have, err, want)
		}
	}
}
