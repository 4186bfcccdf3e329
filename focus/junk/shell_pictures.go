package junk

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// picture takes an element that shows something without a word. One that nobody sees shows nothing, nor does a form whose fields are
// hidden, or the picture of a wheel that turns. A picture without a caption fills the place that it stands in, unless it is a logo.
func (s *shell) picture(name string, tag []byte) {
	source := attribute(tag, "src")
	names := source + " " + attribute(tag, "class") + " " + attribute(tag, "id")
	switch {
	case hidden(tag), name == "input" && attribute(tag, "type") == "hidden":
	case (name == "frame" || name == "iframe") && (source == "" || source == "about:blank"):
	case name != "img":
		s.pictures = true
	case captioned(attribute(tag, "alt")):
		s.pictures = true
	case containsAny(names, wheels):
	default:
		s.silent = true
		s.filled = s.filled || !logos.MatchString(names)
	}
}

// logos are in the names of pictures that stand also where a page is still to be made.
var logos = regexp.MustCompile(`logo|(?:\b|_|fav)icon`)

// wheels are in the names of pictures that are shown while something is loaded.
var wheels = []string{"loading", "loader", "spinner", "preload"}

// captioned tells whether the text of a picture says what it shows.
func captioned(alt string) bool {
	words := strings.Fields(alt)
	return !fewerWords([]byte(alt), 0) && noticeOf(alt, len(words)) == noNotice && !slices.Contains(words, "logo") && !containsAny(alt, wheels)
}

// hidden tells an element that nobody sees: it says so, or is no larger than a dot, or stands outside of the page.
func hidden(tag []byte) bool {
	if hasAttribute(tag, "hidden") || tiny(attribute(tag, "width")) || tiny(attribute(tag, "height")) {
		return true
	}
	for _, said := range strings.Split(attribute(tag, "style"), ";") {
		what, value, _ := strings.Cut(said, ":")
		value = strings.TrimSpace(value)
		switch strings.TrimSpace(what) {
		case "display":
			if strings.HasPrefix(value, "none") {
				return true
			}
		case "visibility":
			if strings.HasPrefix(value, "hidden") {
				return true
			}
		case "width", "height":
			if tiny(value) {
				return true
			}
		case "left", "top", "right":
			if far, out := strings.CutPrefix(value, "-"); out && len(far) > 3 && strings.Trim(far[:3], "0123456789") == "" {
				return true
			}
		}
	}
	return false
}

// tiny tells a length of at most one dot.
func tiny(length string) bool {
	length = strings.TrimSuffix(strings.TrimSpace(length), "px")
	return length == "0" || length == "1"
}

// attribute is the value of an attribute of a tag, in lower case.
func attribute(tag []byte, name string) string {
	value, _ := find(tag, name)
	return strings.ToLower(string(value))
}

func hasAttribute(tag []byte, name string) bool {
	_, has := find(tag, name)
	return has
}

// find looks for an attribute of a tag.
func find(tag []byte, name string) (value []byte, has bool) {
	const blanks = " \t\r\n\f/"
	rest := tag[nameLength(tag):]
	for {
		rest = bytes.TrimLeft(rest, blanks)
		if len(rest) == 0 {
			return nil, false
		}
		end := bytes.IndexAny(rest, blanks+"=")
		if end < 0 {
			end = len(rest)
		}
		called := rest[:max(end, 1)]
		rest = bytes.TrimLeft(rest[max(end, 1):], " \t\r\n\f")
		value = nil
		if bytes.HasPrefix(rest, []byte("=")) {
			value, rest = valueOf(bytes.TrimLeft(rest[1:], " \t\r\n\f"))
		}
		if bytes.EqualFold(called, []byte(name)) {
			return value, true
		}
	}
}

// valueOf takes the value of an attribute, with or without quotation marks.
func valueOf(rest []byte) (value, behind []byte) {
	if len(rest) > 0 && (rest[0] == '"' || rest[0] == '\'') {
		value, behind, _ = bytes.Cut(rest[1:], rest[:1])
		return value, behind
	}
	end := bytes.IndexAny(rest, " \t\r\n\f")
	if end < 0 {
		return rest, nil
	}
	return rest[:end], rest[end:]
}
