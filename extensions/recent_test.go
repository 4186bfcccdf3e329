package extensions

import "testing"

func TestRecentKeepsWhatIsUsed(t *testing.T) {
	r := newRecent[int, int](10)
	r.put(-1, 7)
	for i := range 1000 {
		r.put(i, i)
		if v, ok := r.get(-1); !ok || v != 7 {
			t.Fatalf("after %d others what is used all the time is gone", i)
		}
		if r.len() > 10 {
			t.Fatalf("%d are remembered", r.len())
		}
	}
	for i := 996; i < 1000; i++ {
		if v, ok := r.get(i); !ok || v != i {
			t.Errorf("%d, just used, is gone", i)
		}
	}
	if _, ok := r.get(5); ok {
		t.Error("5, not used for long, is still there")
	}
	if v := r.update(999, func(old int, known bool) int { return old + 1 }); v != 1000 {
		t.Errorf("updated to %d", v)
	}
	one := newRecent[int, int](1)
	one.put(1, 1)
	if v, ok := one.get(1); !ok || v != 1 {
		t.Error("a memory of one forgets at once")
	}
}
