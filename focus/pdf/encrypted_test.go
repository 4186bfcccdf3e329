package pdf

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/pdf/pdftest"
)

// TestEncrypted: what opens to the empty password is read, and what does not is said.
func TestEncrypted(t *testing.T) {
	const id = "0123456789abcdef"
	for _, c := range []struct {
		name     string
		encrypt  string
		length   int
		revision int
		aes      bool
	}{
		{"RC4 of 40 bits", "/V 1 /R 2", 5, 2, false},
		{"RC4 of 128 bits", "/V 2 /R 3 /Length 128", 16, 3, false},
		{"AES of 128 bits", "/V 4 /R 4 /Length 128 /CF <</StdCF <</CFM /AESV2 /AuthEvent /DocOpen /Length 16>>>> /StmF /StdCF /StrF /StdCF", 16, 4, true},
	} {
		owner := strings.Repeat("o", 32)
		made := binary.LittleEndian.AppendUint32([]byte(padding+owner), 0xfffffffc)
		sum := md5.Sum(append(made, id...))
		if c.revision >= 3 {
			for range 50 {
				sum = md5.Sum(sum[:c.length])
			}
		}
		k := &key{bytes: bytes.Clone(sum[:c.length])}
		user := stirred(k.bytes, []byte(padding))
		if c.revision >= 3 {
			first := md5.Sum([]byte(padding + id))
			user = first[:]
			for i := range 20 {
				other := bytes.Clone(k.bytes)
				for j := range other {
					other[j] ^= byte(i)
				}
				user = stirred(other, user)
			}
			user = append(user, make([]byte, 16)...)
		}
		seal := func(b []byte, number int) []byte {
			if !c.aes {
				return k.open(b, ref{number, 0}, byRC4)
			}
			sum := md5.Sum(append(append(bytes.Clone(k.bytes), byte(number), 0, 0, 0, 0), "sAlT"...))
			block, _ := aes.NewCipher(sum[:])
			n := aes.BlockSize - len(b)%aes.BlockSize
			b = append(bytes.Clone(b), bytes.Repeat([]byte{byte(n)}, n)...)
			out := make([]byte, aes.BlockSize+len(b))
			cipher.NewCBCEncrypter(block, out[:aes.BlockSize]).CryptBlocks(out[aes.BlockSize:], b)
			return out
		}
		f := pdftest.New(helvetica, "")
		f.Set(4, pdftest.Stream("", string(seal([]byte("BT /F1 12 Tf 72 700 Td (solar energy) Tj ET"), 4))))
		f.Info = "/Title " + pdftest.HexBytes(seal([]byte("The sun"), 6))
		f.Trailer = fmt.Sprintf(" /ID [%s %[1]s] /Encrypt <</Filter /Standard %s /P -4 /O (%s) /U %s>>", pdftest.HexBytes([]byte(id)), c.encrypt, owner, pdftest.HexBytes(user))
		d, err := Read(f.Bytes(), Limits{})
		if err != nil || d.Title != "The sun" || len(d.Paragraphs) != 1 || d.Paragraphs[0].Text() != "solar energy" {
			t.Errorf("%s: %v %+v", c.name, err, d)
		}
		f.Trailer = strings.Replace(f.Trailer, "-4", "-8", 1)
		if _, err := Read(f.Bytes(), Limits{}); err != ErrEncrypted {
			t.Errorf("%s with a password: %v", c.name, err)
		}
	}
}

// sealed256 says of a file how its key of 256 bits is sealed.
func sealed256(revision, user, key string) string {
	return fmt.Sprintf(" /Encrypt <</Filter /Standard /V 5 /R %s /Length 256 /CF <</StdCF <</CFM /AESV3 /AuthEvent /DocOpen /Length 32>>>> /StmF /StdCF /StrF /StdCF /P -4 /O <%s> /U <%s> /OE <%s> /UE <%s>>>",
		revision, strings.Repeat("00", 48), user, strings.Repeat("00", 32), key)
}

// TestEncryptedWithAES256: the keys were made by another program (pypdf) of the empty password, and of one that is not; files of both
// revisions are read, or said to be locked.
func TestEncryptedWithAES256(t *testing.T) {
	made := make([]byte, 32)
	for i := range made {
		made[i] = byte(i)
	}
	block, err := aes.NewCipher(made)
	if err != nil {
		t.Fatal(err)
	}
	seal := func(text string) []byte {
		n := aes.BlockSize - len(text)%aes.BlockSize
		b := append([]byte(text), bytes.Repeat([]byte{byte(n)}, n)...)
		out := make([]byte, aes.BlockSize+len(b))
		cipher.NewCBCEncrypter(block, out[:aes.BlockSize]).CryptBlocks(out[aes.BlockSize:], b)
		return out
	}
	for _, c := range []struct {
		revision, user, key string
		opens               bool
	}{
		{"5", "9082942b704ebe423836d5b8006e5939941a69c010a8ff5e86a45e54a4db0e466f9811a0d51a21bb7bcf47eacb82552b", "2aba7b27159ae4751ee8ec74b3998dc3356442fc67707559bc73a4549834b86d", true},
		{"6", user256, key256, true},
		{"5", "806da2abd63ebea3b3eee495d52b04be59eb530f92f865f56b89caee34180995da78b9d2e54628912bd5d22ca21f1e6b", "afcba1d228d796fd3ff6cae8adc49dc125312823f9a3e8694a15af43db0162af", false},
		{"6", "36202e4c93d8e9b2b2cb91dbbab4fafc439bcd4a9bcb84a66855e01e6f95206eb946141bf85e5742c9c8e638008dfab7", "46f4080334f534c65c4e71979c968d59cda685dca6b9479ff2db955e188416b2", false},
	} {
		f := pdftest.New(helvetica, "")
		f.Set(4, pdftest.Stream("", string(seal("BT /F1 12 Tf 72 700 Td (solar energy) Tj ET"))))
		f.Info = "/Title " + pdftest.HexBytes(seal("The sun"))
		f.Trailer = sealed256(c.revision, c.user, c.key)
		d, err := Read(f.Bytes(), Limits{})
		switch {
		case !c.opens && err != ErrEncrypted:
			t.Errorf("revision %s with a password: %v", c.revision, err)
		case c.opens && (err != nil || d.Title != "The sun" || len(d.Paragraphs) != 1 || d.Paragraphs[0].Text() != "solar energy"):
			t.Errorf("revision %s: %v %+v", c.revision, err, d)
		}
		for was, is := range map[string]string{"/UE <" + c.key: "/UE <", "/U <" + c.user: "/U <", "/R " + c.revision: "/R 9", "/AESV3": "/AESV9"} {
			f := *f
			if f.Trailer = strings.Replace(f.Trailer, was, is, 1); c.opens {
				if _, err := Read(f.Bytes(), Limits{}); err != ErrCipher {
					t.Errorf("revision %s with %s: %v", c.revision, is, err)
				}
			}
		}
	}
}
