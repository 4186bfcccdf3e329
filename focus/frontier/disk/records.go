package disk

import (
	"encoding/binary"
	"math"
	"time"

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

func (h *head) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint16(append(b, logMagic...), version)
	for _, x := range []uint64{uint64(h.at), h.key[0], h.key[1], h.served, uint64(h.items), uint64(h.hosts)} {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	b = appendInt(appendInt(appendInt(b, h.sums.live.items), h.sums.live.bodies), h.sums.live.nums)
	for _, t := range h.tally {
		b = appendInt(appendInt(b, t.frames), t.bytes)
	}
	b = appendUint(appendUint(b, uint64(h.oldest)), uint64(len(h.bases)))
	for _, s := range h.bases {
		b = appendUint(b, uint64(s))
	}
	b = appendTime(b, h.sums.at)
	b = appendSums(appendSums(b, h.sums.counters), h.sums.files)
	b = appendUint(b, uint64(len(h.out)))
	for _, l := range h.out {
		b = appendTime(appendString(appendUint(b, l.ID), l.Host), l.At)
	}
	return b
}

func cutSnapHead(body []byte) (h head, err error) {
	c := cut(body)
	if string(c.Take(8)) != logMagic {
		return h, errHead
	}
	if v := binary.LittleEndian.Uint16(append(c.Take(2), 0, 0)); v != version {
		return h, pack.Version(int(v), version)
	}
	h.at, h.key, h.served = position(c.Fixed64()), key{c.Fixed64(), c.Fixed64()}, c.Fixed64()
	h.items, h.hosts = int(c.Fixed64()), int(c.Fixed64())
	h.sums.live = live{c.Signed(), c.Signed(), c.Signed()}
	for i := range h.tally {
		h.tally[i].frames, h.tally[i].bytes = c.Signed(), c.Signed()
	}
	h.oldest = segment(c.Number())
	for n := c.Number(); n > 0 && !c.Bad; n-- {
		h.bases = append(h.bases, segment(c.Number()))
	}
	h.sums.at = c.time()
	h.sums.counters, h.sums.files = c.sums(), c.sums()
	for n := c.Number(); n > 0 && !c.Bad; n-- {
		h.out = append(h.out, frontier.Lease{ID: c.Number(), Host: c.Text(), At: c.time()})
	}
	return h, c.done()
}

func appendHosts(b []byte, hosts []frontier.HostRecord) []byte {
	for _, h := range hosts {
		b = appendTime(appendString(b, h.Name), h.Next)
		b = appendUint(appendUint(appendInt(b, int64(h.Pace)), uint64(h.Fails)), h.Turn)
	}
	return b
}

func cutHosts(body []byte, see func(frontier.HostRecord)) error {
	c := cut(body)
	for len(c.Left) > 0 {
		r := frontier.HostRecord{Name: c.Text(), Next: c.time(), Pace: time.Duration(c.Signed())}
		r.Fails, r.Turn = int(c.Number()), c.Number()
		if !c.Bad {
			see(r)
		}
	}
	return c.done()
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
