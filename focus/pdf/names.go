package pdf

import (
	"strconv"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"
)

// glyphNames are the names that fonts have for signs which no rule makes: name and number, in pairs.
const glyphNames = `space 20 exclam 21 quotedbl 22 numbersign 23 dollar 24 percent 25 ampersand 26 quotesingle 27 parenleft 28 parenright 29
asterisk 2a plus 2b comma 2c hyphen 2d minus 2212 period 2e slash 2f zero 30 one 31 two 32 three 33 four 34 five 35 six 36 seven 37 eight 38
nine 39 colon 3a semicolon 3b less 3c equal 3d greater 3e question 3f at 40 bracketleft 5b backslash 5c bracketright 5d asciicircum 5e
underscore 5f grave 60 braceleft 7b bar 7c braceright 7d asciitilde 7e nbspace a0 exclamdown a1 cent a2 sterling a3 currency a4 yen a5
brokenbar a6 section a7 copyright a9 ordfeminine aa guillemotleft ab logicalnot ac sfthyphen ad registered ae degree b0 plusminus b1
twosuperior b2 threesuperior b3 mu b5 paragraph b6 periodcentered b7 onesuperior b9 ordmasculine ba guillemotright bb onequarter bc
onehalf bd threequarters be questiondown bf AE c6 Eth d0 multiply d7 Oslash d8 Thorn de germandbls df ae e6 eth f0 divide f7 oslash f8 thorn fe
dotlessi 131 Lslash 141 lslash 142 OE 152 oe 153 florin 192 quoteleft 2018 quoteright 2019 quotesinglbase 201a quotedblleft 201c
quotedblright 201d quotedblbase 201e dagger 2020 daggerdbl 2021 bullet 2022 ellipsis 2026 perthousand 2030 guilsinglleft 2039
guilsinglright 203a fraction 2044 Euro 20ac trademark 2122 endash 2013 emdash 2014 ff fb00 fi fb01 fl fb02 ffi fb03 ffl fb04
Alpha 391 Beta 392 Gamma 393 Delta 394 Epsilon 395 Zeta 396 Eta 397 Theta 398 Iota 399 Kappa 39a Lambda 39b Mu 39c Nu 39d Xi 39e Omicron 39f
Pi 3a0 Rho 3a1 Sigma 3a3 Tau 3a4 Upsilon 3a5 Phi 3a6 Chi 3a7 Psi 3a8 Omega 3a9 alpha 3b1 beta 3b2 gamma 3b3 delta 3b4 epsilon 3b5 zeta 3b6
eta 3b7 theta 3b8 iota 3b9 kappa 3ba lambda 3bb nu 3bd xi 3be omicron 3bf pi 3c0 rho 3c1 sigma 3c3 tau 3c4 upsilon 3c5 phi 3c6 chi 3c7
psi 3c8 omega 3c9 partialdiff 2202 summation 2211 product 220f radical 221a infinity 221e integral 222b approxequal 2248 notequal 2260
lessequal 2264 greaterequal 2265 element 2208 arrowright 2192 arrowleft 2190 lozenge 25ca afii10017 410 nonbreakingspace a0 visiblespace 20`

// accents are the endings of the names of letters that carry them.
var accents = map[string]string{"grave": "\u0300", "acute": "\u0301", "circumflex": "\u0302", "tilde": "\u0303", "macron": "\u0304", "breve": "\u0306", "dotaccent": "\u0307",
	"dieresis": "\u0308", "ring": "\u030a", "hungarumlaut": "\u030b", "caron": "\u030c", "cedilla": "\u0327", "ogonek": "\u0328", "commaaccent": "\u0326"}

var named = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	words := strings.Fields(glyphNames)
	for i := 0; i+1 < len(words); i += 2 {
		n, _ := strconv.ParseUint(words[i+1], 16, 32)
		all[words[i]] = string(rune(n))
	}
	return all
})

// glyph is what a sign is called that has a name; empty where nobody knows it.
func glyph(n string) string {
	if s, ok := named()[n]; ok {
		return s
	}
	base, _, _ := strings.Cut(n, ".") // a.sc, one.oldstyle
	if base != n && base != "" {
		return glyph(base)
	}
	if len(n) == 1 {
		return n
	}
	if parts := strings.Split(n, "_"); len(parts) > 1 && len(parts) < 8 { // f_f_i
		s := ""
		for _, part := range parts {
			s += glyph(part)
		}
		return s
	}
	if digits, ok := strings.CutPrefix(n, "uni"); ok && len(digits) >= 4 && len(digits)%4 == 0 {
		s := wide(str(unhex([]byte(digits))))
		return strings.ReplaceAll(s, "\ufffd", "")
	}
	if digits, ok := strings.CutPrefix(n, "u"); ok && len(digits) >= 4 && len(digits) <= 6 {
		if r, err := strconv.ParseUint(digits, 16, 32); err == nil && r <= 0x10ffff {
			return string(rune(r))
		}
	}
	if mark, ok := accents[n[min(1, len(n)):]]; ok {
		return norm.NFC.String(n[:1] + mark)
	}
	return ""
}

// standard is the upper half of Adobe's standard encoding, from 0xa1; blanks stand for nothing.
const standard = "¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ –†‡· ¶•‚„”»…‰ ¿ `´ˆ˜¯˘˙¨ ˚¸ ˝˛ˇ—                Æ ª    ŁØŒº     æ   ı  łøœß"

// simple is what the bytes of a font of simple encoding mean.
type simple [256]string

var standardEncoding = sync.OnceValue(func() (t simple) {
	for c := byte(' '); c < 0x7f; c++ {
		t[c] = string(rune(c))
	}
	t['\''], t['`'] = "’", "‘"
	c := 0xa1
	for _, r := range standard {
		if r != ' ' && c < 256 {
			t[c] = string(r)
		}
		c++
	}
	return t
})
