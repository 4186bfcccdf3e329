package pdf

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"crypto/sha512"
)

// AES with a key of 256 bits is version 5. Its key is no digest: it is made by chance, and stands in the file sealed by the password.

// longKey is the key of version 5 that the empty password unseals (ISO 32000-2, algorithm 2.A).
func (f *file) longKey(d dict, revision int) ([]byte, error) {
	user, _ := f.resolve(d["U"]).(str)
	sealed, _ := f.resolve(d["UE"]).(str)
	digest := hardened
	if revision == 5 {
		digest = func(salt str) []byte { sum := sha256.Sum256([]byte(salt)); return sum[:] }
	}
	if revision != 5 && revision != 6 || len(user) < 48 || len(sealed) < 32 {
		return nil, ErrCipher
	}
	if !bytes.Equal(digest(user[32:40]), []byte(user[:32])) {
		return nil, ErrEncrypted
	}
	c, err := aes.NewCipher(digest(user[40:48]))
	if err != nil {
		return nil, err
	}
	key := make([]byte, 32)
	cipher.NewCBCDecrypter(c, make([]byte, aes.BlockSize)).CryptBlocks(key, []byte(sealed[:32]))
	return key, nil
}

// hardened is the digest of a salt and the empty password that takes its time (algorithm 2.B).
func hardened(salt str) []byte {
	sum := sha256.Sum256([]byte(salt))
	k := sum[:]
	for round := 1; ; round++ {
		c, err := aes.NewCipher(k[:16])
		if err != nil {
			return nil
		}
		b := bytes.Repeat(k, 64)
		cipher.NewCBCEncrypter(c, k[16:32]).CryptBlocks(b, b)
		rest := 0
		for _, x := range b[:16] { // as one number, by 3: each power of 256 leaves 1
			rest += int(x)
		}
		switch rest % 3 {
		case 0:
			sum := sha256.Sum256(b)
			k = sum[:]
		case 1:
			sum := sha512.Sum384(b)
			k = sum[:]
		case 2:
			sum := sha512.Sum512(b)
			k = sum[:]
		}
		if last := int(b[len(b)-1]); round >= 64 && last <= round-32 {
			return k[:32]
		}
	}
}
