package redis

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

//go:embed order.lua
var order string

var (
	//go:embed push.lua
	pushLua string
	//go:embed pop.lua
	popLua string
	//go:embed done.lua
	doneLua string
	//go:embed change.lua
	changeLua string
	//go:embed host.lua
	hostLua string
	//go:embed renew.lua
	renewLua string
	//go:embed keep.lua
	keepLua string
	//go:embed trim.lua
	trimLua string
	//go:embed commit.lua
	commitLua string
	//go:embed answer.lua
	answerLua string

	push   = script(pushLua)
	pop    = script(popLua)
	done   = script(doneLua)
	change = script(changeLua)
	setFor = script(hostLua)
	renew  = script(renewLua)
	keep   = script(keepLua)
	trim   = script(trimLua)
	commit = script(commitLua)
)

// script is what all scripts share, and what this one does.
func script(does string) *goredis.Script {
	return goredis.NewScript(order + "local function answer()\n" + does + "\nend\n" + answerLua)
}

// ask runs a script once. Its answer is a list that begins with a word.
func (f *Frontier) ask(ctx context.Context, s *goredis.Script, args ...any) ([]any, error) {
	if f.isClosed() {
		return nil, frontier.ErrClosed
	}
	now := int64(-1)
	if f.manners.Load().Clock != nil {
		now = f.clock.Now().UnixMicro()
	}
	m := f.manners.Load()
	all := append([]any{f.born, now, m.PerHost, f.o.Lanes, m.PerIP, int(m.Share * 100), m.Patience.Microseconds(), m.Steps(),
		m.Delay.Microseconds(), m.Ceiling.Microseconds(), f.mark, f.counted.Load()}, args...)
	answer, err := s.Run(ctx, f.client, []string{f.prefix}, all...).Slice()
	if err != nil {
		return nil, fmt.Errorf("the store in Redis: %w", err)
	}
	switch answer[0] {
	case "gone":
		return nil, f.at(ErrGone)
	case "older":
		return nil, f.at(ErrOlder)
	}
	last := len(answer) - 1
	f.counted.raise(answer[last].(int64))
	switch answer = answer[:last]; answer[0] {
	case "not leased":
		return nil, frontier.ErrNotLeased
	case "idle":
		return nil, frontier.ErrIdle
	case "held":
		return nil, frontier.ErrHeld
	case "empty":
		return nil, frontier.ErrEmpty
	}
	return answer, nil
}

// stored is an answer of Redis; of an error it says whose it is.
func stored[T any](answer T, err error) (T, error) {
	if err != nil {
		err = fmt.Errorf("the store in Redis: %w", err)
	}
	return answer, err
}

// run runs a script, and while Redis does not answer it tries again, ever later, until the frontier is closed. What a
// script does it does once, however often it is asked to.
func (f *Frontier) run(s *goredis.Script, args ...any) ([]any, error) {
	return insist(f, func(ctx context.Context) ([]any, error) { return f.ask(ctx, s, args...) })
}

func (f *Frontier) isClosed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.closed
}

// tell wakes one of those who wait, because something has changed.
func (f *Frontier) tell() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changes++
	f.door.Tell(time.Time{}, nil)
}
