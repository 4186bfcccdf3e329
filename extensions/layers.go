package extensions

import (
	"net/http"

	"github.com/thresher-crawler/thresher/focus/wire"
)

// The layers of a collector's transport are those of package wire, whose documentation says what each of them does; WARC
// is the only one of this package. The zero value of each settings struct is the default.
type (
	Layer                 = wire.Layer
	RetryConfig           = wire.RetryConfig
	DecodeConfig          = wire.DecodeConfig
	LimitsConfig          = wire.LimitsConfig
	PrivateNetworksConfig = wire.PrivateNetworksConfig
	ResolverConfig        = wire.ResolverConfig
	Answer                = wire.Answer
)

// Headers in which layers and callbacks tell something about a page; see the doc of the package.
const (
	CutHeader       = wire.CutHeader         // why a body is not whole: Limits, Decode
	CharsetHeader   = wire.CharsetHeader     // what charset it was in: Charset
	RetryHeader     = wire.RetryHeader       // why Retry gave up
	TrapHeader      = "X-Thresher-Trap"      // why a page is none: SoftNotFound, Walls
	DuplicateHeader = "X-Thresher-Duplicate" // the page that it repeats: NearDuplicates
)

// Retry makes a request again where that may help; see wire.Retry.
func Retry(o RetryConfig) Layer { return wire.Retry(o) }

// Charset turns text of any charset into UTF-8; see wire.Charset.
func Charset() Layer { return wire.Charset() }

// Decode undoes gzip, brotli, zstd and deflate, within bounds; see wire.Decode.
func Decode(o DecodeConfig) Layer { return wire.Decode(o) }

// Tap hands what came over the wire to a function; see wire.Tap.
func Tap(hear func(*http.Request, Answer)) Layer { return wire.Tap(hear) }

// Unchanged asks for what an earlier crawl had only if it has changed since; see wire.Unchanged.
func Unchanged(old http.RoundTripper) Layer { return wire.Unchanged(old, nil) }

// Limits bounds size and time of header and body; see wire.Limits.
func Limits(o LimitsConfig) Layer { return wire.Limits(o) }

// PrivateNetworks keeps a crawl on the public internet; see wire.PrivateNetworks.
func PrivateNetworks(o PrivateNetworksConfig) Layer { return wire.PrivateNetworks(o) }

// Resolver remembers the addresses of hosts; see wire.Resolver.
func Resolver(o ResolverConfig) Layer { return wire.Resolver(o) }
