package main

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// patient is a transport whose end comes when all that was asked is answered: the server gives up what is under way as soon as it
// hears that nothing more comes, and who asks through a pipe has said all before the first answer is there.
type patient struct{ mcp.Transport }

func (p patient) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := p.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &talk{Connection: c, open: map[jsonrpc.ID]bool{}, done: make(chan struct{})}, nil
}

// talk is a connection that knows what is not answered yet.
type talk struct {
	mcp.Connection
	mu    sync.Mutex
	open  map[jsonrpc.ID]bool // what was asked, and is not answered
	ended bool                // nothing more comes
	done  chan struct{}       // closed when there is nothing to wait for
}

func (t *talk) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := t.Connection.Read(ctx)
	t.change(func() {
		if asked, ok := message.(*jsonrpc.Request); ok && asked.IsCall() {
			t.open[asked.ID] = true
		}
		t.ended = t.ended || err != nil
	})
	if err != nil {
		select {
		case <-t.done:
		case <-ctx.Done():
		}
	}
	return message, err
}

func (t *talk) Write(ctx context.Context, message jsonrpc.Message) error {
	err := t.Connection.Write(ctx, message)
	t.change(func() {
		if answer, ok := message.(*jsonrpc.Response); ok {
			delete(t.open, answer.ID)
		}
		if err != nil {
			clear(t.open) // nobody hears the others
		}
	})
	return err
}

func (t *talk) Close() error {
	t.change(func() { t.ended = true; clear(t.open) })
	return t.Connection.Close()
}

// change changes what is known, and tells when there is nothing to wait for.
func (t *talk) change(by func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	by()
	if !t.ended || len(t.open) > 0 {
		return
	}
	select {
	case <-t.done:
	default:
		close(t.done)
	}
}
