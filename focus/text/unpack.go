package text

import (
	"os"
	"path/filepath"
)

func unpackForJieba(user userDict) ([]string, error) {
	dir, err := os.MkdirTemp("", "thresher-*")
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, name := range []string{dictName, modelName, "user", "idf", "stop"} {
		b := []byte("的 1.0\n")
		switch name {
		case dictName, modelName:
			if b, err = unpack(name); err != nil {
				return nil, err
			}
		case "user":
			b = nil
		}
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, b, 0o600); err != nil {
			return nil, err
		}
		paths = append(paths, p)
	}
	return paths, nil
}
