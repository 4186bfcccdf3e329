package pdf

import (
	"slices"
	"strconv"
	"strings"
)

// TeX's fonts of dots call their signs by their codes alone: a65 is at 65. What the codes stand for is one of two encodings of TeX, which
// have most of ASCII in common.

// isNumbered tells whether a sign is called by its code, with a letter or two before it: a65, g41 (which is 65 with sixteen digits).
func isNumbered(n name, code int) bool {
	digits := strings.TrimLeft(string(n), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	if digits == "" || len(n)-len(digits) < 1 || len(n)-len(digits) > 2 {
		return false
	}
	if v, err := strconv.Atoi(digits); err == nil && v == code {
		return true
	}
	v, err := strconv.ParseUint(string(n[1:]), 16, 16)
	return err == nil && len(n) == 3 && int(v) == code
}

// codesAsNames are the codes of a font all of whose signs are called by them; none where one has another name.
func (f *file) codesAsNames(encoding object) (codes []int) {
	at := 0
	for _, o := range f.array(f.dict(encoding)["Differences"]) {
		switch o := f.resolve(o).(type) {
		case float64:
			at = whole(o)
		case name:
			if isNumbered(o, at) && at < 256 {
				codes = append(codes, at)
			} else if o != ".notdef" {
				return nil
			}
			at++
		}
	}
	return codes
}

// alikeWide tells whether all signs that a font has are of one width.
func alikeWide(widths []float64) bool {
	one := 0.0
	for _, w := range widths {
		if w != 0 && one != 0 && w != one {
			return false
		}
		one = max(one, w)
	}
	return one > 0
}

// The older of the encodings (OT1) and the newer one (T1), where they are not ASCII.
const (
	oldLow   = "ΓΔΘΛΞΠΣΥΦΨΩﬀﬁﬂﬃﬄıȷ`´ˇ˘¯˚¸ßæœøÆŒØ"
	newLow   = "`´ˆ˜¨˝˚ˇ˘¯˙¸˛‚‹›“”„«»–—..ıȷﬀﬁﬂﬃﬄ"
	newHigh  = "ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖŒØÙÚÛÜÝÞ.àáâãäåæçèéêëìíîïðñòóôõöœøùúûüýþß"
	oldMarks = `"”<¡>¿\“{–|—}˝~˜` // pairs: what ASCII has, and what is there instead
)

// numbered is what the codes of such a font stand for. Those of a typewriter, whose signs are all as wide, have ASCII whole; and what has
// no letters is a font of signs, whose first and last codes are neither accents nor letters that grew together.
func numbered(codes []int, typewriter bool) (t simple) {
	for c := ' '; c < 0x7f; c++ {
		t[c] = string(c)
	}
	isNew := slices.ContainsFunc(codes, func(c int) bool {
		return c == 16 || c == 17 || c == 21 || c == 22 || c >= 27 && c <= 31 || c >= 0x80
	}) && !slices.ContainsFunc(codes, func(c int) bool { return c >= 11 && c <= 15 })
	switch {
	case isNew:
		t['\''], t['`'], t[0x7f] = "’", "‘", "-"
		t.fill(0, newLow)
		t.fill(0x80, newHigh)
	case typewriter:
		return t
	default:
		t['\''], t['`'] = "’", "‘"
		t.fill(0, oldLow)
		for i, marks := 0, []rune(oldMarks); i+1 < len(marks); i += 2 {
			t[marks[i]] = string(marks[i+1])
		}
	}
	small, large := 0, 0
	for _, c := range codes {
		switch {
		case c >= 'a' && c <= 'z':
			small++
		case c >= 'A' && c <= 'Z':
			large++
		}
	}
	if small < 3 {
		clear(t[:' '])
		if large < 3 {
			clear(t[0x80:])
			t[0x88] = "•"
		}
	}
	return t
}

// fill puts signs at the codes from one on; a dot stands for what is no text.
func (t *simple) fill(from int, signs string) {
	for _, r := range signs {
		if r != '.' {
			t[from] = string(r)
		}
		from++
	}
}
