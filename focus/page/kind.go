package page

var kindNames = [...]string{Text: "text", Hub: "hub", Links: "links", Navigation: "navigation", Advertisement: "advertisement", Related: "related"}

// String is the kind's name as it stands in reports.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}
