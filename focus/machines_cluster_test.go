package focus_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

// redisCluster are three masters that share the slots of a Redis Cluster.
type redisCluster struct{ masters [3]*redisServer }

func startCluster(t testing.TB) *redisCluster {
	t.Helper()
	c := &redisCluster{}
	for i := range c.masters {
		c.masters[i] = newRedis(t, "--cluster-enabled", "yes", "--cluster-node-timeout", "1000", "--cluster-port", strconv.Itoa(freePort(t)))
		c.masters[i].start()
	}
	const slots = 16384
	for i, m := range c.masters {
		db := m.client()
		from, to := slots*i/len(c.masters), slots*(i+1)/len(c.masters)-1
		m.does(db.ClusterAddSlotsRange(t.Context(), from, to).Err())
		m.does(db.Do(t.Context(), "CLUSTER", "SET-CONFIG-EPOCH", i+1).Err())
		for _, other := range c.masters[:i] {
			m.does(db.Do(t.Context(), "CLUSTER", "MEET", "127.0.0.1", other.port, other.bus()).Err())
		}
	}
	for _, m := range c.masters {
		m.await("the cluster is whole", func(db *goredis.Client) bool {
			info, err := db.ClusterInfo(t.Context()).Result()
			return err == nil && strings.Contains(info, "cluster_state:ok") && strings.Contains(info, "cluster_known_nodes:3")
		})
	}
	return c
}

// masterOf is the master that holds a key.
func (c *redisCluster) masterOf(key string) *redisServer {
	m := c.masters[0]
	slot, err := m.client().ClusterKeySlot(m.Context(), key).Result()
	m.does(err)
	return c.masters[int(slot)*len(c.masters)/16384]
}

// address names all masters, so that any of them may be away.
func (c *redisCluster) address(params string) string {
	first, second, third := c.masters[0], c.masters[1], c.masters[2]
	return fmt.Sprintf("redis://127.0.0.1:%d?addr=127.0.0.1:%d&addr=127.0.0.1:%d&crawl=shared%s", first.port, second.port, third.port, params)
}

// watchedRedis is a master, its replica, and a Sentinel that makes the one of the other when it fails.
type watchedRedis struct{ master, replica, sentinel *redisServer }

func startWatched(t testing.TB) *watchedRedis {
	t.Helper()
	w := &watchedRedis{master: newRedis(t, "--repl-diskless-sync-delay", "0"), sentinel: newRedis(t)}
	w.master.start()
	w.replica = newRedis(t, "--replicaof", fmt.Sprint("127.0.0.1 ", w.master.port))
	w.replica.start()
	w.replica.await("the replica has its master's data", func(db *goredis.Client) bool {
		info, err := db.Info(t.Context(), "replication").Result()
		return err == nil && strings.Contains(info, "master_link_status:up")
	})
	conf := filepath.Join(w.sentinel.dir, "sentinel.conf")
	lines := fmt.Sprintf("port %d\nbind 127.0.0.1\ndir %s\nsentinel monitor watched 127.0.0.1 %d 1\n"+
		"sentinel down-after-milliseconds watched 600000\nsentinel failover-timeout watched 60000\n", w.sentinel.port, w.sentinel.dir, w.master.port)
	if err := os.WriteFile(conf, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	w.sentinel.run([]string{conf, "--sentinel"}, "+monitor master watched")
	w.sentinel.await("Sentinel knows the replica", func(db *goredis.Client) bool {
		at, err := db.Do(t.Context(), "SENTINEL", "REPLICAS", "watched").Slice()
		return err == nil && len(at) == 1
	})
	return w
}

func (w *watchedRedis) address(params string) string {
	return fmt.Sprintf("redis://127.0.0.1:%d/0?master_name=watched&crawl=shared%s", w.sentinel.port, params)
}

// failOver kills the master when its replica has all that it has said to anybody: what a master has said and its replica
// has not heard is lost, which nobody can help. Sentinel is told that the master is gone: how long it takes to see that by
// itself is also how long a master on a busy machine may say nothing.
func (w *watchedRedis) failOver() {
	w.master.Helper()
	db := w.master.client()
	w.master.does(db.Do(w.master.Context(), "CLIENT", "PAUSE", 60000, "WRITE").Err())
	w.master.await("the replica has it all", func(db *goredis.Client) bool {
		var at, all int
		info, err := db.Info(w.master.Context(), "replication").Result()
		for line := range strings.Lines(info) {
			fmt.Sscanf(line, "master_repl_offset:%d", &all)
			if _, after, ok := strings.Cut(line, ",offset="); ok {
				fmt.Sscanf(after, "%d", &at)
			}
		}
		return err == nil && all > 0 && at == all
	})
	w.master.kill()
	w.master.does(w.sentinel.client().Do(w.master.Context(), "SENTINEL", "FAILOVER", "watched").Err())
}

// client speaks to this Redis alone.
func (s *redisServer) client() *goredis.Client {
	c := goredis.NewClient(&goredis.Options{Addr: fmt.Sprint("127.0.0.1:", s.port)})
	s.Cleanup(func() { c.Close() })
	return c
}

// bus is where a server of a cluster speaks to the others.
func (s *redisServer) bus() string { return s.more[len(s.more)-1] }

func (s *redisServer) does(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// await asks a Redis until something is so.
func (s *redisServer) await(what string, is func(*goredis.Client) bool) {
	s.Helper()
	db := s.client()
	ctx, cancel := context.WithTimeout(s.Context(), late)
	defer cancel()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for !is(db) {
		select {
		case <-again.C:
		case <-ctx.Done():
			s.Fatalf("in vain: %s", what)
		}
	}
}
