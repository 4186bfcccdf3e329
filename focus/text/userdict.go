package text

// userWord is a line of a user dictionary.
type userWord struct {
	word      string
	frequency int // 0 means the median of the dictionary
	tag       string
}

// userDict is a user dictionary that was read and found right.
type userDict struct {
	words []userWord
}

// readUserDict reads a user dictionary.
func readUserDict(path string) (dict userDict, names []string, err error) {
	return userDict{}, nil, nil
}

// mixedNames are names in which scripts mix, which a cut would tear apart.
var mixedNames = []string{"4S店", "卡拉OK", "T恤"}
