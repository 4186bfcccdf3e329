package text

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func dictFileOf(t testing.TB, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "user.dict")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestUserDictIsUsed(t *testing.T) {
	const sentence = "他在甲骨水寨听流觞雅集，用了K9霜。"
	if got := words(cutter(t, Options{}), sentence); strings.Contains(got, "甲骨水寨") || strings.Contains(got, "k9霜") {
		t.Fatalf("known without a dictionary: %s", got)
	}
	path := dictFileOf(t, "\uFEFF# places\n甲骨水寨 300 ns\n\n流觴雅集\t5\r\n  Ｋ９霜 nz  \n觞\n")
	c := cutter(t, Options{UserDict: path, Tags: true})
	if got, want := words(c, sentence), "甲骨水寨|听|流觞雅集|k9霜"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if other := cutter(t, Options{UserDict: path}); other.chinese != c.chinese {
		t.Error("two cutters with one dictionary hold it twice in memory")
	}
}

// TestUserDictMistakes holds that every bad line is told of with file and line, before C++ sees any.
func TestUserDictMistakes(t *testing.T) {
	for _, test := range []struct{ content, want string }{
		{"好词\n\xFF\xFE\n", ":2: not valid UTF-8"},
		{"好词\n坏\x00词\n", ":2: control character"},
		{"词 0\n", `:1: frequency "0" is not a whole number from 1 to 1000000000`},
		{"词 1.5\n", `:1: frequency "1.5"`},
		{"词 99999999999999999999\n", ":1: frequency"},
		{"词 -5\n", `:1: "-5" is too much`},
		{"\n\n词 5 n 多余\n", `:3: "多余" is too much`},
		{"词 名词\n", `:1: "名词" is too much`},
		{"词 5 tolong\n", `:1: "tolong" is too much`},
		{"，。 5 n\n", `:1: no letter in the word "，。"`},
		{strings.Repeat("长", 33) + "\n", ":1: word of 33 characters, at most 32"},
	} {
		path := dictFileOf(t, test.content)
		_, err := NewCutter(Options{UserDict: path})
		if err == nil || !strings.Contains(err.Error(), path+test.want) {
			t.Errorf("%q: error %v, want %s", test.content, err, test.want)
		}
	}
	_, err := NewCutter(Options{UserDict: dictFileOf(t, strings.Repeat("词 x y z\n", 50))})
	if err == nil || strings.Count(err.Error(), "\n") != maxComplaint {
		t.Errorf("50 bad lines: %v", err)
	}
	if _, err := NewCutter(Options{UserDict: filepath.Join(t.TempDir(), "none")}); !os.IsNotExist(unwrapAll(err)) {
		t.Errorf("no such file: %v", err)
	}
}

func unwrapAll(err error) error {
	for {
		u, ok := err.(interface{ Unwrap() error })
		if !ok || os.IsNotExist(err) {
			return err
		}
		err = u.Unwrap()
	}
}

func FuzzUserDict(f *testing.F) {
	f.Add("云计算\n韩玉鉴赏 3\n蓝翔 nz\n4S店 5 n\n")
	f.Add("\uFEFF# 注\r\n詞 1000000000 vn\n\x00")
	f.Fuzz(func(t *testing.T, content string) {
		dict, names, err := readUserDict(dictFileOf(t, content))
		if err != nil {
			return
		}
		for line := range strings.Lines(string(dict.lines())) {
			fields := strings.Split(strings.TrimSuffix(line, "\n"), " ")
			if len(fields) > 3 || !utf8.ValidString(line) || !isChinese(fields[0]) || fields[0] == "" {
				t.Fatalf("C++ would see the line %q", line)
			}
		}
		newTerms(new(lexicon), names, names, false)
	})
}
