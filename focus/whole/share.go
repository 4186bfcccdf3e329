package whole

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Share lets those read a path, and all below it, who may read a folder of such a mode, and takes nothing from anybody. What cannot be
// changed is another user's.
func Share(path string, like fs.FileMode) {
	folder, file := like.Perm()&0o055, like.Perm()&0o044
	if folder == 0 {
		return
	}
	_ = filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() && !d.Type().IsRegular() {
			return nil
		}
		add := file
		if d.IsDir() {
			add = folder
		}
		if info, err := d.Info(); err == nil && info.Mode()&add != add {
			_ = os.Chmod(path, info.Mode()&^fs.ModeType|add)
		}
		return nil
	})
}
