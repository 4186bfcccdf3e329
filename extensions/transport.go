package extensions

import (
	"context"
	"net/http"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/wire"
)

// Transport gives a collector a transport made of layers, and answers it. The order in which layers are named does
// not matter:
//
//	extensions.Transport(c, extensions.Charset(), extensions.Decode(extensions.DecodeConfig{}),
//		extensions.Limits(extensions.LimitsConfig{}), extensions.PrivateNetworks(extensions.PrivateNetworksConfig{}))
//
// With Limits among them Colly's own ten-second timeout is lifted, because Limits bounds every part of a request.
// Callbacks of this package that need the network, such as Robots, find this transport through c.Context; who
// replaces c.Context does it before calling Transport. SetClient, SetProxy and SetProxyFunc replace the transport:
// do not call them afterwards.
func Transport(c *colly.Collector, layers ...Layer) http.RoundTripper {
	rt := wire.Stack(nil, layers...)
	for _, l := range layers {
		if l.Place() == wire.AtLimits {
			c.SetRequestTimeout(0)
		}
	}
	c.Context = context.WithValue(c.Context, transportKey{}, rt)
	c.WithTransport(rt)
	return rt
}

type transportKey struct{}

// transportOf is the transport that Transport gave the collector, or the one of the standard library.
func transportOf(c *colly.Collector) http.RoundTripper {
	if rt, ok := c.Context.Value(transportKey{}).(http.RoundTripper); ok {
		return rt
	}
	return http.DefaultTransport
}
