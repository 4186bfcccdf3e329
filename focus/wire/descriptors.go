package wire

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"
)

// descriptors bounds the connections that are open at the same time, by the files that the system lets this process open: with
// more of them neither a connection could be made nor what was found be written.
type descriptors struct {
	free chan struct{}
	idle func() // closes connections that nothing is using
}

// otherFiles are so many descriptors that stay free for other files, or half of all where there are few.
const otherFiles = 96

// newDescriptors is the bound for a limit of the system; nil where it is not known.
func newDescriptors(limit uint64, idle func()) *descriptors {
	if limit == 0 || limit > 1<<20 {
		return nil
	}
	return &descriptors{free: make(chan struct{}, max(limit-min(otherFiles, limit/2), 1)), idle: idle}
}

// dialing waits before it dials until another connection may be open.
func (d *descriptors) dialing(dial dialFunc) dialFunc {
	if d == nil {
		return dial
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if err := d.wait(ctx, address); err != nil {
			return nil, err
		}
		conn, err := dial(ctx, network, address)
		if err != nil {
			<-d.free
			return nil, err
		}
		return &counted{Conn: conn, release: sync.OnceFunc(func() { <-d.free })}, nil
	}
}

// idleEvery is how often, while somebody waits, connections that nothing is using are closed for it.
const idleEvery = 50 * time.Millisecond

func (d *descriptors) wait(ctx context.Context, address string) error {
	select {
	case d.free <- struct{}{}:
		return nil
	default:
	}
	tick := time.NewTicker(idleEvery)
	defer tick.Stop()
	for {
		d.idle()
		select {
		case d.free <- struct{}{}:
			return nil
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("dial %q: too many connections are open: have the limit on open files raised (ulimit -n), or lower polite.parallel: %w",
				address, context.Cause(ctx))
		}
	}
}

// counted is a connection that gives its place back when it is closed.
type counted struct {
	net.Conn
	release func()
}

func (c *counted) Close() error {
	defer c.release()
	return c.Conn.Close()
}
