package redis

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// An item whose depth does not fit was not written by this program: its depth is not cut to what fits.
func TestAnItemOfAnImpossibleDepthIsRefused(t *testing.T) {
	f := &Frontier{}
	standing, identity := "W"+strings.Repeat("\x00", 16)+"a.example", "http://a.example/"
	for depth, good := range map[uint64]bool{0: true, 1<<16 - 1: true, 1 << 16: false, 1 << 40: false} {
		carried := string(binary.AppendUvarint(binary.AppendUvarint([]byte{0, 0}, 7), depth))
		it, _, err := f.item(1, standing, address(&frontier.Item{Identity: identity, URL: identity}), carried, "")
		if good != (err == nil) || good && (uint64(it.Depth) != depth || it.URL != identity || it.Via != 7) {
			t.Errorf("depth %d: %+v, %v", depth, it, err)
		}
	}
}
