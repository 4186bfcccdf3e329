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
	tagB
	tagBase
	tagBasefont
	tagBgsound
	tagBig
	tagBlockquote
	tagBody
	tagBr
	tagButton
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
	tagSummary
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

var facts = [tagCount]fact{
	tagA:          isFormatting,
	tagAddress:    isSpecial | closesP | breaksLine | cutsIfStyled,
	tagApplet:     isSpecial | endsScope,
	tagArea:       isSpecial | isVoid,
	tagArticle:    isSpecial | closesP | breaksLine | cutsBlock,
	tagAside:      isSpecial | closesP | breaksLine | cutsBlock,
	tagB:          isFormatting | isEmphasis,
	tagBase:       isSpecial | isVoid,
	tagBasefont:   isSpecial | isVoid,
	tagBgsound:    isSpecial | isVoid,
	tagBig:        isFormatting | isEmphasis,
	tagBlockquote: isSpecial | closesP | breaksLine | cutsIfStyled,
	tagBody:       isSpecial | breaksLine,
	tagBr:         isSpecial | isVoid | breaksLine,
	tagButton:     isSpecial,
	tagCaption:    isSpecial | endsScope | breaksLine | isEmphasis,
	tagCenter:     isSpecial | closesP | breaksLine | cutsIfStyled,
	tagCode:       isFormatting,
	tagCol:        isSpecial | isVoid,
	tagColgroup:   isSpecial,
	tagDd:         isSpecial | isImplied | breaksLine,
	tagDetails:    isSpecial | closesP | breaksLine,
	tagDialog:     closesP | breaksLine,
	tagDir:        isSpecial | closesP | breaksLine | cutsBlock,
	tagDiv:        isSpecial | closesP | breaksLine | cutsBlock,
	tagDl:         isSpecial | closesP | breaksLine | cutsBlock,
	tagDt:         isSpecial | isImplied | breaksLine | isEmphasis,
	tagEm:         isFormatting | isEmphasis,
	tagEmbed:      isSpecial | isVoid,
	tagFieldset:   isSpecial | closesP | breaksLine | cutsBlock,
	tagFigcaption: isSpecial | closesP | breaksLine,
	tagFigure:     isSpecial | closesP | breaksLine | cutsIfStyled,
	tagFont:       isFormatting,
	tagFooter:     isSpecial | closesP | breaksLine | cutsBlock,
	tagForm:       isSpecial | breaksLine | cutsIfStyled,
	tagFrame:      isSpecial | isVoid,
	tagFrameset:   isSpecial | breaksLine,
	tagH1:         isSpecial | breaksLine | isHeading,
	tagH2:         isSpecial | breaksLine | isHeading,
	tagH3:         isSpecial | breaksLine | isHeading,
	tagH4:         isSpecial | breaksLine | isHeading,
	tagH5:         isSpecial | breaksLine | isHeading,
	tagH6:         isSpecial | breaksLine | isHeading,
	tagHead:       isSpecial,
	tagHeader:     isSpecial | closesP | breaksLine | cutsBlock,
	tagHgroup:     isSpecial | closesP | breaksLine,
	tagHr:         isSpecial | isVoid | breaksLine,
	tagHtml:       isSpecial | endsScope,
	tagI:          isFormatting | isEmphasis,
	tagIframe:     isSpecial | isRaw,
	tagImg:        isSpecial | isVoid,
	tagInput:      isSpecial | isVoid,
	tagKeygen:     isSpecial | isVoid,
	tagLi:         isSpecial | isImplied | breaksLine | cutsIfStyled,
	tagLink:       isSpecial | isVoid,
	tagListing:    isSpecial | breaksLine,
	tagMain:       isSpecial | closesP | breaksLine | cutsBlock,
	tagMark:       isEmphasis,
	tagMarquee:    isSpecial | endsScope,
	tagMath:       isSilent,
	tagMenu:       isSpecial | closesP | breaksLine | cutsBlock,
	tagMeta:       isSpecial | isVoid,
	tagNav:        isSpecial | closesP | breaksLine | cutsBlock,
	tagNobr:       isFormatting,
	tagNoembed:    isSpecial | isRaw,
	tagNoframes:   isSpecial | isRaw,
	tagNoscript:   isSpecial,
	tagObject:     isSpecial | endsScope,
	tagOl:         isSpecial | closesP | breaksLine | cutsBlock,
	tagOptgroup:   isImplied,
	tagOption:     isImplied | breaksLine,
	tagP:          isSpecial | isImplied | closesP | breaksLine | cutsIfStyled,
	tagParam:      isSpecial | isVoid,
	tagPlaintext:  isSpecial | isRaw,
	tagPre:        isSpecial | breaksLine | cutsIfStyled,
	tagRb:         isImplied,
	tagRp:         isImplied,
	tagRt:         isImplied,
	tagRtc:        isImplied,
	tagS:          isFormatting,
	tagScript:     isSpecial | isRaw,
	tagSearch:     closesP,
	tagSection:    isSpecial | closesP | breaksLine | cutsBlock,
	tagSelect:     isSpecial | endsScope | isSilent,
	tagSmall:      isFormatting,
	tagSource:     isSpecial | isVoid,
	tagStrike:     isFormatting,
	tagStrong:     isFormatting | isEmphasis,
	tagStyle:      isSpecial | isRaw,
	tagSummary:    isSpecial | closesP | breaksLine,
	tagSvg:        isSilent,
	tagTable:      isSpecial | endsScope | breaksLine | cutsBlock | fosters,
	tagTbody:      isSpecial | breaksLine | fosters,
	tagTd:         isSpecial | endsScope | breaksLine | cutsBlock,
	tagTemplate:   isSpecial | endsScope | isSilent,
	tagTextarea:   isSpecial | isRaw,
	tagTfoot:      isSpecial | breaksLine | fosters,
	tagTh:         isSpecial | endsScope | breaksLine | isEmphasis | cutsBlock,
	tagThead:      isSpecial | breaksLine | fosters,
	tagTitle:      isSpecial | isRaw,
	tagTr:         isSpecial | breaksLine | fosters,
	tagTrack:      isSpecial | isVoid,
	tagTt:         isFormatting,
	tagU:          isFormatting | isEmphasis,
	tagUl:         isSpecial | closesP | breaksLine | cutsBlock,
	tagWbr:        isSpecial | isVoid,
	tagXmp:        isSpecial | isRaw | breaksLine,
}

var tagNames = [tagCount]string{
	tagA:          "a",
	tagAbbr:       "abbr",
	tagAddress:    "address",
	tagApplet:     "applet",
	tagArea:       "area",
	tagArticle:    "article",
	tagAside:      "aside",
	tagB:          "b",
	tagBase:       "base",
	tagBasefont:   "basefont",
	tagBgsound:    "bgsound",
	tagBig:        "big",
	tagBlockquote: "blockquote",
	tagBody:       "body",
	tagBr:         "br",
	tagButton:     "button",
	tagCaption:    "caption",
	tagCenter:     "center",
	tagCite:       "cite",
	tagCode:       "code",
	tagCol:        "col",
	tagColgroup:   "colgroup",
	tagDd:         "dd",
	tagDel:        "del",
	tagDetails:    "details",
	tagDialog:     "dialog",
	tagDir:        "dir",
	tagDiv:        "div",
	tagDl:         "dl",
	tagDt:         "dt",
	tagEm:         "em",
	tagEmbed:      "embed",
	tagFieldset:   "fieldset",
	tagFigcaption: "figcaption",
	tagFigure:     "figure",
	tagFont:       "font",
	tagFooter:     "footer",
	tagForm:       "form",
	tagFrame:      "frame",
	tagFrameset:   "frameset",
	tagH1:         "h1",
	tagH2:         "h2",
	tagH3:         "h3",
	tagH4:         "h4",
	tagH5:         "h5",
	tagH6:         "h6",
	tagHead:       "head",
	tagHeader:     "header",
	tagHgroup:     "hgroup",
	tagHr:         "hr",
	tagHtml:       "html",
	tagI:          "i",
	tagIframe:     "iframe",
	tagImage:      "image",
	tagImg:        "img",
	tagInput:      "input",
	tagIns:        "ins",
	tagKeygen:     "keygen",
	tagLabel:      "label",
	tagLi:         "li",
	tagLink:       "link",
	tagListing:    "listing",
	tagMain:       "main",
	tagMark:       "mark",
	tagMarquee:    "marquee",
	tagMath:       "math",
	tagMenu:       "menu",
	tagMeta:       "meta",
	tagNav:        "nav",
	tagNobr:       "nobr",
	tagNoembed:    "noembed",
	tagNoframes:   "noframes",
	tagNoscript:   "noscript",
	tagObject:     "object",
	tagOl:         "ol",
	tagOptgroup:   "optgroup",
	tagOption:     "option",
	tagP:          "p",
	tagParam:      "param",
	tagPlaintext:  "plaintext",
	tagPre:        "pre",
	tagRb:         "rb",
	tagRp:         "rp",
	tagRt:         "rt",
	tagRtc:        "rtc",
	tagRuby:       "ruby",
	tagS:          "s",
	tagScript:     "script",
	tagSearch:     "search",
	tagSection:    "section",
	tagSelect:     "select",
	tagSmall:      "small",
	tagSource:     "source",
	tagSpan:       "span",
	tagStrike:     "strike",
	tagStrong:     "strong",
	tagStyle:      "style",
	tagSummary:    "summary",
	tagSvg:        "svg",
	tagTable:      "table",
	tagTbody:      "tbody",
	tagTd:         "td",
	tagTemplate:   "template",
	tagTextarea:   "textarea",
	tagTfoot:      "tfoot",
	tagTh:         "th",
	tagThead:      "thead",
	tagTime:       "time",
	tagTitle:      "title",
	tagTr:         "tr",
	tagTrack:      "track",
	tagTt:         "tt",
	tagU:          "u",
	tagUl:         "ul",
	tagWbr:        "wbr",
	tagXmp:        "xmp",
}

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
