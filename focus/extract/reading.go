package extract

import (
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/width"

	"github.com/thresher-crawler/thresher/focus/page"
)

// reading is how a rule reads what it has found.
type reading struct {
	match *regexp.Regexp // nil takes all of it
}

// read makes a value of what was found; ok is false where it is none of the type that is wanted.
func (r *Rule) read(p *paper, raw any) (value any, ok bool) {
	if r.As == "json" {
		text, err := json.Marshal(raw)
		return json.RawMessage(text), err == nil && len(text) <= mostJSON
	}
	s := page.OneLine(plain(raw))
	if r.use != nil && r.use.match != nil {
		m := r.use.match.FindStringSubmatch(s)
		switch {
		case m == nil:
			return nil, false
		case len(m) > 1:
			s = m[1]
		default:
			s = m[0]
		}
	}
	if s = page.Cut(strings.TrimSpace(s), mostValue); s == "" {
		return nil, false
	}
	switch r.As {
	case "number":
		return numberOf(s)
	case "integer":
		n, ok := numberOf(s)
		if !ok || n != math.Trunc(n) || math.Abs(n) > 1<<53 {
			return nil, false
		}
		return int64(n), true
	case "date":
		return dateOf(s)
	case "url":
		u, err := p.base.Parse(s)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return nil, false
		}
		u.User = nil
		return u.String(), true
	case "bool":
		return boolOf(s)
	}
	return s, true
}

// plain is a value of JSON-LD or microdata as text: of a thing its name, or what else says what it is.
func plain(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	case map[string]any:
		for _, key := range []string{"@value", "name", "url", "@id"} {
			if s := plain(v[key]); s != "" {
				return s
			}
		}
	}
	return ""
}

// figure is a number as people write it: with a sign, groups of digits, nothing before the point of its decimals, and what multiplies it
// in Chinese. A space or an apostrophe stands before three digits, or between two numbers; a point behind a letter begins no decimals; and
// a dash behind a mark stands for decimals of which there are none.
var figure = regexp.MustCompile(`(?:(?:([-−–+])|(?:^|[^\pL\pN.,])([-−–+]?))(\.[0-9]+)|([-−–+]?)(` +
	`[0-9]{1,3}(?:[.,][0-9]{3})+[.,][-−–—]|` +
	`[0-9]{1,3}(?:['’\x{a0}\x{202f} ][0-9]{3}\b)+(?:[.,][0-9]+)?|` +
	`[0-9](?:[0-9.,]*[0-9])?))((?:[eE][-+]?[0-9]{1,3}\b)?)\s*([万亿萬億千百]?)`)

// times is what a Chinese mark multiplies the number before it by.
var times = map[string]float64{"": 1, "百": 1e2, "千": 1e3, "万": 1e4, "萬": 1e4, "亿": 1e8, "億": 1e8}

// numberOf reads the first number of a text: 1,299.50, 1.299,50, 1 299,50, 1.299,–, -.25, ￥１２９９, 12.5万.
func numberOf(s string) (float64, bool) {
	found := figure.FindStringSubmatch(width.Fold.String(s))
	if found == nil {
		return 0, false
	}
	sign, decimals, digits, power := found[1]+found[2]+found[4], found[3], found[5], found[6]
	if sign != "" && sign != "+" {
		sign = "-"
	}
	if whole := strings.TrimRight(digits, "-−–—"); whole != digits {
		digits = strings.NewReplacer(".", "", ",", "").Replace(whole)
	}
	x, err := strconv.ParseFloat(sign+decimals+ungrouped(digits+power), 64)
	if err != nil || math.IsInf(x, 0) {
		return 0, false
	}
	return x * times[found[7]], true
}

// ungrouped takes the marks between groups of digits out of a number, and makes a point of the one before its decimals. Of two
// kinds of marks the last is that before the decimals; a single mark that is followed by three digits parts thousands where it is a
// comma, and decimals where it is a point, unless it stands there more than once.
func ungrouped(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '\'' || r == '’' || unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
	point, comma := strings.LastIndexByte(s, '.'), strings.LastIndexByte(s, ',')
	decimal := byte('.')
	switch {
	case point >= 0 && comma >= 0 && comma > point:
		decimal = ','
	case point < 0 && comma >= 0 && strings.Count(s, ",") == 1 && len(s)-comma-1 != 3:
		decimal = ','
	case comma < 0 && strings.Count(s, ".") > 1:
		decimal = 0 // 1.299.000
	}
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c == decimal && i == strings.LastIndexByte(s, decimal):
			b.WriteByte('.')
		case c != '.' && c != ',':
			b.WriteByte(c)
		}
	}
	return b.String()
}

// zoned are dates with a time of day and its zone, local ones with a time alone, days dates without; they are tried in this order. A
// date of figures alone whose day and month could be either is none.
var (
	zoned = []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700", time.RFC1123Z, time.RFC1123,
		time.RFC850, time.UnixDate}
	local = []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006/01/02 15:04:05", "2006/01/02 15:04", "2006年1月2日 15:04:05",
		"2006年1月2日 15:04", time.ANSIC, "Jan 2, 2006 15:04", "2 Jan 2006 15:04", "January 2, 2006 15:04", "2 January 2006 15:04", "January 2, 2006 3:04 PM", "Jan 2, 2006 3:04 PM"}
	days = []string{"2006-01-02", "2006-1-2", "2006/1/2", "2006.1.2", "2006年1月2日", "20060102", "2 January 2006", "2 Jan 2006", "January 2, 2006", "Jan 2, 2006", "January 2 2006",
		"Jan 2 2006", "Monday, January 2, 2006", "Monday, 2 January 2006", "Mon, 2 Jan 2006", "2. January 2006"}
	inText  = regexp.MustCompile(`\d{4}-\d{1,2}-\d{1,2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?(?:Z|[+-]\d{2}:?\d{2}))?)?|\d{4}/\d{1,2}/\d{1,2}(?: \d{2}:\d{2}(?::\d{2})?)?|\d{4} ?年 ?\d{1,2} ?月 ?\d{1,2} ?日(?: ?\d{2}:\d{2}(?::\d{2})?)?|\d{1,2}\.? [A-Z][a-z]{2,8}\.? \d{4}|[A-Z][a-z]{2,8}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}`)
	figures = regexp.MustCompile(`\b(\d{1,2})([./-])(\d{1,2})[./-](\d{4})\b`)
	ordinal = regexp.MustCompile(`(\d)(?:st|nd|rd|th)\b`)
)

// dateOf reads a date, and writes it so that dates stand in order: 2026-11-23, or 2026-11-23T09:30:00Z where there is a time of day.
func dateOf(s string) (string, bool) {
	s = ordinal.ReplaceAllString(width.Fold.String(s), "$1")
	tries := []string{s}
	if found := inText.FindString(s); found != "" && found != s {
		tries = append(tries, found)
	}
	for _, try := range tries {
		if strings.Contains(try, "年") {
			day, clock, _ := strings.Cut(strings.ReplaceAll(try, " ", ""), "日")
			try = strings.TrimSpace(day + "日 " + clock)
		}
		try = strings.NewReplacer("Sept ", "Sep ", "Sept. ", "Sep ").Replace(try)
		if head, rest, ok := strings.Cut(try, ". "); ok && len(head) <= 7 && head != "" && unicode.IsLetter(rune(head[0])) {
			try = head + " " + rest // Nov. 23, 2026
		}
		for _, kind := range []struct {
			layouts []string
			written string
		}{{zoned, time.RFC3339}, {local, local[0]}, {days, time.DateOnly}} {
			for _, layout := range kind.layouts {
				t, err := time.ParseInLocation(layout, try, time.UTC)
				if err != nil || t.Year() < 1000 {
					continue
				}
				if zone, _ := t.Zone(); strings.Contains(layout, "MST") && zone != "UTC" && !strings.HasPrefix(zone, "GMT") {
					return t.Format(local[0]), true // EST is of several zones
				}
				return t.Format(kind.written), true
			}
		}
	}
	return figuresOf(s)
}

// figuresOf reads 23.11.2026 and 11/23/2026: a point parts day and month, and another mark does where one of the two can be no month.
func figuresOf(s string) (string, bool) {
	m := figures.FindStringSubmatch(s)
	if m == nil {
		return "", false
	}
	first, _ := strconv.Atoi(m[1]) // digits alone
	second, _ := strconv.Atoi(m[3])
	day, month := first, second
	switch {
	case m[2] == "." || first > 12 || first == second:
	case second > 12:
		day, month = second, first
	default:
		return "", false
	}
	t, err := time.Parse("2006-1-2", m[4]+"-"+strconv.Itoa(month)+"-"+strconv.Itoa(day))
	return t.Format(time.DateOnly), err == nil && 1000 <= t.Year()
}

var yes, no = set("true yes y on 1 是 有 真"), set("false no n off 0 否 无 假")

func boolOf(s string) (value, ok bool) {
	word := strings.ToLower(s)
	return yes[word], yes[word] || no[word]
}
