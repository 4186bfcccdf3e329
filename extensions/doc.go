// Package extensions answers one question: what does a Colly program need to behave in the open?
//
// There are three kinds of answers. A callback, such as Robots, hangs itself on a collector. A Layer, such as Decode
// or PrivateNetworks, is part of the collector's transport; Transport stacks layers in the one order that works,
// because Colly lets only one transport be set. A Queue is Colly's queue over a frontier: priorities, a clock for
// every host, and resume.
//
// Every one of them stands alone in a plain Colly program; package focus uses the same ones (step 2 of the journey).
//
// # Private headers
//
// What a layer has to say about a response stands in response headers that begin with X-Thresher-. The stack removes
// such headers from what servers send and from what goes out, so that they can be believed.
package extensions
