package clustertest

import (
	"fmt"
	"regexp"
	"strconv"
)

// fits holds a document against the mapping, and adds what it has and the mapping has not.
func fits(properties, doc map[string]any, at string) error {
	for name, value := range doc {
		known, ok := properties[name].(map[string]any)
		if !ok {
			if known = kindOf(value); known == nil {
				continue
			}
			properties[name] = known
		}
		if err := one(known, value, at+name); err != nil {
			return err
		}
	}
	return nil
}

func one(known map[string]any, value any, at string) error {
	if list, ok := value.([]any); ok {
		for _, v := range list {
			if err := one(known, v, at); err != nil {
				return err
			}
		}
		return nil
	}
	object, isObject := value.(map[string]any)
	below, wantsObject := known["properties"].(map[string]any)
	switch {
	case value == nil || known["enabled"] == false:
		return nil
	case isObject && known["type"] == "object" && !wantsObject:
		below = map[string]any{}
		known["properties"], wantsObject = below, true
	case isObject != wantsObject:
		return fmt.Errorf("object mapping for [%s] tried to parse field as something else", at)
	}
	if isObject {
		return fits(below, object, at+".")
	}
	word, isWord := value.(string)
	switch known["type"] {
	case "date":
		if isWord && !aDay.MatchString(word) && known["ignore_malformed"] != true {
			return fmt.Errorf("failed to parse field [%s] of type [date]", at)
		}
	case "long", "float", "integer":
		if isWord {
			if _, err := strconv.ParseFloat(word, 64); err != nil {
				return fmt.Errorf("failed to parse field [%s] of type [%s]: For input string: %q", at, known["type"], word)
			}
		}
	}
	return nil
}

// aDay is what is taken for a date.
var aDay = regexp.MustCompile(`^[0-9]{4}(-[0-9]{2}){0,2}(T[0-9:.]+(Z|[-+][0-9:]+)?)?$`)

// kindOf is the mapping that a value makes, where there is none.
func kindOf(value any) map[string]any {
	switch v := value.(type) {
	case string:
		if aDay.MatchString(v) {
			return map[string]any{"type": "date"}
		}
		return map[string]any{"type": "text"}
	case float64:
		return map[string]any{"type": "long"}
	case bool:
		return map[string]any{"type": "boolean"}
	case map[string]any:
		return map[string]any{"type": "object"}
	case []any:
		if len(v) > 0 {
			return kindOf(v[0])
		}
	}
	return nil
}
