package outlet

import (
	"hash/fnv"
	"math"
	"net"

	"golang.org/x/net/publicsuffix"
)

// Train tells whether the pages of a host are for training, where a share of all sites is. All hosts of a registered domain are on one
// side, whatever else is exported.
func Train(host string, share float64) bool {
	if bare, _, err := net.SplitHostPort(host); err == nil {
		host = bare
	}
	if registered, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		host = registered
	}
	h := fnv.New64a()
	h.Write([]byte(host)) // it cannot fail
	x := h.Sum64()
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9 // hosts differ in few letters, which move few bits
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return float64(x^x>>31) < share*math.MaxUint64
}
