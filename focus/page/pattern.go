package page

import (
	"strings"
	"unicode/utf8"
)

// HostPattern is a host that a person has named, or a pattern of hosts, as hosts are compared: in lower case, and each label in the
// letters that the network knows. A label of other letters with a * in it stays as it is: no host is like it.
func HostPattern(written string) string {
	written = strings.ToLower(written)
	if !strings.ContainsFunc(written, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return written
	}
	labels := strings.Split(fullStops.Replace(written), ".")
	for i, label := range labels {
		port := label[len(Portless(label)):]
		if ascii, err := international.ToASCII(Portless(label)); err == nil {
			labels[i] = ascii + port
		}
	}
	return strings.Join(labels, ".")
}

// fullStops are those of other scripts, which part the labels of a name, too.
var fullStops = strings.NewReplacer("。", ".", "．", ".", "｡", ".")

// IsHost tells whether a text is the name or the number of a host, with a port or without, and nothing more than that.
func IsHost(written string) bool {
	return !strings.ContainsAny(written, "/\\?#@% \t\r\n") && Host("http://"+written) != ""
}

// PathPattern is a path with its query, or a pattern of such, as they are compared: it makes no difference which letters of it stand as
// %XX, and how.
func PathPattern(written string) string {
	if settledQuery(written) {
		return written
	}
	return settleEncoding(written)
}
