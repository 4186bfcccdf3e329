package redis

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

func TestDial(t *testing.T) {
	client, to, err := Dial("rediss://ann:secret@db.example:7000/3?crawl=solar+energy&pool_size=7&lease=90s")
	if want := (Target{Crawl: "solar energy", Lease: 90 * time.Second}); err != nil || to != want {
		t.Fatalf("target %+v, %v", to, err)
	}
	defer client.Close()
	o := client.(*goredis.Client).Options()
	if o.Addr != "db.example:7000" || o.DB != 3 || o.Username != "ann" || o.Password != "secret" || o.TLSConfig == nil || o.PoolSize != 7 {
		t.Errorf("options %+v", o)
	}
	cluster, _, err := Dial("redis://one.example:6379?addr=two.example:6379")
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	if c, ok := cluster.(*goredis.ClusterClient); !ok || len(c.Options().Addrs) != 2 {
		t.Errorf("a cluster became %T", cluster)
	}
	sentinel, _, err := Dial("redis://one.example:26379?master_name=main")
	if err != nil {
		t.Fatal(err)
	}
	defer sentinel.Close()
	for _, bad := range []string{"", "http://a/", "redis://ann:secret@a/notanumber", "redis://a?colour=red", "redis://a?crawl=../x", "redis://a?crawl=..", "redis://a?lease=1", "redis://a?lease=-1s",
		"redis://a?master_name=m&sentinel_password=secret&colour=red", "redis://ann:secret@a:b:c:d"} {
		_, _, err := Dial(bad)
		if err == nil {
			t.Errorf("%q was taken", bad)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("the password is told: %v", err)
		}
	}
}

// A Redis that cannot be reached by its address says why, and what to do.
func TestWhatIsWrongWithAnAddressIsTold(t *testing.T) {
	locked, open := miniredis.RunT(t), miniredis.RunT(t)
	locked.RequireAuth("right")
	web := httptest.NewServer(http.NotFoundHandler())
	defer web.Close()
	const noRedis = "nothing that is understood came back"
	for address, want := range map[string]string{
		"redis://:wrong@" + locked.Addr():                    "the password in the address is wrong",
		"redis://" + locked.Addr():                           "it wants a password: redis://:PASSWORD@",
		"redis://ann:secret@" + open.Addr():                  "WRONGPASS",
		"rediss://" + strings.TrimPrefix(web.URL, "http://"): "it does not speak TLS",
		"redis://" + strings.TrimPrefix(web.URL, "http://"):  noRedis,
		"redis://127.0.0.1:1":                                "connection refused",
		"redis://" + open.Addr() + "/0?addr=" + open.Addr():  "",
		"redis://" + open.Addr() + "/0?master_name=main":     "it is no Sentinel",
	} {
		client, _, err := Dial(address + map[bool]string{true: "&", false: "?"}[strings.Contains(address, "?")] + "max_retries=-1")
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		ctx := context.Background()
		if want == noRedis {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, 300*time.Millisecond)
			defer cancel()
		}
		_, err = Open(ctx, client, "crawl", frontier.Manners{}, Options{})
		if want == noRedis && err != nil && strings.Contains(err.Error(), "HTTP") {
			want = "what answers there is no Redis" // the client gave up before the time was over
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", address, err, want)
		}
	}
}
