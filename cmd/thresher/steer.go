package main

import (
	"context"
	"errors"
	"sync"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/serve"
)

// watched are the folders of the runs that a server shows: those named, or all below runs/.
func watched(args []string, open collections) func() []string {
	if len(args) == 0 {
		return func() []string { return run.RunsBelow("runs") }
	}
	var dirs []string
	for _, c := range open {
		dirs = append(dirs, c.Dir)
	}
	return func() []string { return dirs }
}

// sharedOf are the addresses on Redis by which runs were named, by the folder of each.
func sharedOf(args []string, folder func(named string) (string, error)) (map[string]string, error) {
	shared := map[string]string{}
	for _, named := range args {
		if !crawlfile.IsShared(named) {
			continue
		}
		dir, err := folder(named)
		if err != nil {
			return nil, err
		}
		shared[dir] = named
	}
	return shared, nil
}

// together tells how runs on Redis stand for all machines, until the context ends.
func together(ctx context.Context, cmd *cobra.Command, shared map[string]string) (of func(dir string, hosts []string) *run.Together, ended func(), err error) {
	all := map[string]*run.Companion{}
	var listening sync.WaitGroup
	for dir, address := range shared {
		s, err := (&runFlag{folder: address}).shared(cmd)
		if err != nil {
			return nil, listening.Wait, err
		}
		c := &run.Companion{}
		all[dir] = c
		listening.Go(func() {
			context.AfterFunc(ctx, func() { s.Close() }) // who waits for Redis waits no longer
			c.Listen(ctx, s.Together)
		})
	}
	return func(dir string, hosts []string) *run.Together {
		if c := all[dir]; c != nil {
			return c.Now(hosts)
		}
		return nil
	}, listening.Wait, nil
}

// steered tells runs what to do, as the commands do: those on Redis, which were named by their addresses, there.
func steered(cmd *cobra.Command, shared map[string]string) serve.Steering {
	of := func(dir string) *runFlag {
		if address := shared[dir]; address != "" {
			dir = address
		}
		return &runFlag{folder: dir}
	}
	each := func(dir string, order func(dir string) (bool, error)) (running bool, err error) {
		folders := run.Parts(dir)
		if hasRun(dir) || len(folders) == 0 {
			folders = []string{dir}
		}
		var all []error
		for _, folder := range folders {
			hears, err := order(folder)
			running = running || hears
			all = append(all, err)
		}
		return running, errors.Join(all...)
	}
	t := &teaching{cmd: cmd, proposed: map[string]*proposal{}}
	return serve.Steering{
		Winnow: t.winnow, Train: t.train, Suggest: t.suggest, Take: t.take,
		Tell: func(dir string, what frontier.Command) error {
			_, err := tell(cmd, of(dir), what)
			return err
		},
		Inject: func(dir string, addresses []string) (run.Injected, error) {
			ran := of(dir)
			done, _, err := injectInto(cmd, ran, addresses)
			done.Running = done.Running || ran.isShared() // some machine takes them
			return done, err
		},
		Block: func(dir string, hosts []string, again bool) (bool, error) {
			return each(dir, func(dir string) (bool, error) { return run.Block(dir, hosts, again) })
		},
		Raise: func(dir string, pages int, more bool) (bool, error) {
			return each(dir, func(dir string) (bool, error) { return run.Raise(dir, pages, more) })
		},
	}
}
