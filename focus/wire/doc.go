// Package wire answers one question: what came over the wire?
//
// A Layer is one part of a transport, such as Decode or PrivateNetworks; Stack puts layers on each other in the one order
// that works, whatever order they are named in. Each layer is a file of its own, with its settings, whose zero value is
// the default. From the outermost to the wire:
//
//	Measure         latency and bytes
//	Retry           429, 503 and their like, time-outs, broken connections
//	Charset         text of any charset becomes UTF-8
//	Decode          gzip, brotli, zstd, deflate, within bounds
//	Tap             what came over the wire
//	Unchanged       what an earlier crawl knows, where the host says that it still holds
//	Limits          size and time of header and body
//	PrivateNetworks only the public internet, looked at when it is dialled
//	Resolver        remembers addresses
//
// The package knows net/http and nothing of Colly: the layers serve step 2 of the journey (see package focus), and any
// http.Client.
//
// # Private headers
//
// What a layer has to say about a response stands in response headers that begin with X-Thresher-. The stack removes
// such headers from what servers send and from what goes out, so that they can be believed.
package wire
