package extract

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/thresher-crawler/thresher/focus/page"
)

// reading is how a rule reads what it has found.
type reading struct {
	match *regexp.Regexp // nil takes all of it
}

// read makes values of what was found: one, or of a list as many as its expression finds; none where it is none of the type that is wanted.
func (r *Rule) read(p *paper, raw any) (values []any) {
	if r.As == "json" {
		if text, err := json.Marshal(portable(raw, mostDepth)); err == nil && len(text) <= mostJSON {
			values = append(values, json.RawMessage(text))
		}
		return values
	}
	for _, s := range r.matched(page.OneLine(plain(raw))) {
		if s = page.Cut(strings.TrimSpace(s), mostValue); s == "" {
			continue
		}
		if v, ok := r.typed(p, s); ok {
			values = append(values, v)
		}
	}
	return values
}

// portable is a value of JSON as every reader of lines takes it, for one that a page says otherwise has the whole harvest refused: a number
// that no double holds, or a whole one that 64 bits do not, is text, and what stands deeper than so many levels is left out.
func portable(v any, levels int) any {
	switch v := v.(type) {
	case json.Number:
		_, decimal := v.Float64()
		_, signed := strconv.ParseInt(v.String(), 10, 64)
		_, unsigned := strconv.ParseUint(v.String(), 10, 64)
		if decimal != nil || errors.Is(signed, strconv.ErrRange) && unsigned != nil {
			return v.String()
		}
	case []any:
		if levels == 0 {
			return nil
		}
		list := make([]any, len(v))
		for i, element := range v {
			list[i] = portable(element, levels-1)
		}
		return list
	case map[string]any:
		if levels == 0 {
			return nil
		}
		thing := make(map[string]any, len(v))
		for name, property := range v {
			thing[name] = portable(property, levels-1)
		}
		return thing
	}
	return v
}

// matched are the parts of a text that are wanted: all of it where there is no expression.
func (r *Rule) matched(s string) (parts []string) {
	if r.use == nil || r.use.match == nil {
		return []string{s}
	}
	most := 1
	if r.List {
		most = mostItems
	}
	for _, m := range r.use.match.FindAllStringSubmatch(s, most) {
		parts = append(parts, m[min(1, len(m)-1)])
	}
	return parts
}

// typed makes a value of a text; ok is false where it is none of the type that is wanted.
func (r *Rule) typed(p *paper, s string) (value any, ok bool) {
	switch r.As {
	case "number", "integer", "date":
		if p.nodes += len(s) / asSlowAs; p.nodes > mostNodes {
			return nil, false
		}
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
		return page.Resolve(p.address, p.base, s)
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
// in Chinese, or a k right behind it. A space or an apostrophe stands before three digits, or between two numbers; a point behind a letter begins no decimals; and
// a dash behind a mark stands for decimals of which there are none.
var figure = regexp.MustCompile(`(?:(?:([-−–+])|(?:^|[^\pL\pN.,])([-−–+]?))(\.[0-9]+)|([-−–+]?)(` +
	`[0-9]{1,3}(?:[.,][0-9]{3})+[.,][-−–—]|` +
	`[0-9]{1,3}(?:['’\x{a0}\x{202f} ][0-9]{3}\b)+(?:[.,][0-9]+)?|` +
	`[0-9](?:[0-9.,]*[0-9])?))((?:[eE][-+]?[0-9]{1,3}\b)?)(?:\s*(` + multiplied + `)|([kK])(?:[^\pL\pN]|$))?`)

// numberOf reads the first number of a text: 1,299.50, 1.299,50, 1 299,50, 1.299,–, -.25, ￥１２９９, 12.5万, 1.5k, and of 3-5万 the 3万.
func numberOf(s string) (float64, bool) {
	s = width.Fold.String(s)
	at := figure.FindStringSubmatchIndex(s)
	if at == nil {
		return 0, false
	}
	part := func(group int) string { return s[max(0, at[2*group]):max(0, at[2*group+1])] }
	sign, decimals, digits, power := part(1)+part(2)+part(4), part(3), part(5), part(6)
	if sign != "" && sign != "+" {
		sign = "-"
	}
	if before, _ := utf8.DecodeLastRuneInString(s[:at[0]]); part(4) != "" && unicode.IsLetter(before) {
		sign = "" // SKU-1234
	}
	if whole := strings.TrimRight(digits, "-−–—"); whole != digits {
		digits = strings.NewReplacer(".", "", ",", "").Replace(whole)
	}
	if marksOfMany.MatchString(digits) && !grouped.MatchString(digits) {
		return 0, false // 12.9.2024, 1.2.3
	}
	x, err := strconv.ParseFloat(sign+decimals+ungrouped(digits+power), 64)
	if marks := part(7) + part(8); marks != "" {
		x *= timesAll(marks)
	} else {
		x *= ofSpan(x, s[at[1]:])
	}
	return x, err == nil && !math.IsInf(x, 0)
}

// What has one kind of mark more than once is a number where groups of digits stand between them, as people count: by thousands, in
// India by hundreds above.
var (
	marksOfMany = regexp.MustCompile(`^[0-9]*(?:\.[0-9]*){2,}$|^[0-9]*(?:,[0-9]*){2,}$`)
	grouped     = regexp.MustCompile(`^[0-9]{1,3}(?:[.,][0-9]{2,3})*[.,][0-9]{3}$`)
)

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
	zoned = append([]string{time.RFC3339Nano, time.RFC1123Z, time.RFC1123, time.RFC850, time.UnixDate}, daysWith(" 15:04:05Z07:00", " 15:04:05Z0700")...)
	local = append([]string{time.ANSIC}, daysWith(" 15:04:05", " 15:04")...)
	days  = []string{"2006-1-2", "2006/1/2", "2006.1.2", "20060102", "2 January 2006", "2 Jan 2006", "January 2, 2006", "Jan 2, 2006", "January 2 2006",
		"Jan 2 2006", "Monday, January 2, 2006", "Monday, 2 January 2006", "Mon, 2 Jan 2006", "2. January 2006"}
)

// localTime is how a date with a time of day is written whose zone nobody says.
const localTime = "2006-01-02T15:04:05"

func daysWith(clocks ...string) (layouts []string) {
	for _, day := range days {
		for _, clock := range clocks {
			layouts = append(layouts, day+clock)
		}
	}
	return layouts
}

// What is made alike before a date is looked for: ordinals, points after months, and times of day by halves of it. Of
// a span of hours whose end alone says the half, the half of the beginning is not known.
var (
	ordinal  = regexp.MustCompile(`(\d)(?:st|nd|rd|th)\b(?: of\b)?`)
	pointed  = regexp.MustCompile(`\b([A-Z][a-z]{2,8})\. ?(\d)`)
	halfSpan = regexp.MustCompile(`\d{1,2}:\d{2} ?(?:-|–|—|~|to) ?\d{1,2}:\d{2} ?[AaPp]\.?[Mm]\b`)
	clock    = regexp.MustCompile(`(上午|凌晨|早上|清晨|中午|下午|傍晚|晚上?)? ?(\d{1,2})(?::(\d{2})(:\d{2}(?:\.\d+)?)?|[时時点點] ?(?:(半)|(\d{1,2}) ?分?)?)(?: ?([AaPp])\.?[Mm]\b\.?)?`)
)

// inText is a date, and the time of day and the zone that follow it.
var inText = regexp.MustCompile(`(\d{4}-\d{1,2}-\d{1,2}|\d{4}/\d{1,2}/\d{1,2}|\d{1,2}\.? [A-Z][a-z]{2,8} \d{4}|[A-Z][a-z]{2,8} \d{1,2},? \d{4})` +
	`(?:(?:T|,? (?:at )?)(\d{1,2}:\d{2}(:\d{2}(?:\.\d+)?)?)(?: ?(Z|[+-]\d{2}:?\d{2}))?)?`)

// figures is a date of which all parts are figures, the year last, and the time of day that follows it.
var figures = regexp.MustCompile(`\b(\d{1,2})([./-])(\d{1,2})[./-](\d{4})\b(?:,? (\d{1,2}:\d{2}(?::\d{2})?)\b)?`)

// timeBefore is a time of day that stands right before a date. The end of a span of hours is none.
var (
	timeBefore = regexp.MustCompile(`(?:^|[^\d:])(\d{1,2}:\d{2}(?::\d{2})?),?(?: on)?(?: [A-Z][a-z]{2,8},?)? $`)
	spanBefore = regexp.MustCompile(`(?:[-–—~]|\b(?:to|until|till|bis)) ?$`)
)

func clockBefore(s string) string {
	m := timeBefore.FindStringSubmatchIndex(s)
	if m == nil || spanBefore.MatchString(s[:m[2]]) {
		return ""
	}
	return s[m[2]:m[3]]
}

// dateOf reads a date, and writes it so that dates stand in order: 2026-11-23, or 2026-11-23T09:30:00Z where there is a time of day.
func dateOf(s string) (string, bool) {
	s = alike(s)
	for _, try := range append([]string{s}, datesIn(s)...) {
		for _, kind := range []struct {
			layouts []string
			written string
		}{{zoned, time.RFC3339}, {local, localTime}, {days, time.DateOnly}} {
			for _, layout := range kind.layouts {
				t, err := time.ParseInLocation(layout, try, time.UTC)
				if err != nil || t.Year() < 1000 {
					continue
				}
				if zone, _ := t.Zone(); strings.Contains(layout, "MST") && zone != "UTC" && !strings.HasPrefix(zone, "GMT") {
					return t.Format(localTime), true // EST is of several zones
				}
				return t.Format(kind.written), true
			}
		}
	}
	return "", false
}

// alike is a text with dates and times of day in the forms that are looked for.
func alike(s string) string {
	s = strings.Join(strings.Fields(width.Fold.String(s)), " ")
	s = pointed.ReplaceAllString(ordinal.ReplaceAllString(s, "$1"), "$1 $2")
	s = page.PlainMonths(page.PlainDays(strings.ReplaceAll(s, "Sept ", "Sep ")))
	return strings.TrimSpace(clock.ReplaceAllStringFunc(halfSpan.ReplaceAllString(s, ""), of24))
}

// of24 writes a time of day by the 24 hours of it. What is none without more words, as 5点, which is five points, too, and what cannot
// be told, as 12 in the evening, stay as they are.
func of24(found string) string {
	m := clock.FindStringSubmatch(found)
	if m[1] == "" && m[7] == "" && (m[3] != "" || m[5]+m[6] == "") {
		return found
	}
	hour, _ := strconv.Atoi(m[2]) // digits alone
	minute, _ := strconv.Atoi(m[3] + m[6])
	if m[5] != "" {
		minute = 30
	}
	switch half := m[1] + strings.ToLower(m[7]); {
	case strings.HasPrefix(half, "晚") && hour == 12:
		return found
	case (half == "p" || half == "下午" || half == "傍晚" || strings.HasPrefix(half, "晚")) && hour < 12, half == "中午" && hour < 3:
		hour += 12
	case (half == "a" || half == "上午" || half == "凌晨" || half == "早上" || half == "清晨") && hour == 12:
		hour = 0
	}
	gap := found[:strings.IndexFunc(found, func(r rune) bool { return r != ' ' })]
	if m[1] != "" {
		gap = " "
	}
	return fmt.Sprintf("%s%02d:%02d%s", gap, hour, minute, m[4])
}

// datesIn are the dates within a text as they are tried: that with the time of day first.
func datesIn(s string) (tries []string) {
	if m := inText.FindStringSubmatch(s); m != nil {
		day, clock, seconds, zone := m[1], m[2], m[3], m[4]
		switch {
		case clock == "":
			clock = clockBefore(s[:strings.Index(s, m[0])])
		case zone == "" || seconds != "":
		case strings.HasPrefix(zone, "-") && !strings.Contains(m[0], "T"):
			zone = "" // 10:00-11:30 is a span of hours
		default:
			clock += ":00"
		}
		tries = append(tries, day+" "+clock+zone, day)
	}
	if m := figures.FindStringSubmatch(s); m != nil {
		if day := ofFigures(m); day != "" {
			tries = append(tries, day+" "+cmp.Or(m[5], clockBefore(s[:strings.Index(s, m[0])])), day)
		}
	}
	return tries
}

// ofFigures reads 23.11.2026 and 11/23/2026: a point parts day and month, and another mark does where one of the two can be no month.
func ofFigures(m []string) string {
	first, _ := strconv.Atoi(m[1]) // digits alone
	second, _ := strconv.Atoi(m[3])
	day, month := first, second
	switch {
	case m[2] == "." || first > 12 || first == second:
	case second > 12:
		day, month = second, first
	default:
		return ""
	}
	return fmt.Sprintf("%s-%d-%d", m[4], month, day)
}

var yes, no = set("true yes y on 1 是 有 真"), set("false no n off 0 否 无 假")

func boolOf(s string) (value, ok bool) {
	word := strings.ToLower(s)
	return yes[word], yes[word] || no[word]
}
