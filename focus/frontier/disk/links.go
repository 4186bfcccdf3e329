package disk

import (
	"errors"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/pack"
)

// Push adds an item or raises one that waits.
func (f *Frontier) Push(it frontier.Item) (id uint64, fresh bool, err error) {
	if err := it.Check(); err != nil {
		return 0, false, err
	}
	hash := f.key.hash(it.Known())
	if err := f.begin(); err != nil {
		return 0, false, err
	}
	defer f.mu.Unlock()
	p, err := f.push(&it, hash, f.find(hash))
	f.tell()
	return p.ID, p.Fresh, err
}

// push is Push of what is known under an id, or new if that is 0.
func (f *Frontier) push(it *frontier.Item, hash uint64, id uint32) (frontier.Pushed, error) {
	if id != 0 {
		return f.again(uint64(id), it), nil
	}
	it.ID = uint64(f.order.Count() + 1)
	if _, err := f.order.Add(it.Host, it.Tier, it.Score, it.Alt, link{hash: hash}); err != nil {
		return frontier.Pushed{}, err
	}
	f.seen.put(hash, uint32(it.ID))
	visit := f.visiting(it.Via)
	f.order.Link(it.ID).base = f.note(kindItem, !visit, it)
	f.sums.live.items++
	if it.Via == 0 {
		f.order.Pardon(it.ID)
	}
	f.told(!visit, visit)
	return frontier.Pushed{ID: it.ID, Fresh: true}, nil
}

// again pushes a known item. It is fresh only if it had been dropped. Most links that are known raise nothing: of those,
// only the item itself is looked at, and not its host.
func (f *Frontier) again(id uint64, it *frontier.Item) frontier.Pushed {
	whole, altOnly := f.order.Raises(id, it.Tier, it.Score, it.Alt)
	if !whole && !altOnly {
		return frontier.Pushed{ID: id}
	}
	st := f.order.Standing(id)
	visit := f.visiting(it.Via)
	if whole {
		f.order.Raise(id, it.Tier, it.Score, it.Alt)
		r := *it
		r.ID, r.Alt = id, f.order.Standing(id).Alt
		l := f.order.Link(id)
		f.sums.live.replace(l, true)
		l.body = f.note(kindRaise, !visit, &r)
		l.nums = 0
	} else {
		f.order.Set(id, st.Tier, st.Score, it.Alt)
		f.note(kindStand, !visit, &frontier.Item{ID: id, Tier: st.Tier, Score: st.Score, Alt: it.Alt})
	}
	f.told(!visit, visit)
	dropped := st.State == frontier.Dropped
	return frontier.Pushed{ID: id, Fresh: dropped, Raised: whole && !dropped}
}

// visiting tells whether a push belongs to a visit that is under way: then it ends with that visit. With Options.Whole
// it ends with the next one.
func (f *Frontier) visiting(via uint64) bool {
	return f.whole || via != 0 && f.order.Standing(via).State == frontier.Leased
}

// note writes down how an item stands, and answers where.
func (f *Frontier) note(kind kind, commit bool, it *frontier.Item) position {
	return f.log.append(kind, commit, func(k *pack.Coder) { codeLink(k, kind, it) })
}

func (f *Frontier) find(hash uint64) uint32 {
	return f.seen.find(hash, func(id uint32) bool { return f.order.Link(uint64(id)).hash == hash })
}

// Len is the number of items that wait.
func (f *Frontier) Len() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.order.Len()
}

// Find answers the id of an identity, 0 if it was never pushed.
func (f *Frontier) Find(identity string) uint64 {
	hash := f.key.hash(identity)
	f.mu.Lock()
	defer f.mu.Unlock()
	return uint64(f.find(hash))
}

// Get answers an item and its state. An item that cannot be read has its standing, but no address, and nothing can be told
// any more: whoever tells something next is answered why. Look says so at once.
func (f *Frontier) Get(id uint64) (frontier.Item, frontier.State) {
	it, st, err := f.Look(id)
	if err != nil {
		f.fail(err)
	}
	return it, st
}

// Look is Get with the error of the disk.
func (f *Frontier) Look(id uint64) (frontier.Item, frontier.State, error) {
	f.mu.Lock()
	if f.order.Link(id) == nil {
		f.mu.Unlock()
		return frontier.Item{}, frontier.Unknown, nil
	}
	l, st := *f.order.Link(id), f.order.Standing(id)
	f.mu.Unlock()
	it, err := f.item(id, l, st)
	return it, st.State, err
}

// fail lets nothing be told any more: what is known of some item cannot be read, and whoever has asked for it went on
// without.
func (f *Frontier) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failed == nil {
		f.failed = err
	}
	f.tell()
}

// item reads an item that stands at l. If compaction moves it meanwhile, it looks again where it stands now.
func (f *Frontier) item(id uint64, l link, st frontier.Standing) (frontier.Item, error) {
	for range 10 {
		it, err := f.read(l)
		if err == errGone {
			f.mu.Lock()
			l = *f.order.Link(id)
			f.mu.Unlock()
			continue
		}
		it.ID, it.Host, it.Tier, it.Score, it.Alt = id, st.Host, st.Tier, st.Score, st.Alt
		return it, err
	}
	return frontier.Item{ID: id}, errGone
}

// read puts an item together from its parts.
func (f *Frontier) read(l link) (it frontier.Item, err error) {
	for _, part := range [...]struct {
		at   position
		kind kind
	}{{l.base, kindItem}, {l.body, kindRaise}, {l.nums, kindScore}} {
		if part.at == 0 || err != nil {
			continue
		}
		err = f.log.view(part.at, func(k kind, body []byte) error {
			if k != part.kind {
				return errFrame
			}
			return read(body, func(c *pack.Coder) { codeLink(c, k, &it) })
		})
	}
	return it, err
}

// Rescore changes the scores of a waiting item, and its note if one is given.
func (f *Frontier) Rescore(id uint64, score, alt float32, numbers []float32, note []byte) error {
	if err := frontier.Check(score, alt); err != nil {
		return err
	}
	if note != nil {
		return f.renote(id, score, alt, numbers, note)
	}
	return f.waiting(id, func(st frontier.Standing) {
		f.order.Set(id, st.Tier, score, alt)
		l := f.order.Link(id)
		f.sums.live.replace(l, false)
		l.nums = f.note(kindScore, false, &frontier.Item{ID: id, Score: score, Alt: alt, Numbers: numbers})
	})
}

// renote is Rescore with a note. It stands in the log as a raise does, with what a raise says beside the scores and the note.
func (f *Frontier) renote(id uint64, score, alt float32, numbers []float32, note []byte) error {
	var unread error
	err := f.waiting(id, func(st frontier.Standing) {
		l := f.order.Link(id)
		it, err := f.read(*l)
		if err != nil {
			unread = err
			return
		}
		it.ID, it.Tier, it.Score, it.Alt, it.Numbers, it.Note = id, st.Tier, score, alt, numbers, note
		f.order.Set(id, st.Tier, score, alt)
		f.sums.live.replace(l, true)
		l.body = f.note(kindRaise, false, &it)
		l.nums = 0
	})
	return errors.Join(err, unread)
}

// Promote moves a waiting item to another tier.
func (f *Frontier) Promote(id uint64, tier uint32, score float32) error {
	if err := frontier.Check(score, 0); err != nil {
		return err
	}
	return f.waiting(id, func(st frontier.Standing) {
		f.order.Set(id, tier, score, st.Alt)
		f.note(kindStand, false, &frontier.Item{ID: id, Tier: tier, Score: score, Alt: st.Alt})
	})
}

// Drop forgets that an item waits.
func (f *Frontier) Drop(id uint64) error {
	return f.waiting(id, func(frontier.Standing) {
		f.order.Drop(id)
		f.out = withoutLease(f.out, id)
		f.note(kindDrop, false, &frontier.Item{ID: id})
	})
}

// Unshelve lets an item wait again that was given up.
func (f *Frontier) Unshelve(id uint64) (was bool, err error) {
	if err := f.begin(); err != nil {
		return false, err
	}
	defer f.mu.Unlock()
	if was = f.order.Unshelve(id); was {
		f.log.append(kindState, false, (&stated{id: id, now: frontier.Waiting}).code)
		f.told(false, false)
		f.tell()
	}
	return was, nil
}

// waiting does something with an item if it waits.
func (f *Frontier) waiting(id uint64, do func(frontier.Standing)) error {
	if err := f.begin(); err != nil {
		return err
	}
	defer f.mu.Unlock()
	if st := f.order.Standing(id); st.State == frontier.Waiting {
		do(st)
		f.told(false, false)
		f.tell()
	}
	return nil
}

// Each visits the waiting items of a tier in order.
func (f *Frontier) Each(tier uint32, visit func(id uint64) bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.order.Each(tier, visit)
}

// Standing answers how an item stands.
func (f *Frontier) Standing(id uint64) frontier.Standing {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.order.Standing(id)
}

// Pace sets the least delay between two visits of a host.
func (f *Frontier) Pace(host string, delay time.Duration) {
	if f.begin() != nil {
		return
	}
	defer f.mu.Unlock()
	f.order.Pace(host, delay)
	f.log.append(kindPace, false, (&hosted{name: host, pace: delay}).slow)
	f.told(false, false)
}

// Rest leaves a host alone until a time at least.
func (f *Frontier) Rest(host string, until time.Time) {
	if f.begin() != nil {
		return
	}
	defer f.mu.Unlock()
	f.order.Rest(host, until)
	f.log.append(kindRest, false, (&hosted{name: host, until: until}).rest)
	f.told(false, false)
	f.tell()
}
