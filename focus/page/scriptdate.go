package page

import (
	"bytes"
	"strconv"
	"time"
)

// keptTime notes the day that a script keeps as the time at which the page was published, as a program does that shows it later.
func (r *reading) keptTime(script []byte) {
	for _, quoted := range []string{"'20", `"20`, "'1", `"1`} {
		for at, from := 0, 0; r.said.kept == ""; from = at + 1 {
			next := bytes.Index(script[from:], []byte(quoted))
			if next < 0 {
				break
			}
			at = from + next
			says, _, ends := bytes.Cut(script[at+1:min(len(script), at+longestTime)], script[at:at+1])
			if name, is := bytes.CutSuffix(bytes.TrimRight(script[:at], " "), []byte("=")); is && ends && keepsTime(bytes.TrimRight(name, " ")) {
				r.said.kept = kept(string(says))
			}
		}
	}
}

// kept is a time as scripts keep it: written out, or in seconds since 1970.
func kept(said string) string {
	if seconds, err := strconv.ParseInt(said, 10, 64); err == nil && len(said) == len("1793672460") {
		return time.Unix(seconds, 0).UTC().Format(time.RFC3339)
	}
	return asDate(said)
}

// longestTime is how many bytes a time in a script has at most.
const longestTime = 40

// timeNames are the variables in which scripts keep when their page was published, in lower case.
var timeNames = map[string]bool{
	"createtime": true, "create_time": true, "publishtime": true, "publish_time": true, "pubtime": true, "pub_time": true,
	"ct": true, "ctime": true, "publishdate": true, "publish_date": true, "pubdate": true, "pub_date": true,
}

// keepsTime says whether a script ends with such a variable that it declares. What belongs to something else, as to one of many things, is
// none.
func keepsTime(script []byte) bool {
	from := len(script)
	for from > 0 && (isWord(script[from-1]) || script[from-1] == '_') {
		from--
	}
	if !timeNames[string(bytes.ToLower(script[from:]))] {
		return false
	}
	before := bytes.TrimRight(script[:from], " \t\r\n")
	return bytes.HasSuffix(before, []byte("var")) || bytes.HasSuffix(before, []byte("let")) || bytes.HasSuffix(before, []byte("const"))
}
