package page

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// monthNames are the names of months in German, French and Spanish, and those of English that these have, too. None is another month in
// another of them.
var monthNames = [12]string{"jan|januar|jänner|janvier|enero|ene", "feb|februar|février|fevrier|févr|febrero", "märz|maerz|mär|mrz|mars|marzo", "apr|april|avril|avr|abril|abr",
	"mai|mayo", "juni|juin|junio", "juli|juillet|juil|julio", "aug|august|août|aout|agosto|ago", "sep|sept|september|septembre|septiembre|setiembre",
	"okt|oktober|octobre|octubre", "nov|november|novembre|noviembre", "dez|dezember|décembre|decembre|déc|diciembre|dic"}

// spelledDays are days with such a name: 12. März 2021, 1er août 2021, 12 de marzo de 2021. Of a time behind one only what says so is told
// from other figures.
var spelledDays = regexp.MustCompile(`(?i)\b(\d{1,2})(?:\.|er|º)?\s+(?:de\s+)?(` + strings.Join(monthNames[:], "|") + `)\b\.?,?\s+(?:del?\s+)?((?:19|20)\d\d)\b` +
	`(?:,?\s+(?:um|à|a\s+las)\s+(\d{1,2})\s?[:h.]\s?(\d\d)\b)?`)

// shortDays are days whose year has two figures, where nothing else can be meant: with a mark before the year, or as mail has them.
var shortDays = regexp.MustCompile(`(?i)\b(\d{1,2})(?:st|nd|rd|th)?[\s-]+` + month + `,?\s*['’](\d\d)\b|\b` + month + `\s+(\d{1,2})(?:st|nd|rd|th)?,?\s*['’](\d\d)\b` +
	`|\b(mon|tue|wed|thu|fri|sat|sun)(?:[a-z]*day)?,\s+(\d{1,2})[\s-]` + month + `[\s-](\d\d)(\s+\d\d:\d\d\b)`)

// PlainMonths is a text with its days as English pages have them: with the months of German, French and Spanish by their English
// names, and years of two figures by all four.
func PlainMonths(s string) string {
	s = spelledDays.ReplaceAllStringFunc(s, func(found string) string {
		m := spelledDays.FindStringSubmatch(found)
		name := strings.ToLower(m[2])
		at := slices.IndexFunc(monthNames[:], func(names string) bool { return slices.Contains(strings.Split(names, "|"), name) })
		plain := fmt.Sprintf("%s %s %s", m[1], time.Month(at + 1).String()[:3], m[3])
		if m[4] != "" {
			plain += fmt.Sprintf(" %02d:%s", number(m[4]), m[5])
		}
		return plain
	})
	if !hasShortYear(s) {
		return s
	}
	return shortDays.ReplaceAllStringFunc(s, func(found string) string {
		m := shortDays.FindStringSubmatch(found)
		day, mon, year, behind := m[1]+m[5], m[2]+m[4], m[3]+m[6], ""
		if m[7] != "" {
			day, mon, year, behind = m[8], m[9], m[10], m[11]
		}
		whole := wholeYear(number(year))
		at := time.Date(whole, time.Month(number(monthNumber(mon))), number(day), 0, 0, 0, 0, time.UTC)
		if whole == 0 || m[7] != "" && !strings.EqualFold(at.Weekday().String()[:3], m[7]) {
			return found
		}
		plain := fmt.Sprintf("%02d %s %d%s", number(day), mon, whole, behind)
		if m[7] != "" {
			plain = m[7] + ", " + plain
		}
		return plain
	})
}

// wholeYear is a year of two figures, where it is one of the web's: of others it is not known whether they are of this century.
func wholeYear(n int) int {
	switch {
	case n >= 90:
		return 1900 + n
	case n < 40:
		return 2000 + n
	}
	return 0
}

// hasShortYear says at a glance whether a text may name a year by two figures: with a mark before it, or a time behind.
func hasShortYear(s string) bool {
	for i := 0; i+2 < len(s); i++ {
		if !isDigit(s[i+1]) || !isDigit(s[i+2]) {
			continue
		}
		behind := s[i+3:]
		if (s[i] == '\'' || s[i] == 0x99) && (behind == "" || !isDigit(behind[0])) || // 0x99 ends the curved one
			(s[i] == ' ' || s[i] == '-') && len(behind) > 3 && behind[0] == ' ' && isDigit(behind[1]) && isDigit(behind[2]) && behind[3] == ':' {
			return true
		}
	}
	return false
}
