package frontier

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"
)

func TestFallingOrdersAllNumbers(t *testing.T) {
	scores := []float32{-math.MaxFloat32, -2, -1.5, -math.SmallestNonzeroFloat32, 0, math.SmallestNonzeroFloat32, .1, 1, math.MaxFloat32}
	for i, a := range scores {
		for j, b := range scores {
			if (falling(a) < falling(b)) != (a > b) {
				t.Errorf("%v and %v (%d, %d) are in the wrong order", a, b, i, j)
			}
		}
	}
	if falling(float32(math.Copysign(0, -1))) != falling(0) {
		t.Error("the two zeros differ")
	}
}

type ints struct{ places map[int]uint32 }

func (ints) before(a, b int) bool     { return a < b }
func (o ints) moved(x int, at uint32) { o.places[x] = at }

func TestHeap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	o := ints{map[int]uint32{}}
	var h []int
	for _, x := range r.Perm(500) {
		heapPush(o, &h, x)
	}
	built := slices.Clone(h)
	r.Shuffle(len(built), func(i, j int) { built[i], built[j] = built[j], built[i] })
	heapBuild(o, built)
	for i := 1; i < len(built); i++ {
		if built[i] < built[(i-1)/arity] {
			t.Fatalf("built: %d stands above %d", built[(i-1)/arity], built[i])
		}
	}
	heapBuild(o, h)
	for range 250 { // from anywhere
		x := h[r.IntN(len(h))]
		heapRemove(o, &h, o.places[x])
		if o.places[x] != nowhere {
			t.Fatalf("%d was taken out and stands at %d", x, o.places[x])
		}
	}
	for last := -1; len(h) > 0; {
		for i, x := range h {
			if o.places[x] != uint32(i) {
				t.Fatalf("%d stands at %d and is told %d", x, i, o.places[x])
			}
		}
		if h[0] <= last {
			t.Fatalf("%d after %d", h[0], last)
		}
		last = h[0]
		heapRemove(o, &h, 0)
	}
}

func TestManual(t *testing.T) {
	start := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	m := NewManual(start)
	ring, _ := m.After(time.Second)
	_, giveUp := m.After(time.Second)
	if m.Timers() != 2 {
		t.Errorf("%d timers, want 2", m.Timers())
	}
	giveUp()
	m.Advance(time.Second - 1)
	select {
	case <-ring:
		t.Error("it rang too early")
	default:
	}
	m.Advance(1)
	if got := <-ring; !got.Equal(start.Add(time.Second)) || m.Timers() != 0 {
		t.Errorf("it rang at %v, %d timers are left", got, m.Timers())
	}
	m.Set(start)
	if !m.Now().Equal(start.Add(time.Second)) {
		t.Error("the clock went back")
	}
	now, _ := m.After(0)
	<-now
}

// A schedule that was written down and restored hands out the same items in the same order.
func TestRestore(t *testing.T) {
	now := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	m := Manners{Delay: time.Second, Turns: true}
	s := NewSchedule[uint64](m)
	r := rand.New(rand.NewPCG(1, 2))
	for n := range uint64(3000) {
		tier := []uint32{0, 0, 1, Held, Held + 1}[r.IntN(5)]
		s.Add(fmt.Sprint("host", r.IntN(40)), tier, float32(r.IntN(10)), float32(r.IntN(10)), n)
	}
	var out []Lease
	for range 200 {
		id, _, _ := s.Next(0, now)
		if id == 0 {
			now = now.Add(time.Second)
			continue
		}
		s.Lease(id, now)
		if r.IntN(20) == 0 {
			out = append(out, Lease{ID: id, At: now})
			continue
		}
		s.End(id, now, Outcome{Failed: r.IntN(3) == 0})
	}
	other := NewSchedule[uint64](m)
	other.Restore(s.Served())
	for _, h := range s.HostRecords() {
		other.RestoreHost(h)
	}
	records := make([]Record[uint64], 1000)
	for id := uint64(1); ; id += 1000 {
		n := s.Records(id, records)
		for _, r := range records[:n] {
			if !other.RestoreItem(r) {
				t.Fatal("an item's host is unknown")
			}
		}
		if n < len(records) {
			break
		}
	}
	other.Build(out, true, now)
	for _, l := range out {
		if id, _, err := other.Next(0, now); id != l.ID || err != nil {
			t.Fatalf("the next is %d, %v, want the interrupted %d", id, err, l.ID)
		}
		other.Lease(l.ID, now)
	}
	if s.Len() != other.Len() || s.leased != other.leased {
		t.Fatalf("%d wait and %d are out, want %d and %d", other.Len(), other.leased, s.Len(), s.leased)
	}
	for range 5000 {
		lane := r.IntN(2)
		a, at, err := s.Next(lane, now)
		b, bt, berr := other.Next(lane, now)
		if a != b || !at.Equal(bt) || err != berr {
			t.Fatalf("restored: %d, %v, %v, want %d, %v, %v", b, bt, berr, a, at, err)
		}
		if a == 0 {
			if err != nil {
				break
			}
			now = at
			continue
		}
		s.Lease(a, now)
		other.Lease(b, now)
		o := Outcome{Failed: r.IntN(3) == 0}
		s.End(a, now, o)
		other.End(b, now, o)
	}
}

// BenchmarkMemory pushes, pops and ends, over a thousand hosts.
func BenchmarkMemory(b *testing.B) {
	clock := NewManual(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC))
	urls := make([]string, 100_000)
	for i := range urls {
		urls[i] = fmt.Sprintf("https://www.host-%03d.example/a/path/of/the/usual/length/%012d", i%1000, i)
	}
	b.Run("push", func(b *testing.B) {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		f := NewMemory(Manners{Clock: clock})
		n := 0
		for b.Loop() {
			if n < len(urls) {
				f.Push(Item{URL: urls[n], Host: urls[n][8:24], Score: float32(n%997) / 997})
			} else {
				f.Push(Item{URL: urls[n%len(urls)], Host: "", Score: float32(n%997) / 997})
			}
			n++
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(min(n, len(urls))), "B/link")
		runtime.KeepAlive(f)
	})
	b.Run("pop and done", func(b *testing.B) {
		f := NewMemory(Manners{Delay: time.Second, Clock: clock})
		for i, url := range urls {
			f.Push(Item{URL: url, Host: url[8:24], Score: float32(i%997) / 997})
		}
		for b.Loop() {
			it, ready, err := f.TryPop(0)
			if err != nil {
				b.Fatal(err)
			}
			if it.ID == 0 {
				clock.Set(ready)
				continue
			}
			f.Done(it.ID, Outcome{Again: true, Score: it.Score})
		}
	})
}

func TestNamesAreFoundWhateverTheirHashes(t *testing.T) {
	s := NewSchedule[struct{}](Manners{})
	for n := range uint32(1000) {
		name := fmt.Sprint(n)
		if got := s.named(name); got != nowhere {
			t.Fatalf("host %s is found as %d before it was named", name, got)
		}
		if got := s.host(name); got != n {
			t.Fatalf("host %s has number %d", name, got)
		}
	}
	for n := range uint32(1000) {
		if got := s.host(fmt.Sprint(n)); got != n {
			t.Errorf("host %d is found as %d", n, got)
		}
	}
	same := newNames() // of hosts whose hashes are one, each is found
	for n := range uint32(100) {
		same.put(7<<32, n)
	}
	for n := range uint32(100) {
		if got := same.find(7<<32, func(x uint32) bool { return x == n }); got != n {
			t.Errorf("host %d is found as %d", n, got)
		}
	}
}
