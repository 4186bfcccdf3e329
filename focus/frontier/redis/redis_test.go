package redis

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/frontiertest"
)

func backend(client goredis.UniversalClient) frontiertest.Backend {
	crawls := 0
	return frontiertest.Backend{
		Open: func(tb testing.TB, m frontier.Manners) frontiertest.Full {
			crawls++
			f, err := Open(context.Background(), client, fmt.Sprint("crawl ", crawls), m, Options{Worker: "test"})
			if err != nil {
				tb.Fatal(err)
			}
			return f
		},
		Leases:  true,
		NoTurns: true,
		Slow:    true,
	}
}

func TestMiniredis(t *testing.T) {
	server := miniredis.RunT(t)
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr()})
	t.Cleanup(func() { client.Close() })
	frontiertest.Run(t, backend(client))
}

// server starts a real Redis that nobody else can reach, and answers a client of it.
func server(t *testing.T) *goredis.Client {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("redis-server is not installed, and CI demands it")
		}
		t.Skip("redis-server is not installed")
	}
	dir, err := os.MkdirTemp("", "redis") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(dir, "s")
	cmd := exec.Command(path, "--port", "0", "--unixsocket", socket, "--dir", dir, "--save", "", "--daemonize", "no")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.Contains(lines.Text(), "ready to accept connections") {
	}
	go func() {
		for lines.Scan() {
		}
	}()
	client := goredis.NewClient(&goredis.Options{Network: "unix", Addr: socket})
	t.Cleanup(func() {
		client.Close()
		cmd.Process.Kill()
		cmd.Wait()
		os.RemoveAll(dir)
	})
	return client
}

func TestRedis(t *testing.T) { frontiertest.Run(t, backend(server(t))) }
