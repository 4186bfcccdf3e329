package redis

import (
	"testing"

	"github.com/alicebob/miniredis/v2"
	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// Who keeps what was learned and does not hear the answer asks again: what was kept stays.
func TestWhatWasLearnedIsKeptThoughTheAnswerIsLost(t *testing.T) {
	server := miniredis.RunT(t)
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr(), MaxRetries: -1})
	t.Cleanup(func() { client.Close() })
	f := open(t, client, frontier.Manners{}, Options{Poll: 1})
	if err := f.Commit([]byte("lesson"), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Hear(); err != nil {
		t.Fatal(err)
	}
	hook := &between{}
	lose := func() error { return errUnheard }
	hook.next.Store(&lose)
	client.AddHook(hook)
	if err := f.Snapshot([]byte("what was learned")); err != nil {
		t.Fatal(err)
	}
	joined := open(t, client, frontier.Manners{}, Options{})
	if r := joined.Restored(); string(r.Learned) != "what was learned" || len(r.Lessons) != 0 {
		t.Errorf("%q and %d lessons are there", r.Learned, len(r.Lessons))
	}
}
