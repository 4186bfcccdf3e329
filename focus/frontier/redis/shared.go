package redis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// What was learned is shared as lessons: each outcome leaves its own in a list, and every machine hears those of the others
// (Hear). A snapshot of what one machine has learned, with how far it has heard, lets those that join later begin there.
//
//	lessons  list  the mark of the process that told it · lesson
//	learned  hash  in the first shard: state, and at:N for every shard N: how many of its lessons are in it
//	m        hash  gone: how many lessons were taken off the front of the list; command and commands: what all machines are
//	               told, and how often they were told something
//	count    hash  the sums of the counters
//	files:WORKER hash the lengths of its output files

// markSize is how long a process's mark is in the name of a worker.
const markSize = 16

// find reads what the crawl has come to so far. Between a state and the lessons after it, a machine may take away what a later
// state has: then it begins anew with that one.
func (f *Frontier) find(ctx context.Context) error {
	for before := map[string]string(nil); ; {
		found := frontier.Restored{Counters: map[string]int64{}, Files: map[string]int64{}}
		learned, err := f.client.HGetAll(ctx, f.shards[0].prefix+"learned").Result()
		whole := err == nil
		for _, sh := range f.shards {
			if err == nil {
				var all bool
				all, err = f.findIn(ctx, sh, &found, learned)
				whole = whole && all
			}
		}
		if err != nil {
			return err
		}
		if state := learned["state"]; state != "" {
			found.Learned = []byte(state)
		}
		if whole || before != nil && maps.Equal(learned, before) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.found = found
			return nil
		}
		before = learned
	}
}

// findIn adds what a shard has come to. whole tells that no lesson is missing between what was learned and those that it has.
func (f *Frontier) findIn(ctx context.Context, sh *shard, found *frontier.Restored, learned map[string]string) (whole bool, err error) {
	p := f.client.TxPipeline()
	m, count := p.HGetAll(ctx, sh.prefix+"m"), p.HGetAll(ctx, sh.prefix+"count")
	files, lessons := p.HGetAll(ctx, sh.prefix+"files:"+f.o.Worker), p.LRange(ctx, sh.prefix+"lessons", 0, -1)
	if _, err := p.Exec(ctx); err != nil {
		return false, err
	}
	found.Items += int(number(m.Val()["ids"]))
	found.Waiting += int(number(m.Val()["waiting"]))
	if at := number(m.Val()["at"]); at > found.At.UnixMicro() {
		found.At = time.UnixMicro(at)
	}
	add(found.Counters, count.Val())
	for name, n := range files.Val() {
		found.Files[name] = max(found.Files[name], number(n))
	}
	at, gone := number(learned["at:"+strconv.Itoa(sh.number)]), number(m.Val()["gone"])
	for _, told := range lessons.Val()[min(max(at-gone, 0), int64(len(lessons.Val()))):] {
		if _, lesson, ok := teacher(told); ok {
			found.Lessons = append(found.Lessons, []byte(lesson))
		}
	}
	sh.heard = gone + int64(len(lessons.Val()))
	return gone <= at, nil
}

func add(sums map[string]int64, more map[string]string) {
	for name, n := range more {
		sums[name] += number(n)
	}
}

// teacher is the process that told a lesson, and the lesson.
func teacher(told string) (mark, lesson string, ok bool) {
	if len(told) < markSize {
		return "", "", false
	}
	return told[:markSize], told[markSize:], true
}

// Restored is what was found in Redis when the crawl was joined. The lengths of files are those of this worker.
func (f *Frontier) Restored() frontier.Restored {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.found
}

// Recall is what the crawl has come to by now, as Restored was when it was joined, and counts as heard: for a machine that has
// learned what nobody else has, and learns it all anew.
func (f *Frontier) Recall() (frontier.Restored, error) {
	f.hearing.Lock()
	defer f.hearing.Unlock()
	return insist(f, func(ctx context.Context) (frontier.Restored, error) {
		err := f.find(ctx)
		return f.Restored(), err
	})
}

// Hear answers what the other machines have learned since it was last asked, in the order in which they told it.
func (f *Frontier) Hear() (lessons [][]byte, err error) {
	f.hearing.Lock()
	defer f.hearing.Unlock()
	for _, sh := range f.shards {
		from := sh.heard
		news, err := insist(f, func(ctx context.Context) (heard, error) { return sh.lessons(ctx, f.client, from) })
		if err != nil {
			return lessons, err
		}
		sh.heard = news.first + int64(len(news.told))
		for _, t := range news.told {
			if mark, lesson, ok := teacher(t); ok && mark != f.mark {
				lessons = append(lessons, []byte(lesson))
			}
		}
	}
	return lessons, nil
}

// heard are lessons of a shard, and the number of the first of them.
type heard struct {
	told  []string
	first int64
}

// lessons are those of a shard from a number on.
func (sh *shard) lessons(ctx context.Context, client goredis.UniversalClient, from int64) (h heard, err error) {
	for {
		before, err := client.HGet(ctx, sh.prefix+"m", "gone").Int64()
		if err == nil || errors.Is(err, goredis.Nil) {
			h.first = max(from, before)
			h.told, err = client.LRange(ctx, sh.prefix+"lessons", h.first-before, -1).Result()
		}
		if err != nil {
			return heard{}, fmt.Errorf("redis: %w", err)
		}
		after, err := client.HGet(ctx, sh.prefix+"m", "gone").Int64()
		if err != nil && !errors.Is(err, goredis.Nil) {
			return heard{}, fmt.Errorf("redis: %w", err)
		}
		if before == after { // nobody has taken lessons off meanwhile
			return h, nil
		}
	}
}

// Snapshot keeps what this machine has learned, its own lessons and those it has heard, for machines that join later. It
// must have told nothing since it last asked to Hear: what came after that is learned again by those who join.
// Lessons that it contains are let go of a thousand lessons later: whoever is that far behind misses them.
func (f *Frontier) Snapshot(learned []byte) error {
	f.hearing.Lock()
	defer f.hearing.Unlock()
	args := []any{learned}
	for _, sh := range f.shards {
		args = append(args, sh.heard)
	}
	kept, err := f.run(f.shards[0], keep, args...)
	if err != nil || len(kept) < 2 { // another machine knows more
		return err
	}
	for _, sh := range f.shards {
		if _, err := f.run(sh, trim, sh.heard, keptLessons); err != nil {
			return err
		}
	}
	return nil
}

// keptLessons are those that are kept behind a snapshot, for machines that have not heard them.
const keptLessons = 1000

// Commit keeps a lesson and file lengths that belong to no outcome.
func (f *Frontier) Commit(lesson []byte, files map[string]int64) error {
	call, answered := f.telling()
	defer answered()
	args := []any{f.worker(), call, lesson}
	for name, n := range files {
		args = append(args, name, n)
	}
	_, err := f.run(f.shards[0], commit, args...)
	return err
}

// Sync does nothing: what is told is in Redis when the call returns. How safe it is there is a matter of its own settings.
func (f *Frontier) Sync() error { return nil }

// Counters is what all machines have counted.
func (f *Frontier) Counters() (map[string]int64, error) {
	counted := map[string]int64{}
	all := f.sums("count")
	if all == nil {
		return nil, frontier.ErrClosed
	}
	for _, counts := range all {
		add(counted, counts)
	}
	return counted, nil
}

// Command tells all machines what to do.
func (f *Frontier) Command(c frontier.Command) error {
	_, err := insist(f, func(ctx context.Context) (none struct{}, err error) {
		key := f.shards[0].prefix + "m"
		cmds, err := f.client.TxPipelined(ctx, func(p goredis.Pipeliner) error {
			p.HIncrBy(ctx, key, "commands", 1)
			p.HSet(ctx, key, "command", c.String())
			return nil
		})
		if goredis.IsExecAbortError(err) { // why is said of the command that was refused
			err = cmp.Or(cmds[0].Err(), err)
		}
		if err != nil {
			return none, fmt.Errorf("redis: %w", err)
		}
		return none, nil
	})
	return err
}

// Commanded is what all machines are told to do. That they are to stop is told to those that had a part in the crawl then:
// whoever joins later goes on with it.
func (f *Frontier) Commanded() (frontier.Command, error) {
	return insist(f, func(ctx context.Context) (frontier.Command, error) {
		said, err := f.client.HMGet(ctx, f.shards[0].prefix+"m", "command", "commands").Result()
		if err != nil {
			return frontier.GoOn, fmt.Errorf("redis: %w", err)
		}
		name, _ := said[0].(string)
		c := frontier.CommandOf(name)
		if c == frontier.Stop && number(said[1]) <= f.told {
			c = frontier.GoOn
		}
		return c, nil
	})
}
