package redis

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// What was learned is shared as lessons: each outcome leaves its own in a list, and every machine hears those of the others
// (Hear). A snapshot of what one machine has learned, with how far it has heard, lets those that join later begin there.
//
//	lessons  list  the mark of the process that told it · lesson
//	learned  hash  state, state:1, …: what was learned, in parts; and at:0: how many lessons are in it. It is laid ready under
//	               another name
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
		var found frontier.Restored
		learned, err := f.client.HGetAll(ctx, f.prefix+"learned").Result()
		whole := false
		if err == nil {
			whole, err = f.findSince(ctx, &found, number(learned["at:0"]))
		}
		if err != nil {
			return err
		}
		found.Learned = wholeOf(learned)
		if whole || before != nil && maps.Equal(learned, before) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.found = found
			return nil
		}
		before = learned
	}
}

// findSince adds what the crawl has come to, with the lessons from a number on. whole tells that none of those is missing.
func (f *Frontier) findSince(ctx context.Context, found *frontier.Restored, at int64) (whole bool, err error) {
	p := f.client.TxPipeline()
	m, count := p.HGetAll(ctx, f.prefix+"m"), p.HGetAll(ctx, f.prefix+"count")
	files, lessons := p.HGetAll(ctx, f.prefix+"files:"+f.o.Worker), p.LRange(ctx, f.prefix+"lessons", 0, -1)
	if _, err := p.Exec(ctx); err != nil {
		return false, err
	}
	found.Items, found.Waiting = int(number(m.Val()["ids"])), int(number(m.Val()["waiting"]))
	if at := number(m.Val()["at"]); at > 0 {
		found.At = time.UnixMicro(at)
	}
	found.Counters, found.Files = numbers(count.Val()), numbers(files.Val())
	gone := number(m.Val()["gone"])
	for _, told := range lessons.Val()[min(max(at-gone, 0), int64(len(lessons.Val()))):] {
		if _, lesson, ok := teacher(told); ok {
			found.Lessons = append(found.Lessons, []byte(lesson))
		}
	}
	f.heard = gone + int64(len(lessons.Val()))
	return gone <= at, nil
}

// numbers are those of a hash.
func numbers(hash map[string]string) map[string]int64 {
	out := make(map[string]int64, len(hash))
	for name, n := range hash {
		out[name] = number(n)
	}
	return out
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
	news, err := insist(f, func(ctx context.Context) (heard, error) { return f.lessonsFrom(ctx, f.heard) })
	if err != nil {
		return nil, err
	}
	f.heard = news.first + int64(len(news.told))
	for _, t := range news.told {
		if mark, lesson, ok := teacher(t); ok && mark != f.mark {
			lessons = append(lessons, []byte(lesson))
		}
	}
	return lessons, nil
}

// heard are lessons, and the number of the first of them.
type heard struct {
	told  []string
	first int64
}

// lessonsFrom are those from a number on.
func (f *Frontier) lessonsFrom(ctx context.Context, from int64) (h heard, err error) {
	for {
		before, err := f.client.HGet(ctx, f.prefix+"m", "gone").Int64()
		if err == nil || errors.Is(err, goredis.Nil) {
			h.first = max(from, before)
			h.told, err = f.client.LRange(ctx, f.prefix+"lessons", h.first-before, -1).Result()
		}
		if err != nil {
			return heard{}, fmt.Errorf("the store in Redis: %w", err)
		}
		var gone *goredis.StringCmd
		var long *goredis.IntCmd
		_, err = f.client.Pipelined(ctx, func(p goredis.Pipeliner) error {
			gone, long = p.HGet(ctx, f.prefix+"m", "gone"), p.LLen(ctx, f.prefix+"lessons")
			return nil
		})
		if err != nil && !errors.Is(err, goredis.Nil) {
			return heard{}, fmt.Errorf("the store in Redis: %w", err)
		}
		if after, _ := gone.Int64(); before == after { // nobody has taken lessons off meanwhile
			if from > before+long.Val() {
				return heard{}, f.unheardOf(ctx)
			}
			return h, nil
		}
	}
}

// unheardOf is what it means that lessons which were heard are not there any more.
func (f *Frontier) unheardOf(ctx context.Context) error {
	born, err := f.client.HGet(ctx, f.prefix+"m", "born").Result()
	switch {
	case err != nil && !errors.Is(err, goredis.Nil):
		return fmt.Errorf("the store in Redis: %w", err)
	case born != f.born:
		return f.at(ErrGone)
	}
	return f.at(ErrOlder)
}

// Snapshot keeps what this machine has learned, its own lessons and those it has heard, for machines that join later. It
// must have told nothing since it last asked to Hear: what came after that is learned again by those who join.
// Lessons that it contains are let go of a thousand lessons later: whoever is that far behind misses them.
func (f *Frontier) Snapshot(learned []byte) error {
	f.hearing.Lock()
	defer f.hearing.Unlock()
	if err := f.layReady(learned); err != nil {
		return err
	}
	kept, err := f.run(keep, f.mark, f.heard)
	if err != nil || len(kept) < 2 { // another machine knows more
		return err
	}
	_, err = f.run(trim, f.heard, keptLessons)
	return err
}

// learnedPart is how many bytes of what was learned stand in one field: Redis takes no more than 512 MiB at once.
const learnedPart = 64 << 20

// partOf is the field of a part of what was learned.
func partOf(n int) string {
	if n == 0 {
		return "state"
	}
	return "state:" + strconv.Itoa(n)
}

// layReady writes what was learned where nobody reads it, part by part. What a process leaves there that dies goes by itself.
func (f *Frontier) layReady(learned []byte) error {
	ready := f.prefix + "learning:" + f.mark
	n := 0
	for part := range slices.Chunk(learned, learnedPart) {
		_, err := insist(f, func(ctx context.Context) ([]goredis.Cmder, error) {
			return stored(f.client.Pipelined(ctx, func(p goredis.Pipeliner) error {
				p.HSet(ctx, ready, partOf(n), part)
				p.Expire(ctx, ready, time.Hour)
				return nil
			}))
		})
		if err != nil {
			return err
		}
		n++
	}
	return nil
}

// wholeOf is what was learned; nil if there was nothing.
func wholeOf(learned map[string]string) (all []byte) {
	for n := 0; learned[partOf(n)] != ""; n++ {
		all = append(all, learned[partOf(n)]...)
	}
	return all
}

// mostTold is how long a lesson may be.
const mostTold = 256 << 20

// told refuses a lesson that Redis would not take.
func told(lesson []byte) error {
	if len(lesson) > mostTold {
		return fmt.Errorf("a lesson of %d bytes: at most %d can be told at once", len(lesson), mostTold)
	}
	return nil
}

// keptLessons are those that are kept behind a snapshot, for machines that have not heard them.
const keptLessons = 1000

// Commit keeps a lesson and file lengths that belong to no outcome.
func (f *Frontier) Commit(lesson []byte, files map[string]int64) error {
	if err := told(lesson); err != nil {
		return err
	}
	call, answered := f.telling()
	defer answered()
	args := []any{f.worker(), call, lesson}
	for name, n := range files {
		args = append(args, name, n)
	}
	_, err := f.run(commit, args...)
	return err
}

// Sync does nothing: what is told is in Redis when the call returns. How safe it is there is a matter of its own settings.
func (f *Frontier) Sync() error { return nil }

// Counters is what all machines have counted.
func (f *Frontier) Counters() (map[string]int64, error) {
	all := f.sums("count")
	if all == nil {
		return nil, frontier.ErrClosed
	}
	return numbers(all), nil
}

// Command tells all machines what to do.
func (f *Frontier) Command(c frontier.Command) error {
	_, err := insist(f, func(ctx context.Context) (none struct{}, err error) {
		key := f.prefix + "m"
		return stored(none, f.together(ctx, func(p goredis.Pipeliner) {
			p.HIncrBy(ctx, key, "commands", 1)
			p.HSet(ctx, key, "command", c.String())
		}))
	})
	return err
}

// Commanded is what all machines are told to do. That they are to stop is told to those that had a part in the crawl then:
// whoever joins later goes on with it.
func (f *Frontier) Commanded() (frontier.Command, error) {
	return insist(f, func(ctx context.Context) (frontier.Command, error) {
		said, err := stored(f.client.HMGet(ctx, f.prefix+"m", "command", "commands").Result())
		if err != nil {
			return frontier.GoOn, err
		}
		name, _ := said[0].(string)
		c := frontier.CommandOf(name)
		if c == frontier.Stop && number(said[1]) <= f.told {
			c = frontier.GoOn
		}
		return c, nil
	})
}
