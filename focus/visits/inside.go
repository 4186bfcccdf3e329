package visits

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/gocolly/colly/v2"
	"github.com/gocolly/colly/v2/storage"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

var errUnmade = errors.New("the collector was not made as Colly makes one, and can fetch nothing: let Colly make it")

// inside finds what Colly keeps to itself: what the setters of a collector were given is nowhere else to be had.
func inside[T any](of any, names ...string) (*T, error) {
	v := reflect.ValueOf(of)
	for _, name := range names {
		if v.Kind() == reflect.Pointer && v.IsNil() {
			return nil, errUnmade
		}
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if v.Kind() == reflect.Struct {
			v = v.FieldByName(name)
		}
	}
	if !v.IsValid() || v.Type() != reflect.TypeFor[T]() {
		return nil, fmt.Errorf("this version of Colly keeps its %s elsewhere: use v2.3.0, with which thresher was made", strings.Join(names, "."))
	}
	return (*T)(v.Addr().UnsafePointer()), nil
}

func held[T any](c *colly.Collector, names ...string) (what T, err error) {
	at, err := inside[T](c, names...)
	if err == nil {
		what = *at
	}
	return what, err
}

// Get makes a collector ask for the page of an item: Collector.Request knows start pages alone, so that callbacks saw depth 1. A wall is
// asked for again, though it was visited before (toWall).
func Get(c *colly.Collector, item frontier.Item, ctx *colly.Context, header http.Header) error {
	r := &colly.Request{Method: http.MethodGet, URL: &url.URL{Opaque: item.URL}, Depth: int(item.Depth) + 1, Ctx: ctx, Headers: &header} // as it is written
	of, err := inside[*colly.Collector](r, "collector")
	if err != nil {
		return err
	}
	*of = c
	if wallFor(item) != "" {
		return r.Retry()
	}
	return r.Do()
}

// ClientOf is the client of a collector.
func ClientOf(c *colly.Collector) (*http.Client, error) {
	return held[*http.Client](c, "backend", "Client")
}

// RulesOf are its LimitRules.
func RulesOf(c *colly.Collector) ([]*colly.LimitRule, error) {
	return held[[]*colly.LimitRule](c, "backend", "LimitRules")
}

// RedirectsOf is its redirect handler; nil where it has none of its own.
func RedirectsOf(c *colly.Collector) (func(*http.Request, []*http.Request) error, error) {
	return held[func(*http.Request, []*http.Request) error](c, "redirectHandler")
}

// StorageOf is the storage that a program has given it; nil where it is Colly's own, in memory.
func StorageOf(c *colly.Collector) (storage.Storage, error) {
	store, err := held[storage.Storage](c, "store")
	if _, preset := store.(*storage.InMemoryStorage); preset {
		return nil, err
	}
	return store, err
}

// PresetAgent is the name that Colly goes by where a program has given none.
func PresetAgent() string {
	var c colly.Collector
	c.Init()
	return c.UserAgent
}
