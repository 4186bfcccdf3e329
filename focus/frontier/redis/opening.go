package redis

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

// Await waits until a Redis gives a sign of life, however long that takes, or ctx is done: for whoever has a part in a crawl and
// may be started before it. It ends at once where what answers is no Redis that can be used, and where there is no machine of
// the name. away hears why it waits, and with nil when that is over; it may be nil.
func Await(ctx context.Context, client Client, away func(error)) error {
	o := newOpening(client, away)
	o.most = 0
	if err := o.wait(ctx, func(ctx context.Context) error { return knock(ctx, client) }, unreached); err != nil {
		return fmt.Errorf("the store in Redis: %w", err)
	}
	return nil
}

// mostOpening is how long a Redis is waited for that answers and cannot be used yet, and longestLook the longest wait between
// two looks meanwhile.
const (
	mostOpening = 10 * time.Minute
	longestLook = 5 * time.Second
)

// opening waits for a Redis that cannot be used yet: that reads its data back, is full, or about to become a master. Whoever
// has the wrong address need not wait: what has never answered is not waited for.
type opening struct {
	client Client
	away   func(error)   // hears why it is waited for, and with nil when that is over; may be nil
	poll   time.Duration // the first wait
	most   time.Duration // for how long in all; 0 for ever
}

func newOpening(client Client, away func(error)) opening {
	return opening{client, away, time.Second / 4, mostOpening}
}

// knock waits until Redis gives a sign of life.
func (o opening) knock(ctx context.Context) error {
	return o.wait(ctx, func(ctx context.Context) error { return knock(ctx, o.client) }, o.fallenOver)
}

// do does something, and again as long as what hinders it may pass.
func (o opening) do(ctx context.Context, what func(context.Context) error) error {
	return o.wait(ctx, what, unheard)
}

// wait does something, and again as long as what hinders it is an ailment that passes, or another hindrance that may.
func (o opening) wait(ctx context.Context, what func(context.Context) error, mayPass func(error) bool) error {
	over := time.Now().Add(o.most)
	said := false
	var hindrance error // what it is waited for
	for pause := o.poll; ; pause = min(2*pause, longestLook) {
		err := what(ctx)
		var answer goredis.Error
		if passes := err != nil && (errors.As(err, &answer) && passing(answer) != nil || mayPass(err)); !passes || ctx.Err() != nil {
			if hindrance != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) { // who gave up in the middle of a look wants to know why it took so long
				return fmt.Errorf("it was not waited for any longer: %w", advised(hindrance))
			}
			if said && o.away != nil && err == nil {
				o.away(nil)
			}
			return advised(err)
		}
		if !said && o.away != nil {
			o.away(advised(err))
		}
		said, hindrance = true, err
		if o.most > 0 && time.Now().After(over) {
			return fmt.Errorf("after waiting for it for %v: %w", o.most, advised(err))
		}
		ring := time.NewTimer(pause)
		select {
		case <-ring.C:
		case <-ctx.Done():
			ring.Stop()
			return fmt.Errorf("it was not waited for any longer: %w", advised(err))
		}
	}
}

// fallenOver tells that a master is away of which Sentinel knows: another will take its place.
func (o opening) fallenOver(err error) bool {
	c, ok := o.client.(*goredis.Client)
	return ok && c.Options().Addr == failover && unheard(err) && !strings.Contains(err.Error(), "sentinel")
}

// unreached tells that nobody took the call, or took it and said nothing, as a machine that is about to start. An address whose
// machine there is not is a wrong one.
func unreached(err error) bool {
	var name *net.DNSError
	if errors.As(err, &name) && name.IsNotFound {
		return false
	}
	var way *net.OpError
	return errors.As(err, &way) && way.Op == "dial" || errors.Is(err, context.DeadlineExceeded) ||
		strings.Contains(err.Error(), "all sentinels specified in configuration are unreachable")
}

// unheard tells that an error is about the way to Redis, and not an answer.
func unheard(err error) bool {
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}
