// Package extensions answers one question: what does a Colly program need to behave in the open?
//
// There are three kinds of answers. A callback, such as Robots, hangs itself on a collector. A Layer, such as Decode
// or PrivateNetworks, is part of the collector's transport; Transport stacks layers in the one order that works,
// because Colly lets only one transport be set. A Queue is Colly's queue over a frontier: priorities, a clock for
// every host, and resume.
//
// Callbacks, each a function of the collector:
//
//	Robots          obeys robots.txt (RFC 9309); MayFollow, MayIndex
//	Canonical       one address for all the ways to write it; CanonicalOf
//	Traps           calendars, facets, session ids, paths that grow
//	SoftNotFound    "not found" with status 200
//	Walls           bot walls, parked domains, servers' own pages
//	NearDuplicates  pages that were there before, mirrors
//	Sitemaps, Feeds links with the evidence beside them
//	Conditional     ETag and Last-Modified for repeat crawls
//	OptOuts         what authors reserve; OptOutsOf
//	Agent           an honest name with a contact
//	JSONLines       a line for every page
//	Progress        a line that tells how it goes
//
// Layers, from the outermost to the wire. Transport and Stack put them in this order:
//
//	meters.Layer    latency and bytes (package extensions/metrics, which knows Prometheus)
//	Retry           429, 503, time-outs, broken connections
//	Charset         text of any charset becomes UTF-8
//	Decode          gzip, brotli, zstd, deflate, within bounds
//	WARC, Tap       what came over the wire
//	Limits          size and time of header and body
//	PrivateNetworks only the public internet, looked at when it is dialled
//	Resolver        remembers addresses
//
// Every one of them stands alone in a plain Colly program. Each is a thin dress: what decides is in the packages wire
// (what came over the wire?), robots (may we ask?) and junk (is it worth keeping?), which know nothing of Colly and which
// package focus uses too. Each takes a plain settings struct of its own, whose zero value is the default. A program with one
// of them links what that one needs beside Colly, and no YAML, no C++ and, but for the figures, no Prometheus.
//
// # Private headers
//
// What a layer has to say about a response stands in response headers that begin with X-Thresher-. The stack removes
// such headers from what servers send and from what goes out, so that they can be believed.
package extensions
