package redis

import (
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

func TestDial(t *testing.T) {
	client, to, err := Dial("rediss://ann:secret@db.example:7000/3?crawl=solar+energy&pool_size=7&shards=8&seen=short&lease=90s")
	if want := (Target{"solar energy", 8, SeenShort, 90 * time.Second}); err != nil || to != want {
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
	for _, bad := range []string{"", "http://a/", "redis://ann:secret@a/notanumber", "redis://a?colour=red", "redis://a?shards=0", "redis://a?shards=many", "redis://a?lease=1", "redis://a?lease=-1s",
		"redis://ann:secret@a?shards=x", "redis://ann:secret@a:b:c:d"} {
		_, _, err := Dial(bad)
		if err == nil {
			t.Errorf("%q was taken", bad)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("the password is told: %v", err)
		}
	}
}
