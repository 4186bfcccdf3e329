package disk

import "github.com/thresher-crawler/thresher/focus/frontier"

// PushAll is Push of each, in order. What the pushes need is read for all of them first: the memory of ten million links is
// far away, and one after the other the links of a page would wait for it three to five times each.
func (f *Frontier) PushAll(items []frontier.Item) ([]frontier.Pushed, error) {
	hashes := make([]uint64, len(items))
	for i := range items {
		if err := items[i].Check(); err != nil {
			return nil, err
		}
		hashes[i] = f.key.hash(items[i].Known())
	}
	if err := f.begin(); err != nil {
		return nil, err
	}
	defer f.mu.Unlock()
	defer f.tell()
	ids := f.findAll(hashes)
	f.order.Ahead(items, ids)
	pushed := make([]frontier.Pushed, len(items))
	for i, it := range items {
		if ids[i] == 0 { // unless another link of the page was to the same address
			ids[i] = f.find(hashes[i])
		}
		var err error
		if pushed[i], err = f.push(&it, hashes[i], ids[i]); err != nil {
			return nil, err
		}
	}
	return pushed, nil
}

// FindAll is Find of each.
func (f *Frontier) FindAll(identities []string) []uint64 {
	hashes := make([]uint64, len(identities))
	for i := range identities {
		hashes[i] = f.key.hash(identities[i])
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	found := make([]uint64, len(identities))
	for i, id := range f.findAll(hashes) {
		found[i] = uint64(id)
	}
	return found
}

// findAll is find of each. It goes through all hashes once for their slots and once for the items in them, so that nothing
// waits for one of them before the next has been asked for.
func (f *Frontier) findAll(hashes []uint64) []uint32 {
	slots := make([]uint64, len(hashes))
	for i, h := range hashes {
		slots[i] = f.seen.first(h)
	}
	ids := make([]uint32, len(hashes))
	for i, h := range hashes {
		if slots[i] != 0 {
			ids[i] = f.seen.find(h, func(uint32) bool { return true })
		}
	}
	for i, h := range hashes {
		if ids[i] != 0 && f.order.Link(uint64(ids[i])).hash != h {
			ids[i] = f.find(h)
		}
	}
	return ids
}
