package sink

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestClusterHoldsWhatIsKept(t *testing.T) {
	clusters(t, func(t *testing.T, c *site) {
		dir := runFolder(t)
		p := c.sends(t, dir, 1, 1201)
		c.wants(t, "at the end", dir, numbers(1, 1201)...)
		if p.told.all() != "" {
			t.Errorf("it says %s", p.told.all())
		}
		sent := c.Bulks()
		if err := c.open(t, dir).close(t); err != nil || c.Bulks() != sent {
			t.Errorf("%d more requests when nothing is left to do: %v", c.Bulks()-sent, err)
		}
		harvest := opened(t, dir, Options{To: "jsonl"}) // before there is a sink that sends each page as soon as it can be read
		write(t, harvest, 1201, 1204)
		if err := harvest.Close(); err != nil {
			t.Fatal(err)
		}
		if err := c.open(t, dir).close(t); err != nil || c.Bulks() != sent+1 {
			t.Errorf("%d more requests for three pages: %v", c.Bulks()-sent, err)
		}
		c.wants(t, "gone on with", dir, numbers(1, 1204)...)
	})
}

// TestClusterAfterAKill: what a crash takes back from the harvest is taken out of the cluster, whatever had been sent of it; what
// was not sent is.
func TestClusterAfterAKill(t *testing.T) {
	clusters(t, func(t *testing.T, c *site) {
		dir := runFolder(t)
		p := c.open(t, dir)
		committed := write(t, p.harvest, 1, 31)
		write(t, p.harvest, 31, 41)
		if err := p.close(t); err != nil {
			t.Fatal(err)
		}
		c.wants(t, "before", dir, numbers(1, 41)...)
		if err := Cut(dir, committed); err != nil {
			t.Fatal(err)
		}
		p = c.open(t, dir)
		if err := p.close(t); err != nil {
			t.Fatal(err)
		}
		c.wants(t, "cut back", dir, numbers(1, 31)...)

		// Killed between sending and noting it, cut back, and other pages kept in their place.
		c.sends(t, dir, 50, 60)
		var st clusterState
		path := filepath.Join(dir, fileCluster)
		if err := json.Unmarshal([]byte(mustRead(t, path)), &st); err != nil {
			t.Fatal(err)
		}
		st.Acked.Offset, st.Last, st.Length = committed["harvest.jsonl"], 0, 0
		raw, _ := json.Marshal(&st)
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Cut(dir, committed); err != nil {
			t.Fatal(err)
		}
		c.sends(t, dir, 31, 35)
		c.wants(t, "killed in the middle", dir, numbers(1, 35)...)
	})
}

// TestClusterFollowsASecondLook: what it takes out goes, what it brings in comes, and when the crawl goes on, the harvest counts again.
func TestClusterFollowsASecondLook(t *testing.T) {
	clusters(t, func(t *testing.T, c *site) {
		dir := runFolder(t)
		c.sends(t, dir, 1, 21)
		look := func(ids ...uint64) {
			var lines growing
			e, err := NewEncoder(&lines, "jsonl", nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range ids {
				r := kept(id)
				r.Second, r.Importance = .9, 1.5
				if err := e.Encode(r); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(dir, FileKept), lines, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, ids := range [][]uint64{append(numbers(5, 15), 100, 101), {3}} {
			look(ids...)
			if err := c.open(t, dir).close(t); err != nil {
				t.Fatal(err)
			}
			c.wants(t, "after a second look", dir, ids...)
		}
		if err := os.Remove(filepath.Join(dir, FileKept)); err != nil {
			t.Fatal(err)
		}
		c.sends(t, dir, 21, 23)
		c.wants(t, "gone on with", dir, numbers(1, 23)...)
	})
}

// TestClusterKeepsRunsApart: what goes of one run stays of another, and a run that is started over leaves nothing behind.
func TestClusterKeepsRunsApart(t *testing.T) {
	clusters(t, func(t *testing.T, c *site) {
		dir, other := runFolder(t), filepath.Join(t.TempDir(), "second")
		for d, ids := range map[string][2]uint64{dir: {1, 11}, other: {20, 25}} {
			c.sends(t, d, ids[0], ids[1])
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		c.sends(t, dir, 5, 7)
		held := slices.Sorted(maps.Keys(c.holds(t, `{}`)))
		var want []string
		for _, id := range []uint64{20, 21, 22, 23, 24, 5, 6} {
			want = append(want, kept(id).URL)
		}
		if !slices.Equal(held, want) {
			t.Errorf("it holds %v, want %v", held, want)
		}
	})
}

// TestClusterRunsOfOneName: two projects send runs of one name to one index. Neither takes out what is the other's, whichever starts
// over; and what starts over takes out its own, also where its folder was removed.
func TestClusterRunsOfOneName(t *testing.T) {
	clusters(t, func(t *testing.T, c *site) {
		mine, theirs := runFolder(t), runFolder(t)
		keep := func(dir string, from, to uint64) {
			t.Helper()
			c.sends(t, dir, from, to)
		}
		wants := func(when string, ids ...uint64) {
			t.Helper()
			var want []string
			for _, id := range ids {
				want = append(want, kept(id).URL)
			}
			slices.Sort(want)
			if held := slices.Sorted(maps.Keys(c.holds(t, `{}`))); !slices.Equal(held, want) {
				t.Errorf("%s: it holds %v, want %v", when, held, want)
			}
		}
		keep(mine, 1, 4)
		keep(theirs, 10, 13)
		wants("both", 1, 2, 3, 10, 11, 12)
		for i, gone := range []string{filepath.Join(mine, jsonl.name(0)), mine} {
			if err := os.RemoveAll(gone); err != nil {
				t.Fatal(err)
			}
			from := uint64(5 + 20*i)
			keep(mine, from, from+2)
			wants("without "+gone, from, from+1, 10, 11, 12)
		}
		moved := filepath.Join(t.TempDir(), "yachts")
		if err := os.Rename(mine, moved); err != nil {
			t.Fatal(err)
		}
		keep(moved, 27, 28)
		if err := os.Remove(filepath.Join(moved, jsonl.name(0))); err != nil {
			t.Fatal(err)
		}
		keep(moved, 8, 9)
		wants("moved, and started over", 8, 10, 11, 12)
	})
}

// TestClusterStateWithoutOwner: what is written down names no owner, as before there were any. It gets one of its own: without, all such
// runs would be one, and each would take out what the others have sent.
func TestClusterStateWithoutOwner(t *testing.T) {
	c, dir := memorySite(t), runFolder(t)
	c.sends(t, dir, 1, 4)
	path := filepath.Join(dir, fileCluster)
	var st map[string]any
	if err := json.Unmarshal([]byte(mustRead(t, path)), &st); err != nil {
		t.Fatal(err)
	}
	delete(st, "owner")
	raw, _ := json.Marshal(st)
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	c.call(t, http.MethodDelete, "", nil)
	if err := c.open(t, dir).close(t); err != nil {
		t.Fatal(err)
	}
	c.wants(t, "at the end", dir, 1, 2, 3)
}

// TestClusterIndexComesBackByChance: the index is deleted between two requests, and the second makes it anew without a mapping. All
// is sent again, into one with ours.
func TestClusterIndexComesBackByChance(t *testing.T) {
	clusters(t, func(t *testing.T, c *site) {
		dir := runFolder(t)
		c.sends(t, dir, 1, 11)
		c.Then(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			c.call(t, http.MethodDelete, "", nil)
			next.ServeHTTP(w, r)
		})
		p := c.sends(t, dir, 11, 13)
		c.wants(t, "afterwards", dir, numbers(1, 13)...)
		if raw := c.call(t, http.MethodGet, "/_mapping", nil); !bytes.Contains(raw, []byte(`"analyzer":"cjk"`)) {
			t.Errorf("its mapping is %s", raw)
		}
		if !strings.Contains(p.told.all(), "it was deleted") {
			t.Errorf("it says %q", p.told.all())
		}
	})
}

// TestClusterIndexWithoutMapping: somebody has made the index, and given it none; so it is, too, where a cluster made it for pages
// of which it then took none.
func TestClusterIndexWithoutMapping(t *testing.T) {
	clusters(t, func(t *testing.T, c *site) {
		c.call(t, http.MethodPut, "", []byte(`{}`))
		dir := runFolder(t)
		c.sends(t, dir, 1, 4)
		c.wants(t, "at the end", dir, 1, 2, 3)
		if raw := c.call(t, http.MethodGet, "/_mapping", nil); !bytes.Contains(raw, []byte(`"analyzer":"cjk"`)) {
			t.Errorf("its mapping is %s", raw)
		}
	})
}

// TestClusterIndexIsAnotherOne: between two runs somebody deleted the index, and somebody made one of its name.
func TestClusterIndexIsAnotherOne(t *testing.T) {
	clusters(t, func(t *testing.T, c *site) {
		dir := runFolder(t)
		c.sends(t, dir, 1, 11)
		c.call(t, http.MethodDelete, "", nil)
		if p := c.open(t, filepath.Join(t.TempDir(), "another")); p.close(t) != nil {
			t.Fatal("it could not be made")
		}
		if err := c.open(t, dir).close(t); err != nil {
			t.Fatal(err)
		}
		c.wants(t, "afterwards", dir, numbers(1, 11)...)
	})
}

// TestClusterFindsBothLanguages: by a Chinese word within a text, and by another form of an English one. The mapping says by which
// analyzers; that they do is seen on a real cluster.
func TestClusterFindsBothLanguages(t *testing.T) {
	clusters(t, func(t *testing.T, c *site) {
		p := c.open(t, runFolder(t))
		for id, text := range map[uint64]string{1: "数学家张益唐证明了一个定理", 2: "Old yachts were racing in the harbour", 3: "Nothing of the kind, 张先生"} {
			r := kept(id)
			r.Title, r.Text = "", text
			if err := p.harvest.Write(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.close(t); err != nil {
			t.Fatal(err)
		}
		if c.memory != nil {
			text, _ := c.memory.Mapping(c.index)["text"].(map[string]any)
			english, _ := text["fields"].(map[string]any)["english"].(map[string]any)
			if text["analyzer"] != "cjk" || english["analyzer"] != "english" {
				t.Errorf("text is mapped as %v", text)
			}
			return
		}
		for query, id := range map[string]uint64{"张益唐": 1, "yacht race": 2} {
			held := c.holds(t, `{"query":{"multi_match":{"query":"`+query+`","fields":["text","text.english"],"operator":"and"}}}`)
			if len(held) != 1 || held[kept(id).URL] == "" {
				t.Errorf("%s finds %v", query, held)
			}
		}
	})
}

// TestClusterTakesValuesAsTheyAreRead: and not as those of the first page, whose heading is a day and whose price is whole.
func TestClusterTakesValuesAsTheyAreRead(t *testing.T) {
	clusters(t, func(t *testing.T, c *site) {
		dir := runFolder(t)
		p := c.open(t, dir, func(o *Options) {
			o.Values = map[string]string{"heading": "text", "price": "number", "seen": "date", "there": "bool", "from": "url", "whole": "json"}
		})
		for i, data := range []string{`{"heading":"2024-03-15","price":12,"seen":"2024-03-15","there":true,"from":"http://a.example/","whole":{"a":1}}`,
			`{"heading":["Tea"],"price":12.5,"seen":"2024-03-15T09:30:00+08:00","whole":{"a":{"b":"c"}}}`, `{"heading":"Tea","price":"none","seen":"March","whole":null}`} {
			r := kept(uint64(i + 1))
			if err := json.Unmarshal([]byte(data), &r.Data); err != nil {
				t.Fatal(err)
			}
			if err := p.harvest.Write(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.close(t); err != nil {
			t.Fatal(err)
		}
		c.wants(t, "at the end", dir, 1, 2, 3)
		if c.memory == nil {
			return
		}
		data, _ := c.memory.Mapping(c.index)["data"].(map[string]any)
		values, _ := data["properties"].(map[string]any)
		price, _ := values["price"].(map[string]any)
		if price["type"] != "double" {
			t.Errorf("a price is %v", price)
		}
	})
}

// TestClusterChosenFields: only those are sent.
func TestClusterChosenFields(t *testing.T) {
	clusters(t, func(t *testing.T, c *site) {
		dir := runFolder(t)
		c.sends(t, dir, 1, 3, func(o *Options) { o.Fields = []string{"url", "title"} })
		c.wants(t, "at the end", dir, 1, 2)
		if raw := c.call(t, http.MethodPost, "/_search", []byte(`{}`)); !bytes.Contains(raw, []byte("景点")) || bytes.Contains(raw, []byte("旅游")) {
			t.Errorf("it holds %s", raw)
		}
	})
}
