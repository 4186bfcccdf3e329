package sink

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// ensure finds out what cluster it is, and makes the index where there is none. An index that is there keeps its mapping; only what
// documents are found again by is added to it. One that has none is given ours.
func (c *cluster) ensure() error {
	var err error
	if c.major, err = c.version(); err != nil {
		return err
	}
	there, err := c.cleared()
	if err == nil && there.uuid == "" {
		a, failed := c.put(c.under(""), map[string]any{"mappings": c.mapping(c.documentFields())})
		if failed != nil {
			return failed
		}
		if a.status >= 300 && !strings.Contains(string(a.body), "already_exists") { // else somebody made it in between
			return c.unusable(a)
		}
		there, err = c.look()
	}
	if err != nil {
		return err
	}
	if c.st.UUID != there.uuid {
		c.st.UUID, c.st.Epoch = there.uuid, 0 // whatever was sent is gone
	}
	path := c.under("/_mapping")
	if c.major < 7 {
		path += "/_doc"
	}
	properties := map[string]any{"thresher": ownFields()}
	if there.unmapped {
		properties = c.documentFields()
	}
	own, err := c.put(path, map[string]any{"properties": properties})
	if err == nil && own.status >= 300 {
		err = c.unusable(own)
	}
	return err
}

// cleared takes away an index that was made by chance: nobody but who sent pages as these has made it, and they are sent again. A
// cluster deletes by name alone, and another machine may have put a good one in its place: so it is looked at before each try, and none
// is made twice.
func (c *cluster) cleared() (found, error) {
	for try := 0; ; try++ {
		there, err := c.look()
		if err != nil || !there.byChance {
			return there, err
		}
		a, err := c.once(http.MethodDelete, c.under(""), "", nil)
		if err == nil && a.status >= 300 && a.status != http.StatusNotFound {
			err = fmt.Errorf("index %s has no mapping of ours, and cannot be deleted: %s", c.index, a.refusal())
		}
		if err != nil {
			if err := c.holdOn(err, try, a.after); err != nil {
				return found{}, err
			}
		}
	}
}

// found is an index as it is there.
type found struct {
	uuid     string // empty where there is none; of an alias those of all of its indices
	byChance bool   // it was made by pages that were sent when there was none: its mapping is what these happened to look like
	unmapped bool   // it has no mapping: nobody gave it one, and no page was taken
}

// look finds out which index there is.
func (c *cluster) look() (found, error) {
	for try := 0; ; try++ {
		a, err := c.ask(http.MethodGet, c.under(""), "", nil)
		if err != nil || a.status == http.StatusNotFound {
			return found{}, err
		}
		f, err := foundIn(a.body)
		if a.status < 300 && err == nil {
			return f, nil
		}
		if err := c.holdOn(fmt.Errorf("what index %s is, it does not say: %s", c.index, a.refusal()), try, a.after); err != nil {
			return found{}, err
		}
	}
}

// foundIn reads the description of an index, or of all those of an alias.
func foundIn(description []byte) (f found, err error) {
	type mapping struct {
		Properties map[string]struct {
			Properties map[string]struct{ Type string }
		}
	}
	var all map[string]struct {
		Settings struct{ Index struct{ UUID string } }
		Mappings struct {
			mapping
			Typed mapping `json:"_doc"`
		}
	}
	if err := json.Unmarshal(description, &all); err != nil {
		return f, err
	}
	f.unmapped = true
	for _, name := range slices.Sorted(maps.Keys(all)) {
		ix := all[name]
		f.uuid += ix.Settings.Index.UUID + " "
		for _, m := range []mapping{ix.Mappings.mapping, ix.Mappings.Typed} {
			f.unmapped = f.unmapped && len(m.Properties) == 0
			f.byChance = f.byChance || m.Properties["thresher"].Properties["owner"].Type == "text"
		}
	}
	if f.uuid == "" {
		err = errors.New("it describes none")
	}
	return f, err
}

// same makes sure that what was sent has gone into the index that was meant: one that is deleted comes back with the next pages that
// are sent.
func (c *cluster) same() error {
	there, err := c.look()
	if err != nil || there.uuid == c.st.UUID {
		return err
	}
	return c.gone(answer{}, "it was deleted, or is another one")
}

// still makes sure that what was sent is there where nothing is to be sent any more: the index may have been deleted since. A cluster
// that does not answer is not waited for, as nothing is lost.
func (c *cluster) still() error {
	a, err := c.once(http.MethodGet, c.under(""), "", nil)
	if err != nil || a.status >= 300 && a.status != http.StatusNotFound {
		return nil
	}
	if there, err := foundIn(a.body); a.status < 300 && (err != nil || there.uuid == c.st.UUID) {
		return nil
	}
	return c.gone(a, "it was deleted, or is another one")
}

// unusable is the error of an index that cannot be written to as it is. Who can mend that is the user, and then all goes on.
func (c *cluster) unusable(a answer) error {
	err := fmt.Errorf("index %s: %s; give another in the crawl file", c.index, a.refusal())
	if held := c.holdOn(err, 6, a.after); held != nil {
		return held
	}
	return c.ensure()
}

func (c *cluster) put(path string, what any) (answer, error) {
	body, err := json.Marshal(what)
	if err != nil {
		return answer{}, err
	}
	return c.ask(http.MethodPut, path, "application/json", body)
}

// version is the major version of the protocol that the cluster speaks, by Elasticsearch's numbers.
func (c *cluster) version() (int, error) {
	for try := 0; ; try++ {
		a, err := c.ask(http.MethodGet, "/", "", nil)
		if err != nil {
			return 0, err
		}
		var about struct {
			Version struct{ Number, Distribution string }
		}
		number := ""
		if json.Unmarshal(a.body, &about) == nil {
			number, _, _ = strings.Cut(about.Version.Number, ".")
		}
		if major, err := strconv.Atoi(number); err == nil {
			if about.Version.Distribution == OpenSearch {
				major = max(major, 7) // its numbers begin anew
			}
			return major, nil
		}
		c.heard = false // nobody who is busy
		if err := c.holdOn(errors.New("what answers is no OpenSearch and no Elasticsearch: "+a.refusal()), try, a.after); err != nil {
			return 0, err
		}
	}
}

// purge takes documents out.
func (c *cluster) purge(query any) error {
	body, err := json.Marshal(map[string]any{"query": query})
	if err != nil {
		return err
	}
	for try := 0; ; try++ {
		// What was sent must be found by the search that says what goes.
		a, err := c.ask(http.MethodPost, c.under("/_refresh"), "", nil)
		if err == nil && a.status < 300 {
			a, err = c.ask(http.MethodPost, c.under("/_delete_by_query?conflicts=proceed&refresh=true"), "application/json", body)
		}
		if err != nil {
			return err
		}
		if a.status == http.StatusNotFound {
			return c.gone(a, a.refusal())
		}
		var did struct {
			Timed     bool `json:"timed_out"`
			Conflicts int  `json:"version_conflicts"`
			Failures  []json.RawMessage
		}
		wrong := json.Unmarshal(a.body, &did)
		if wrong == nil && a.status < 300 && !did.Timed && did.Conflicts == 0 && len(did.Failures) == 0 {
			return nil
		}
		if err := c.holdOn(fmt.Errorf("pages that are not kept could not be taken out of index %s: %s", c.index, a.refusal()), try, a.after); err != nil {
			return err
		}
	}
}

// mapping is how an index holds documents: under the one type there is where it has types.
func (c *cluster) mapping(properties map[string]any) any {
	m := map[string]any{"properties": properties}
	if c.major < 7 {
		return map[string]any{"_doc": m}
	}
	return m
}

// ownFields are what documents are found again by.
func ownFields() any {
	return map[string]any{"properties": map[string]any{"run": kind("keyword"), "owner": kind("keyword"), "epoch": kind("long"), "at": kind("long")}}
}

func kind(name string) map[string]any { return map[string]any{"type": name} }

// documentFields is a mapping made for Chinese and English, by analyzers that every version has built in: cjk makes pairs of
// characters and keeps English words whole, and english beside it knows their stems.
func (c *cluster) documentFields() map[string]any {
	all := map[string]any{
		"thresher": ownFields(),
		"schema":   kind("integer"), "id": kind("long"),
		"url": keyword, "final_url": keyword, "canonical": keyword, "host": keyword,
		"time": date, "first_seen": date, "last_seen": date, "last_changed": date, "gone": keyword,
		"status": kind("integer"), "type": keyword, "cut": keyword, "charset": keyword, "language": keyword,
		"title": prose, "description": prose, "text": prose, "author": keyword, "date": keyword,
		"markdown": map[string]any{"type": "text", "index": false}, "digest": keyword, "bytes": kind("long"),
		"relevance": kind("float"), "second": kind("float"), "importance": kind("float"), "raw": kind("float"), "score": kind("float"),
		"terms": map[string]any{"properties": map[string]any{"term": keyword, "weight": kind("float")}},
		"why":   unsearched, "trail": unsearched, "depth": kind("integer"), "links": kind("integer"), "opt_outs": keyword,
	}
	if len(c.values) > 0 {
		all["data"] = map[string]any{"properties": valueFields(c.values)}
	}
	return all
}

var (
	keyword = map[string]any{"type": "keyword", "ignore_above": 8000}
	prose   = map[string]any{"type": "text", "analyzer": "cjk",
		"fields": map[string]any{"english": map[string]any{"type": "text", "analyzer": "english"}}}
	date       = map[string]any{"type": "date", "format": "strict_date_optional_time"}
	unsearched = map[string]any{"type": "object", "enabled": false}
)

// valueFields are values as the crawl file reads them. A cluster that is told nothing goes by the first page it sees: whose heading is a
// day makes dates of all headings, and refuses the pages of the others; whose price is 12 makes whole numbers of all prices.
func valueFields(kinds map[string]string) map[string]any {
	fields := map[string]any{}
	for name, as := range kinds {
		switch as {
		case "number":
			fields[name] = map[string]any{"type": "double", "ignore_malformed": true} // a program may say something else
		case "date":
			fields[name] = map[string]any{"type": "date", "format": "strict_date_optional_time", "ignore_malformed": true}
		case "bool":
			fields[name] = kind("boolean")
		case "url":
			fields[name] = keyword
		case "json":
			fields[name] = unsearched
		default:
			fields[name] = map[string]any{"type": "text", "analyzer": "cjk", "fields": map[string]any{"keyword": keyword}}
		}
	}
	return fields
}
