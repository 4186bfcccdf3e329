package disk

import (
	"bytes"
	"encoding/binary"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/pack"
)

// head is the head of a snapshot.
type head struct {
	at     position
	key    key
	served uint64
	items  uint64
	hosts  uint64
	sums   sums
	tally  tally
	out    []frontier.Lease
	bases  []segment
	oldest segment
	turns  []uint32 // see Schedule.Turns; in a frame of their own

	// These are not written: at least half of the files is of no use any more, and what they held then.
	compact bool
	before  tally
}

// code is the head behind magic and version.
func (h *head) code(k *pack.Coder) {
	if !k.Read {
		k.Bytes = binary.LittleEndian.AppendUint16(append(k.Bytes, logMagic...), version)
	}
	for _, x := range []*uint64{(*uint64)(&h.at), &h.key[0], &h.key[1], &h.served, &h.items, &h.hosts} {
		k.Fixed64(x)
	}
	for _, x := range []*int64{&h.sums.live.items, &h.sums.live.bodies, &h.sums.live.nums} {
		k.Signed(x)
	}
	for i := range h.tally {
		k.Signed(&h.tally[i].frames)
		k.Signed(&h.tally[i].bytes)
	}
	pack.Small(k, &h.oldest)
	pack.List(k, &h.bases, func(s *segment) { pack.Small(k, s) })
	codeTime(k, &h.sums.at)
	codeSums(k, &h.sums.counters)
	codeSums(k, &h.sums.files)
	pack.List(k, &h.out, func(l *frontier.Lease) { k.Number(&l.ID); k.Text(&l.Host); codeTime(k, &l.At) })
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

// codeTurns is the body of snapTurns.
func codeTurns(k *pack.Coder, hosts *[]uint32) {
	pack.ToEnd(k, hosts, func(n *uint32) { pack.Small(k, n) })
}

// codeHosts is the body of snapHosts.
func codeHosts(k *pack.Coder, hosts *[]frontier.HostRecord) {
	pack.ToEnd(k, hosts, func(h *frontier.HostRecord) { codeHost(k, h) })
}

func codeHost(k *pack.Coder, h *frontier.HostRecord) {
	k.Text(&h.Name)
	codeTime(k, &h.Next)
	k.Signed((*int64)(&h.Pace))
	pack.Small(k, &h.Fails)
	k.Number(&h.Turn)
}

// codeRecord is itemSize bytes.
func codeRecord(k *pack.Coder, r *frontier.Record[link]) {
	for _, x := range [...]*uint64{&r.Link.hash, (*uint64)(&r.Link.base), (*uint64)(&r.Link.body), (*uint64)(&r.Link.nums)} {
		k.Fixed64(x)
	}
	k.Fixed32(&r.Host)
	k.Fixed32(&r.Tier)
	k.Float32(&r.Score)
	k.Float32(&r.Alt)
	k.Byte((*byte)(&r.State))
}
