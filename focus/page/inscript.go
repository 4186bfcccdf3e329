package page

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
)

const (
	leastInScript = 400     // bytes of the shortest text that is looked for in a script
	mostInScripts = 2 << 20 // bytes of a page that are looked through for it
	ownCharacters = 120     // a page that says more itself, links aside, is read as it stands
)

// TextInScript is the text of a page, as markup, that stands in the data of its scripts alone: the longest that is made of paragraphs with
// sentences in them. Of several as long the page is a list, and none is its text.
func TextInScript(body []byte) string {
	text, _ := textInScript(body)
	return text
}

// textInScript is that, and the data in which it stands.
func textInScript(body []byte) (text string, data []byte) {
	all, most := 0, 0
	for rest := body[:min(len(body), mostInScripts)]; ; {
		at := bytes.Index(rest, []byte("<script"))
		if at < 0 {
			break
		}
		rest = rest[at+len("<script"):]
		script, after, _ := bytes.Cut(rest, []byte("</script"))
		rest = after
		_, script, _ = bytes.Cut(script, []byte(">"))
		script = asWritten(script)
		for _, said := range textsIn(script) {
			n := len(anyTag.ReplaceAllString(said, ""))
			if n < leastInScript || 2*n < len(said) || len(sentenceEnds.FindAllStringIndex(said, 3)) < 3 {
				continue
			}
			if all += n; n > most {
				text, data, most = said, script, n
			}
		}
	}
	if 2*most < all {
		return "", nil
	}
	return text, data
}

// asWritten is a script, which may be encoded as in an address.
func asWritten(script []byte) []byte {
	if trimmed := bytes.TrimSpace(script); bytes.HasPrefix(trimmed, []byte("%7B")) || bytes.HasPrefix(trimmed, []byte("%5B")) {
		if plain, err := url.PathUnescape(string(trimmed)); err == nil {
			return []byte(plain)
		}
	}
	return script
}

// textsIn are the long strings with paragraphs in them that are values in the data of a script.
func textsIn(script []byte) (all []string) {
	for {
		at := bytes.Index(script, []byte(`":`))
		if at < 0 {
			return all
		}
		script = bytes.TrimLeft(script[at+2:], " \n\t")
		if len(script) < leastInScript || script[0] != '"' {
			continue
		}
		end := 1
		for end < len(script) && script[end] != '"' {
			if script[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(script) {
			return all
		}
		said := script[:end+1]
		script = script[end:]
		if len(said) < leastInScript || !paragraphs.Match(said) {
			continue
		}
		var text string
		if json.Unmarshal(said, &text) == nil {
			all = append(all, text)
		}
	}
}

// paragraphs are in the markup of a text, as it stands in the data of scripts.
var paragraphs = regexp.MustCompile(`(?i)(?:<|\\u003c)(?:p|br)\b`)

// sentenceEnds end sentences in a text.
var sentenceEnds = regexp.MustCompile(`[。！？]|[.!?](?:\s|<|$)`)

// inScript reads the text that stands in the data of a script alone, where the page says hardly anything itself.
func (r *reading) inScript() {
	var own int32
	for i := range r.regions {
		own += r.regions[i].chars - r.regions[i].anchors
	}
	if r.wasFrames || own >= ownCharacters {
		return
	}
	if text, data := textInScript(r.src); len(text) > len(r.prose.buf) && !asksConsent.MatchString(text) {
		r.show(text)
		if m := timeInData.FindSubmatch(data); m != nil && r.said.kept == "" {
			r.said.kept = kept(string(m[1]))
		}
	}
}

// asksConsent is in a text that a site shows beside all its pages.
var asksConsent = regexp.MustCompile(`(?i)\bcookies?\b`)

// timeInData is when a text was published, beside it in the data of a script.
var timeInData = regexp.MustCompile(`(?i)"(?:publish|pub|news|create)_?(?:time|date)"\s*:\s*"?(\d[^"',}]{7,32})`)
