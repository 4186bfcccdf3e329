package recent

import "testing"

func TestRecentKeepsWhatIsUsed(t *testing.T) {
	r := New[int, int](10)
	r.Put(-1, 7)
	for i := range 1000 {
		r.Put(i, i)
		if v, ok := r.Get(-1); !ok || v != 7 {
			t.Fatalf("after %d others what is used all the time is gone", i)
		}
		if r.Len() > 10 {
			t.Fatalf("%d are remembered", r.Len())
		}
	}
	for i := 996; i < 1000; i++ {
		if v, ok := r.Get(i); !ok || v != i {
			t.Errorf("%d, just used, is gone", i)
		}
	}
	if _, ok := r.Get(5); ok {
		t.Error("5, not used for long, is still there")
	}
	if v := r.Update(999, func(old int, known bool) int { return old + 1 }); v != 1000 {
		t.Errorf("updated to %d", v)
	}
	one := New[int, int](1)
	one.Put(1, 1)
	if v, ok := one.Get(1); !ok || v != 1 {
		t.Error("a memory of one forgets at once")
	}
}
