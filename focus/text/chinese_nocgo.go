//go:build !cgo

package text

// Backend names what cuts Chinese in this build: "gojieba" or the pure-Go stand-in.
func Backend() string { return pureBackend }

func loadSegmenter(user userDict) segmenter { return newPureSegmenter(user) }
