package sink

import (
	"bytes"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/warc"
)

// exchanges is the sink that keeps pages as they came over the wire.
type exchanges struct {
	*files
	info map[string]string
	*packer
}

// packer packs records of an archive, one behind the other.
type packer struct {
	packed bytes.Buffer
	w      *warc.Writer

	asked, answered bytes.Buffer // of the page that is packed
}

func newPacker() *packer {
	p := &packer{}
	p.w = warc.NewWriter(&p.packed)
	return p
}

func init() { Register("warc", openWARC) }

func openWARC(dir string, o Options) (Sink, error) {
	if len(o.Fields) > 0 {
		return nil, fmt.Errorf("open warc sink: it has no fields to choose from, only jsonl and csv have")
	}
	s := &exchanges{info: o.Info, packer: newPacker()}
	var err error
	s.files, err = openFiles(dir, archives, o.Rotate)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Write writes the records of a page: the request, the response, and what the crawl thought of it. Where a service ran its scripts,
// what that made of it stands before the response, as a conversion of it: whoever reads the archive for what the crawl judged takes
// the first of an address.
func (s *exchanges) Write(r *Record) error {
	page := [][]byte{r.made.exchange, r.made.judged}
	if r.made.judged == nil || r.made.via != r.via() {
		s.packed.Reset()
		if err := s.page(r); err != nil {
			return err
		}
		page = [][]byte{s.packed.Bytes()}
	}
	if s.full(size(page)) {
		if err := s.next(); err != nil {
			return err
		}
	}
	if s.length > 0 {
		return s.write(page...)
	}
	first := slices.Concat(page...)
	s.packed.Reset()
	if _, err := s.w.Write(s.about(r.Time)); err != nil {
		return err
	}
	return s.write(s.packed.Bytes(), first)
}

// about is the warcinfo record that heads a file.
func (s *exchanges) about(at time.Time) *warc.Record {
	info := map[string]string{"software": "thresher", "format": "WARC File Format 1.1"}
	maps.Copy(info, s.info)
	name := s.series.name(s.n)
	return &warc.Record{
		Type: "warcinfo", ID: warc.NewID("warcinfo", name, at.String()), Date: at, Body: warcFields(info),
		Header: http.Header{"Content-Type": {"application/warc-fields"}, "WARC-Filename": {name}},
	}
}

func warcFields(m map[string]string) []byte {
	var b bytes.Buffer
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if v := strings.Join(strings.Fields(strings.ToValidUTF8(m[k], "\ufffd")), " "); v != "" {
			b.WriteString(k + ": " + v + "\r\n")
		}
	}
	return b.Bytes()
}

// archived is a record of an archive that belongs to a page, of the given type.
func (r *Record) archived(kind string) *warc.Record {
	address := r.FinalURL
	if address == "" {
		address = r.URL
	}
	return &warc.Record{Type: kind, Target: address, Date: r.Time, Header: http.Header{},
		ID: warc.NewID(kind, address, r.Time.UTC().String(), r.Digest, strconv.FormatUint(r.ID, 10))}
}

// page packs all records of a page; what went over the wire may have been packed ahead.
func (p *packer) page(r *Record) error {
	if r.made.exchange != nil {
		p.packed.Write(r.made.exchange)
	} else if err := p.exchange(r); err != nil {
		return err
	}
	return p.judged(r, r.via())
}

// judged packs what the crawl thought of a page that stands on another.
func (p *packer) judged(r *Record, via string) error {
	metadata := r.archived("metadata")
	metadata.Body = warcFields(judgement(r, via))
	metadata.Header = http.Header{"Content-Type": {"application/warc-fields"}, "WARC-Concurrent-To": {r.archived("response").ID}}
	_, err := p.w.Write(metadata)
	return err
}

// exchange packs what went over the wire.
func (p *packer) exchange(r *Record) error {
	response := r.archived("response")
	response.Body = responseBlock(&p.answered, r)
	response.Header.Set("Content-Type", "application/http; msgtype=response")
	if why := truncated(r.Cut); why != "" {
		response.Header.Set("WARC-Truncated", why)
	}
	if ip, _, err := net.SplitHostPort(r.ConnAddr); err == nil {
		response.Header.Set("WARC-IP-Address", ip)
	}
	request := r.archived("request")
	request.Body = requestBlock(&p.asked, r, request.Target)
	request.Header = http.Header{"Content-Type": {"application/http; msgtype=request"}, "WARC-Concurrent-To": {response.ID}}
	records := []*warc.Record{request, response}
	if r.Rendered != nil {
		rendered := r.archived("conversion")
		rendered.Body = r.Rendered
		rendered.Header = http.Header{"Content-Type": {"text/html; charset=utf-8"}, "WARC-Refers-To": {response.ID}}
		records = slices.Insert(records, 1, rendered)
	}
	for _, rec := range records {
		if _, err := p.w.Write(rec); err != nil {
			return err
		}
	}
	return nil
}

// truncated says in the words of WARC why a body is not whole. What only decoding cut is whole as it came over the wire.
func truncated(cut string) string {
	switch cut {
	case "size":
		return "length"
	case "time":
		return "time"
	case "short":
		return "disconnect"
	}
	return ""
}

// via is the page that a record's link stands on, by its trail.
func (r *Record) via() string {
	if n := len(r.Trail); n > 0 {
		return r.Trail[n-1].URL
	}
	return ""
}

// judgement is what the metadata record says: the names that other crawlers use where there are any.
func judgement(r *Record, via string) map[string]string {
	m := map[string]string{
		"relevance": plainNumber(r.Relevance), "score": plainNumber(r.Score), "terms": textTerms(r), "why": textWhy(r),
		"title": r.Title, "language": r.Language, "charset-detected": r.Charset, "hopsFromSeed": strings.Repeat("L", r.Depth),
	}
	if via != "" {
		m["via"] = via
	}
	if r.FinalURL != "" && r.FinalURL != r.URL {
		m["found-as"] = r.URL
	}
	if r.Took > 0 {
		m["fetchTimeMs"] = strconv.FormatInt(r.Took.Milliseconds(), 10)
	}
	return m
}

func responseBlock(to *bytes.Buffer, r *Record) []byte {
	proto := r.Proto
	if proto == "" {
		proto = "HTTP/1.1"
	}
	h := r.Header.Clone()
	if h == nil {
		h = http.Header{}
	}
	h.Del("Transfer-Encoding") // Body is what came out of it
	h.Set("Content-Length", strconv.Itoa(len(r.Body)))
	return message(to, fmt.Sprintf("%s %d %s", proto, r.Status, http.StatusText(r.Status)), h, r.Body)
}

// requestBlock is the request as it was sent, or as it must have been where nobody kept it.
func requestBlock(to *bytes.Buffer, r *Record, address string) []byte {
	method, host, path, h := http.MethodGet, r.Host, "/", http.Header{}
	if u, err := url.Parse(address); err == nil {
		host, path = u.Host, u.RequestURI()
	}
	if q := r.Request; q != nil {
		h = q.Header.Clone()
		if q.Method != "" {
			method = q.Method
		}
		if q.Host != "" {
			host = q.Host
		}
	}
	if h == nil {
		h = http.Header{}
	}
	for _, secret := range []string{"Authorization", "Proxy-Authorization", "Cookie"} {
		h.Del(secret) // an archive is given away
	}
	h.Set("Host", host)
	return message(to, method+" "+path+" HTTP/1.1", h, nil)
}

// message writes a message of HTTP; it is good until the next one is written there.
func message(b *bytes.Buffer, first string, h http.Header, body []byte) []byte {
	b.Reset()
	b.WriteString(strings.TrimSpace(first) + "\r\n")
	h.Write(b) // into memory; it sorts, and takes line breaks out of values
	b.WriteString("\r\n")
	b.Write(body)
	return b.Bytes()
}
