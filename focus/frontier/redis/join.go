package redis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	goredis "github.com/redis/go-redis/v9"
)

// enter joins the crawl, and reads what it has come to, which may be much.
func (f *Frontier) enter(ctx context.Context) error {
	wait := newOpening(f.client, f.o.Away)
	if err := wait.knock(ctx); err != nil {
		return err
	}
	if err := wait.do(ctx, f.join); err != nil {
		return err
	}
	if f.o.looks {
		return nil
	}
	f.warn(ctx)
	return wait.do(ctx, f.find)
}

// warn tells of a Redis that throws away what it holds when it is full, of one that writes down only now and then what it holds, and
// of one that does not let its user see whether it does.
func (f *Frontier) warn(ctx context.Context) {
	if f.o.Warn == nil {
		return
	}
	memory, err := f.info(ctx, "memory")
	if goredis.HasErrorPrefix(err, "NOPERM") {
		f.o.Warn("whether this Redis throws links of the crawl away when it is full cannot be seen: its user may not ask INFO; allow it (ACL SETUSER NAME +info), or see to maxmemory-policy noeviction")
		return
	}
	if policy := memory["maxmemory_policy"]; strings.HasPrefix(policy, "allkeys-") {
		when := "as soon as it has a maxmemory"
		if memory["maxmemory"] != "0" {
			when = "when it is full"
		}
		f.o.Warn(fmt.Sprintf("this Redis throws links of the crawl away %s (maxmemory-policy %s): set it to noeviction", when, policy))
	}
	if persistence, err := f.info(ctx, "persistence"); err == nil && persistence["aof_enabled"] == "0" {
		f.o.Warn("this Redis writes down what it holds only now and then, if at all (appendonly no): should it end, the machines have to do again what they did since, or all; set appendonly yes and appendfsync always")
	}
}

// info is what Redis says of itself under a heading.
func (f *Frontier) info(ctx context.Context, heading string) (map[string]string, error) {
	said, err := f.client.Info(ctx, heading).Result()
	values := map[string]string{}
	for line := range strings.Lines(said) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			values[name] = value
		}
	}
	return values, err
}

// join finds the crawl's mark, or makes it. Who was first decides how many lanes there are.
func (f *Frontier) join(ctx context.Context) error {
	look := func() (map[string]string, error) { return f.client.HGetAll(ctx, f.prefix+"m").Result() }
	got, err := look() // who only looks need not write: a Redis that is full can be read
	if len(got) > 0 && got["born"] == "" {
		return errors.New("it is half removed: let whoever does that end it, or begin it anew with --fresh")
	}
	if err == nil && len(got) == 0 {
		if err = f.begin(ctx); err == nil {
			got, err = look()
		}
	}
	if err != nil {
		return err
	}
	f.born, f.told = got["born"], number(got["commands"])
	if theirs := got["lanes"]; theirs != strconv.Itoa(f.o.Lanes) {
		return fmt.Errorf("it was begun with lanes: %s, and is joined with %d", theirs, f.o.Lanes)
	}
	return nil
}

// begin makes the crawl's mark, unless somebody else was quicker.
func (f *Frontier) begin(ctx context.Context) error {
	born, err := newMark()
	if err != nil {
		return err
	}
	return f.together(ctx, func(p goredis.Pipeliner) {
		p.HSetNX(ctx, f.prefix+"m", "born", born)
		p.HSetNX(ctx, f.prefix+"m", "lanes", f.o.Lanes)
		for name, text := range f.o.About {
			p.HSetNX(ctx, f.prefix+"about", name, text)
		}
	})
}

// together does several things, or none of them.
func (f *Frontier) together(ctx context.Context, do func(goredis.Pipeliner)) error {
	cmds, err := f.client.TxPipelined(ctx, func(p goredis.Pipeliner) error {
		do(p)
		return nil
	})
	if goredis.IsExecAbortError(err) { // why is said of the command that was refused
		err = cmp.Or(cmds[0].Err(), err)
	}
	return err
}
