package visits

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"

	"github.com/gocolly/colly/v2"
	"github.com/gocolly/colly/v2/storage"
)

var errUnmade = errors.New("the collector was not made by colly.NewCollector, and can fetch nothing: make it by that")

// inside finds what a collector keeps to itself: what its setters were given is nowhere else to be had.
func inside[T any](c *colly.Collector, names ...string) (found T, err error) {
	v := reflect.ValueOf(c)
	for _, name := range names {
		if v.Kind() == reflect.Pointer && v.IsNil() {
			return found, errUnmade
		}
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if v.Kind() == reflect.Struct {
			v = v.FieldByName(name)
		}
	}
	if !v.IsValid() || v.Type() != reflect.TypeFor[T]() {
		return found, fmt.Errorf("this version of Colly keeps its %s elsewhere: use v2.3.0, with which thresher was made", strings.Join(names, "."))
	}
	return *(*T)(v.Addr().UnsafePointer()), nil
}

// ClientOf is the client of a collector.
func ClientOf(c *colly.Collector) (*http.Client, error) {
	return inside[*http.Client](c, "backend", "Client")
}

// RulesOf are its LimitRules.
func RulesOf(c *colly.Collector) ([]*colly.LimitRule, error) {
	return inside[[]*colly.LimitRule](c, "backend", "LimitRules")
}

// RedirectsOf is its redirect handler; nil where it has none of its own.
func RedirectsOf(c *colly.Collector) (func(*http.Request, []*http.Request) error, error) {
	return inside[func(*http.Request, []*http.Request) error](c, "redirectHandler")
}

// StorageOf is the storage that a program has given it; nil where it is Colly's own, in memory.
func StorageOf(c *colly.Collector) (storage.Storage, error) {
	store, err := inside[storage.Storage](c, "store")
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
