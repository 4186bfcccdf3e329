package page

// tag is an element name the reader treats in some way of its own; all others are none.
type tag uint8

// The element names, in the order of the alphabet.
const (
	none tag = iota
	tagA
	tagAbbr
	tagAddress
	tagApplet
	tagArea
	tagArticle
	tagAside
	tagAudio
	tagB
	tagBase
	tagBasefont
	tagBgsound
	tagBig
	tagBlockquote
	tagBody
	tagBr
	tagButton
	tagCanvas
	tagCaption
	tagCenter
	tagCite
	tagCode
	tagCol
	tagColgroup
	tagDd
	tagDel
	tagDetails
	tagDialog
	tagDir
	tagDiv
	tagDl
	tagDt
	tagEm
	tagEmbed
	tagFieldset
	tagFigcaption
	tagFigure
	tagFont
	tagFooter
	tagForm
	tagFrame
	tagFrameset
	tagH1
	tagH2
	tagH3
	tagH4
	tagH5
	tagH6
	tagHead
	tagHeader
	tagHgroup
	tagHr
	tagHtml
	tagI
	tagIframe
	tagImage
	tagImg
	tagInput
	tagIns
	tagKeygen
	tagLabel
	tagLegend
	tagLi
	tagLink
	tagListing
	tagMain
	tagMark
	tagMarquee
	tagMath
	tagMenu
	tagMeta
	tagNav
	tagNobr
	tagNoembed
	tagNoframes
	tagNoscript
	tagObject
	tagOl
	tagOptgroup
	tagOption
	tagP
	tagParam
	tagPlaintext
	tagPre
	tagQ
	tagRb
	tagRp
	tagRt
	tagRtc
	tagRuby
	tagS
	tagScript
	tagSearch
	tagSection
	tagSelect
	tagSmall
	tagSource
	tagSpan
	tagStrike
	tagStrong
	tagStyle
	tagSub
	tagSummary
	tagSup
	tagSvg
	tagTable
	tagTbody
	tagTd
	tagTemplate
	tagTextarea
	tagTfoot
	tagTh
	tagThead
	tagTime
	tagTitle
	tagTr
	tagTrack
	tagTt
	tagU
	tagUl
	tagVideo
	tagWbr
	tagXmp
	tagCount
)

// fact is a property of an element that the rules for building a tree, or our rules for cutting a page, ask for.
type fact uint16

// The properties. The first eight are the HTML standard's.
const (
	isSpecial    fact = 1 << iota // ends the search for a matching start tag
	isFormatting                  // is reopened after being closed by a block's end
	isImplied                     // its end tag may be left out
	isRaw                         // holds text only: no markup inside
	isVoid                        // has no content
	closesP                       // ends an open paragraph
	endsScope                     // hides what is open outside of it
	fosters                       // text and foreign elements inside it go before the table
	isHeading
	breaksLine   // stands on lines of its own
	isEmphasis   // its text is louder than what surrounds it
	cutsBlock    // begins a block
	cutsIfStyled // begins a block if it has a background, a border or a width of its own
	isSilent     // its text is no text of the page
)

// elements are the names and properties of the elements.
var elements = [tagCount]struct {
	name  string
	facts fact
}{
	tagA:          {"a", isFormatting},
	tagAbbr:       {"abbr", 0},
	tagAddress:    {"address", isSpecial | closesP | breaksLine | cutsIfStyled},
	tagApplet:     {"applet", isSpecial | endsScope},
	tagArea:       {"area", isSpecial | isVoid},
	tagArticle:    {"article", isSpecial | closesP | breaksLine | cutsBlock},
	tagAside:      {"aside", isSpecial | closesP | breaksLine | cutsBlock},
	tagAudio:      {"audio", isSilent},
	tagB:          {"b", isFormatting | isEmphasis},
	tagBase:       {"base", isSpecial | isVoid},
	tagBasefont:   {"basefont", isSpecial | isVoid},
	tagBgsound:    {"bgsound", isSpecial | isVoid},
	tagBig:        {"big", isFormatting | isEmphasis},
	tagBlockquote: {"blockquote", isSpecial | closesP | breaksLine | cutsIfStyled},
	tagBody:       {"body", isSpecial | breaksLine},
	tagBr:         {"br", isSpecial | isVoid | breaksLine},
	tagButton:     {"button", isSpecial},
	tagCanvas:     {"canvas", isSilent},
	tagCaption:    {"caption", isSpecial | endsScope | breaksLine | isEmphasis},
	tagCenter:     {"center", isSpecial | closesP | breaksLine | cutsIfStyled},
	tagCite:       {"cite", 0},
	tagCode:       {"code", isFormatting},
	tagCol:        {"col", isSpecial | isVoid},
	tagColgroup:   {"colgroup", isSpecial},
	tagDd:         {"dd", isSpecial | isImplied | breaksLine},
	tagDel:        {"del", 0},
	tagDetails:    {"details", isSpecial | closesP | breaksLine},
	tagDialog:     {"dialog", closesP | breaksLine},
	tagDir:        {"dir", isSpecial | closesP | breaksLine | cutsBlock},
	tagDiv:        {"div", isSpecial | closesP | breaksLine | cutsBlock},
	tagDl:         {"dl", isSpecial | closesP | breaksLine | cutsBlock},
	tagDt:         {"dt", isSpecial | isImplied | breaksLine | isEmphasis},
	tagEm:         {"em", isFormatting | isEmphasis},
	tagEmbed:      {"embed", isSpecial | isVoid},
	tagFieldset:   {"fieldset", isSpecial | closesP | breaksLine | cutsBlock},
	tagFigcaption: {"figcaption", isSpecial | closesP | breaksLine},
	tagFigure:     {"figure", isSpecial | closesP | breaksLine | cutsIfStyled},
	tagFont:       {"font", isFormatting},
	tagFooter:     {"footer", isSpecial | closesP | breaksLine | cutsBlock},
	tagForm:       {"form", isSpecial | breaksLine | cutsIfStyled},
	tagFrame:      {"frame", isSpecial | isVoid},
	tagFrameset:   {"frameset", isSpecial | breaksLine},
	tagH1:         {"h1", isSpecial | breaksLine | isHeading},
	tagH2:         {"h2", isSpecial | breaksLine | isHeading},
	tagH3:         {"h3", isSpecial | breaksLine | isHeading},
	tagH4:         {"h4", isSpecial | breaksLine | isHeading},
	tagH5:         {"h5", isSpecial | breaksLine | isHeading},
	tagH6:         {"h6", isSpecial | breaksLine | isHeading},
	tagHead:       {"head", isSpecial},
	tagHeader:     {"header", isSpecial | closesP | breaksLine | cutsBlock},
	tagHgroup:     {"hgroup", isSpecial | closesP | breaksLine},
	tagHr:         {"hr", isSpecial | isVoid | breaksLine},
	tagHtml:       {"html", isSpecial | endsScope},
	tagI:          {"i", isFormatting | isEmphasis},
	tagIframe:     {"iframe", isSpecial | isRaw},
	tagImage:      {"image", 0},
	tagImg:        {"img", isSpecial | isVoid},
	tagInput:      {"input", isSpecial | isVoid},
	tagIns:        {"ins", 0},
	tagKeygen:     {"keygen", isSpecial | isVoid},
	tagLabel:      {"label", 0},
	tagLegend:     {"legend", breaksLine | isEmphasis},
	tagLi:         {"li", isSpecial | isImplied | breaksLine | cutsIfStyled},
	tagLink:       {"link", isSpecial | isVoid},
	tagListing:    {"listing", isSpecial | breaksLine},
	tagMain:       {"main", isSpecial | closesP | breaksLine | cutsBlock},
	tagMark:       {"mark", isEmphasis},
	tagMarquee:    {"marquee", isSpecial | endsScope},
	tagMath:       {"math", isSilent},
	tagMenu:       {"menu", isSpecial | closesP | breaksLine | cutsBlock},
	tagMeta:       {"meta", isSpecial | isVoid},
	tagNav:        {"nav", isSpecial | closesP | breaksLine | cutsBlock},
	tagNobr:       {"nobr", isFormatting},
	tagNoembed:    {"noembed", isSpecial | isRaw},
	tagNoframes:   {"noframes", isSpecial | isRaw},
	tagNoscript:   {"noscript", isSpecial},
	tagObject:     {"object", isSpecial | endsScope},
	tagOl:         {"ol", isSpecial | closesP | breaksLine | cutsBlock},
	tagOptgroup:   {"optgroup", isImplied},
	tagOption:     {"option", isImplied | breaksLine},
	tagP:          {"p", isSpecial | isImplied | closesP | breaksLine | cutsIfStyled},
	tagParam:      {"param", isSpecial | isVoid},
	tagPlaintext:  {"plaintext", isSpecial | isRaw | breaksLine},
	tagPre:        {"pre", isSpecial | breaksLine | cutsIfStyled},
	tagQ:          {"q", 0},
	tagRb:         {"rb", isImplied},
	tagRp:         {"rp", isImplied},
	tagRt:         {"rt", isImplied},
	tagRtc:        {"rtc", isImplied},
	tagRuby:       {"ruby", 0},
	tagS:          {"s", isFormatting},
	tagScript:     {"script", isSpecial | isRaw},
	tagSearch:     {"search", closesP},
	tagSection:    {"section", isSpecial | closesP | breaksLine | cutsBlock},
	tagSelect:     {"select", isSpecial | endsScope | isSilent},
	tagSmall:      {"small", isFormatting},
	tagSource:     {"source", isSpecial | isVoid},
	tagSpan:       {"span", 0},
	tagStrike:     {"strike", isFormatting},
	tagStrong:     {"strong", isFormatting | isEmphasis},
	tagStyle:      {"style", isSpecial | isRaw},
	tagSub:        {"sub", 0},
	tagSummary:    {"summary", isSpecial | closesP | breaksLine},
	tagSup:        {"sup", 0},
	tagSvg:        {"svg", isSilent},
	tagTable:      {"table", isSpecial | endsScope | breaksLine | cutsBlock | fosters},
	tagTbody:      {"tbody", isSpecial | breaksLine | fosters},
	tagTd:         {"td", isSpecial | endsScope | breaksLine | cutsBlock},
	tagTemplate:   {"template", isSpecial | endsScope | isSilent},
	tagTextarea:   {"textarea", isSpecial | isRaw},
	tagTfoot:      {"tfoot", isSpecial | breaksLine | fosters},
	tagTh:         {"th", isSpecial | endsScope | breaksLine | isEmphasis | cutsBlock},
	tagThead:      {"thead", isSpecial | breaksLine | fosters},
	tagTime:       {"time", 0},
	tagTitle:      {"title", isSpecial | isRaw},
	tagTr:         {"tr", isSpecial | breaksLine | fosters},
	tagTrack:      {"track", isSpecial | isVoid},
	tagTt:         {"tt", isFormatting},
	tagU:          {"u", isFormatting | isEmphasis},
	tagUl:         {"ul", isSpecial | closesP | breaksLine | cutsBlock},
	tagVideo:      {"video", isSilent},
	tagWbr:        {"wbr", isSpecial | isVoid},
	tagXmp:        {"xmp", isSpecial | isRaw | breaksLine},
}

var tagNames = func() (names [tagCount]string) {
	for t := range elements {
		names[t] = elements[t].name
	}
	return names
}()

var facts = func() (f [tagCount]fact) {
	for t := range elements {
		f[t] = elements[t].facts
	}
	return f
}()

// byName is a hash table of the names: tables[hash] is a tag, with linear probing. Its size is a power of two with room
// enough that a name that is no tag of ours meets an empty place soon.
var byName = func() (table [1024]tag) {
	for t := none + 1; t < tagCount; t++ {
		at := nameHash([]byte(tagNames[t]))
		for table[at%1024] != none {
			at++
		}
		table[at%1024] = t
	}
	return table
}()

// nameHash is the same for names that differ in case only.
func nameHash(name []byte) uint32 {
	h := uint32(len(name))
	for _, c := range name {
		h = h*31 + uint32(c|0x20)
	}
	return h ^ h>>10
}

// lookup finds the tag of a name as written.
func lookup(name []byte) tag {
	for at := nameHash(name); ; at++ {
		t := byName[at%1024]
		if t == none || foldEqual(name, tagNames[t]) {
			return t
		}
	}
}
