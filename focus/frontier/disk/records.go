package disk

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/pack"
)

// head is the head of a snapshot.
type head struct {
	at     position
	key    key
	served uint64
	items  int
	hosts  int
	sums   sums
	tally  tally
	out    []frontier.Lease
	bases  []segment
	oldest segment
	turns  []uint32 // see Schedule.Turns; in a frame of their own

	compact bool // it is not written: at least half of the files is of no use any more, and the last of them is full
}

func (h *head) appendTurns(b []byte) []byte {
	for _, n := range h.turns {
		b = appendUint(b, uint64(n))
	}
	return b
}

func cutTurns(body []byte) (hosts []uint32, err error) {
	c := cut(body)
	for len(c.Left) > 0 && !c.Bad {
		hosts = append(hosts, uint32(c.Number()))
	}
	return hosts, c.done()
}

// code is the head behind magic and version.
func (h *head) code(k *pack.Coder) {
	if !k.Read {
		k.Bytes = binary.LittleEndian.AppendUint16(append(k.Bytes, logMagic...), version)
	}
	items, hosts := uint64(h.items), uint64(h.hosts)
	for _, x := range []*uint64{(*uint64)(&h.at), &h.key[0], &h.key[1], &h.served, &items, &hosts} {
		k.Fixed64(x)
	}
	h.items, h.hosts = int(items), int(hosts)
	for _, x := range []*int64{&h.sums.live.items, &h.sums.live.bodies, &h.sums.live.nums} {
		k.Signed(x)
	}
	for i := range h.tally {
		k.Signed(&h.tally[i].frames)
		k.Signed(&h.tally[i].bytes)
	}
	codeSegment(k, &h.oldest)
	pack.List(k, &h.bases, func(s *segment) { codeSegment(k, s) })
	codeTime(k, &h.sums.at)
	codeSums(k, &h.sums.counters)
	codeSums(k, &h.sums.files)
	pack.List(k, &h.out, func(l *frontier.Lease) { k.Number(&l.ID); k.Text(&l.Host); codeTime(k, &l.At) })
}

func codeSegment(k *pack.Coder, s *segment) {
	n := uint64(*s)
	k.Number(&n)
	*s = segment(n)
}

// readHead reads the head of a snapshot, if this version wrote it.
func readHead(body []byte, h *head) error {
	rest, ok := bytes.CutPrefix(body, []byte(logMagic))
	if !ok || len(rest) < 2 {
		return errHead
	}
	if v := binary.LittleEndian.Uint16(rest); v != version {
		return pack.Version(int(v), version)
	}
	return read(rest[2:], h.code)
}

func codeHost(k *pack.Coder, h *frontier.HostRecord) {
	k.Text(&h.Name)
	codeTime(k, &h.Next)
	k.Signed((*int64)(&h.Pace))
	fails := uint64(h.Fails)
	k.Number(&fails)
	h.Fails = int(fails)
	k.Number(&h.Turn)
}

func cutHosts(body []byte, see func(frontier.HostRecord)) error {
	return read(body, func(k *pack.Coder) {
		for len(k.Bytes) > 0 {
			var h frontier.HostRecord
			if codeHost(k, &h); !k.Bad {
				see(h)
			}
		}
	})
}

func appendRecords(b []byte, rs []frontier.Record[link]) []byte {
	le := binary.LittleEndian
	for i := range rs {
		r := &rs[i]
		b = le.AppendUint64(b, r.Link.hash)
		b = le.AppendUint64(b, uint64(r.Link.base))
		b = le.AppendUint64(b, uint64(r.Link.body))
		b = le.AppendUint64(b, uint64(r.Link.nums))
		b = le.AppendUint32(b, r.Host)
		b = le.AppendUint32(b, r.Tier)
		b = le.AppendUint32(b, math.Float32bits(r.Score))
		b = le.AppendUint32(b, math.Float32bits(r.Alt))
		b = append(b, byte(r.State))
	}
	return b
}

func cutRecord(b []byte) (r frontier.Record[link]) {
	le := binary.LittleEndian
	r.Link = link{le.Uint64(b), position(le.Uint64(b[8:])), position(le.Uint64(b[16:])), position(le.Uint64(b[24:]))}
	r.Host, r.Tier = le.Uint32(b[32:]), le.Uint32(b[36:])
	r.Score, r.Alt = math.Float32frombits(le.Uint32(b[40:])), math.Float32frombits(le.Uint32(b[44:]))
	r.State = frontier.State(b[48])
	return r
}
