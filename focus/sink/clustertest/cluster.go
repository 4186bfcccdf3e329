// Package clustertest answers one question: how does a cluster of OpenSearch or Elasticsearch answer?
//
// A Cluster speaks what the protocol documents of the requests that package sink sends. Faults stand in front of it, or of a real
// one, and let happen what happens to clusters: they are busy, refuse what is too large, or break off in the middle.
package clustertest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// Cluster is a cluster in memory. Its zero value is one of OpenSearch without an index.
type Cluster struct {
	Number       string // its version; none is 2.19.1
	Distribution string // none is opensearch, - is Elasticsearch

	mu      sync.Mutex
	indices map[string]*index
	made    int // indices
}

type index struct {
	uuid    string
	mapping map[string]any            // properties
	docs    map[string]map[string]any // by id
}

// old tells of a cluster whose indices have types.
func (c *Cluster) old() bool { return strings.HasPrefix(c.Number, "6.") }

func (c *Cluster) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the connection is gone
	}
	w.Header().Set("Content-Type", "application/json")
	name, what, _ := strings.Cut(strings.Trim(r.URL.Path, "/"), "/")
	name, _ = url.PathUnescape(name)
	if typed, ok := strings.CutPrefix(what, "_doc/"); ok && c.old() {
		what = typed
	} else if what == "_bulk" && c.old() {
		refuse(w, http.StatusBadRequest, "action_request_validation_exception", "type is missing")
		return
	}
	if c.indices == nil {
		c.indices = map[string]*index{}
	}
	ix := c.indices[name]
	switch {
	case name == "":
		c.about(w)
	case what == "" && r.Method == http.MethodPut:
		c.create(w, name, body)
	case what == "_bulk":
		if ix == nil { // as where nobody forbids it
			ix = c.make(name, map[string]any{})
		}
		ix.bulk(w, r, body)
	case ix == nil:
		refuse(w, http.StatusNotFound, "index_not_found_exception", "no such index ["+name+"]")
	case what == "_refresh":
		reply(w, map[string]any{})
	case (what == "" || what == "_mapping") && r.Method == http.MethodGet:
		c.describe(w, name)
	case what == "" && r.Method == http.MethodDelete:
		delete(c.indices, name)
		reply(w, map[string]any{"acknowledged": true})
	case strings.TrimSuffix(what, "/_doc") == "_mapping" && r.Method == http.MethodPut:
		ix.extend(w, body)
	case what == "_delete_by_query":
		ix.deleteByQuery(w, body)
	case what == "_search":
		ix.search(w)
	default:
		refuse(w, http.StatusMethodNotAllowed, "method", r.Method+" "+r.URL.Path)
	}
}

func reply(w http.ResponseWriter, what any) { json.NewEncoder(w).Encode(what) }

func refuse(w http.ResponseWriter, status int, kind, reason string) {
	w.WriteHeader(status)
	reply(w, map[string]any{"error": map[string]any{"type": kind, "reason": reason}, "status": status})
}

func (c *Cluster) about(w http.ResponseWriter) {
	version := map[string]any{"number": "2.19.1", "distribution": "opensearch"}
	if c.Number != "" {
		version["number"] = c.Number
	}
	if c.Distribution == "-" {
		delete(version, "distribution")
	}
	reply(w, map[string]any{"version": version})
}

func (c *Cluster) create(w http.ResponseWriter, name string, body []byte) {
	if c.indices[name] != nil {
		refuse(w, http.StatusBadRequest, "resource_already_exists_exception", "index ["+name+"] already exists")
		return
	}
	var said struct{ Mappings map[string]any }
	if err := json.Unmarshal(body, &said); err != nil {
		refuse(w, http.StatusBadRequest, "parse_exception", err.Error())
		return
	}
	m := said.Mappings
	if typed, ok := m["_doc"].(map[string]any); ok == c.old() && ok {
		m = typed
	} else if ok != c.old() && len(m) > 0 {
		refuse(w, http.StatusBadRequest, "mapper_parsing_exception", "Root mapping definition has unsupported parameters")
		return
	}
	properties, _ := m["properties"].(map[string]any)
	if properties == nil {
		properties = map[string]any{}
	}
	c.make(name, properties)
	reply(w, map[string]any{"acknowledged": true})
}

func (c *Cluster) make(name string, properties map[string]any) *index {
	c.made++
	ix := &index{fmt.Sprintf("uuid-%d", c.made), properties, map[string]map[string]any{}}
	c.indices[name] = ix
	return ix
}

func (c *Cluster) describe(w http.ResponseWriter, name string) {
	ix := c.indices[name]
	mapping := map[string]any{"properties": ix.mapping}
	if c.old() {
		mapping = map[string]any{"_doc": mapping}
	}
	reply(w, map[string]any{name: map[string]any{"aliases": map[string]any{}, "mappings": mapping,
		"settings": map[string]any{"index": map[string]any{"uuid": ix.uuid, "number_of_shards": "1"}}}})
}

func (ix *index) extend(w http.ResponseWriter, body []byte) {
	var said struct{ Properties map[string]any }
	if err := json.Unmarshal(body, &said); err != nil {
		refuse(w, http.StatusBadRequest, "parse_exception", err.Error())
		return
	}
	for name, added := range said.Properties {
		if why := differs(ix.mapping[name], added, name); why != "" {
			refuse(w, http.StatusBadRequest, "illegal_argument_exception", why)
			return
		}
	}
	maps.Copy(ix.mapping, said.Properties)
	reply(w, map[string]any{"acknowledged": true})
}

// differs says which field would get another type: none may, once it has one.
func differs(is, becomes any, at string) string {
	was, _ := is.(map[string]any)
	now, _ := becomes.(map[string]any)
	if before, after := was["type"], now["type"]; was != nil && before != after && was["properties"] == nil {
		return fmt.Sprintf("mapper [%s] cannot be changed from type [%v] to [%v]", at, before, after)
	}
	below, _ := was["properties"].(map[string]any)
	for name, is := range below {
		if becomes, both := now["properties"].(map[string]any)[name]; both {
			if why := differs(is, becomes, at+"."+name); why != "" {
				return why
			}
		}
	}
	return ""
}

// Mapping are the properties of an index.
func (c *Cluster) Mapping(name string) map[string]any {
	c.mu.Lock()
	defer c.mu.Unlock()
	if ix := c.indices[name]; ix != nil {
		return maps.Clone(ix.mapping)
	}
	return nil
}

// each visits the documents of a bulk request. It ends at the first thing that is none.
func each(body []byte, visit func(id string, line []byte)) error {
	if !bytes.HasSuffix(body, []byte("\n")) {
		return fmt.Errorf("the bulk request must be terminated by a newline [\\n]")
	}
	in := bufio.NewScanner(bytes.NewReader(body))
	in.Buffer(nil, 64<<20)
	for in.Scan() {
		var action struct {
			Index *struct {
				ID string `json:"_id"`
			}
		}
		if err := json.Unmarshal(in.Bytes(), &action); err != nil || action.Index == nil || action.Index.ID == "" {
			return fmt.Errorf("malformed action/metadata line: %.100s", in.Bytes())
		}
		if !in.Scan() {
			return fmt.Errorf("an action without its source")
		}
		visit(action.Index.ID, in.Bytes())
	}
	return in.Err()
}

func (ix *index) bulk(w http.ResponseWriter, r *http.Request, body []byte) {
	if kind := r.Header.Get("Content-Type"); kind != "application/x-ndjson" {
		refuse(w, http.StatusNotAcceptable, "media_type", kind)
		return
	}
	items, wrong := []any{}, false
	err := each(body, func(id string, line []byte) {
		item := map[string]any{"_id": id, "status": http.StatusOK}
		if err := ix.put(id, line); err != nil {
			wrong = true
			item["status"] = http.StatusBadRequest
			item["error"] = map[string]any{"type": "mapper_parsing_exception", "reason": "failed to parse", "caused_by": map[string]any{"type": "illegal_argument_exception", "reason": err.Error()}}
		}
		items = append(items, map[string]any{"index": item})
	})
	if err != nil {
		refuse(w, http.StatusBadRequest, "illegal_argument_exception", err.Error())
		return
	}
	reply(w, map[string]any{"took": 1, "errors": wrong, "items": items})
}

func (ix *index) put(id string, line []byte) error {
	var doc map[string]any
	if err := json.Unmarshal(line, &doc); err != nil {
		return err
	}
	if err := fits(ix.mapping, doc, ""); err != nil {
		return err
	}
	ix.docs[id] = doc
	return nil
}

func (ix *index) deleteByQuery(w http.ResponseWriter, body []byte) {
	var said struct{ Query map[string]any }
	if err := json.Unmarshal(body, &said); err != nil {
		refuse(w, http.StatusBadRequest, "parsing_exception", err.Error())
		return
	}
	gone := 0
	for id, doc := range ix.docs {
		yes, err := matches(said.Query, doc)
		if err != nil {
			refuse(w, http.StatusBadRequest, "parsing_exception", err.Error())
			return
		}
		if yes {
			delete(ix.docs, id)
			gone++
		}
	}
	reply(w, map[string]any{"deleted": gone, "timed_out": false, "version_conflicts": 0, "failures": []any{}})
}

// matches answers queries of bool, term and range.
func matches(query, doc map[string]any) (bool, error) {
	for kind, q := range query {
		said, _ := q.(map[string]any)
		switch kind {
		case "bool":
			for clause, want := range map[string]bool{"filter": true, "must_not": false} {
				list, _ := said[clause].([]any)
				for _, part := range list {
					p, _ := part.(map[string]any)
					if yes, err := matches(p, doc); err != nil || yes != want {
						return false, err
					}
				}
			}
		case "term":
			for field, want := range said {
				if fmt.Sprint(valueOf(doc, field)) != fmt.Sprint(want) {
					return false, nil
				}
			}
		case "range":
			for field, r := range said {
				bounds, _ := r.(map[string]any)
				from, _ := bounds["gte"].(float64)
				if v, ok := valueOf(doc, field).(float64); !ok || v < from {
					return false, nil
				}
			}
		default:
			return false, fmt.Errorf("unknown query [%s]", kind)
		}
	}
	return true, nil
}

func valueOf(doc map[string]any, path string) any {
	var at any = doc
	for name := range strings.SplitSeq(path, ".") {
		below, _ := at.(map[string]any)
		at = below[name]
	}
	return at
}

// search answers with all documents, whatever was asked.
func (ix *index) search(w http.ResponseWriter) {
	hits := []any{}
	for _, id := range slices.Sorted(maps.Keys(ix.docs)) {
		hits = append(hits, map[string]any{"_id": id, "_source": ix.docs[id]})
	}
	reply(w, map[string]any{"hits": map[string]any{"hits": hits}})
}
