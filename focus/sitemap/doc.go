// Package sitemap answers one question: which links do a site's own lists hold?
//
// Parse reads sitemaps of every kind, ParseFeed RSS and Atom. What stands in them are links like those of pages, with the
// evidence beside them, to be scored like one.
package sitemap
