package pdf

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rc4"
	"encoding/binary"
)

// Many files are encrypted so that a program can ask who opens them not to print: they open to the empty password.

// key opens what is encrypted.
type key struct {
	bytes         []byte
	texts, blocks method // of strings, and of streams
}

// method is how something is encrypted.
type method int

const (
	inClear  method = iota // not at all
	byRC4                  // with a key of each object
	byAES                  // the same, in blocks
	byLong                 // in blocks, with one key for all objects
	refusing               // in a way that is not read here
)

// padding fills up short passwords.
const padding = "\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A"

// unseal makes the key that the empty password has, and tries it.
func (f *file) unseal() error {
	f.key = nil
	d := f.dict(f.trailer["Encrypt"])
	if d == nil {
		return nil
	}
	version, revision := whole(f.resolve(d["V"])), whole(f.resolve(d["R"]))
	k := &key{texts: byRC4, blocks: byRC4}
	length := 5
	switch version {
	case 1:
	case 2, 3:
		if n := whole(f.resolve(d["Length"])) / 8; n >= 5 && n <= 16 {
			length = n
		}
	case 4:
		length = 16
		k.texts, k.blocks = f.methodOf(d, "StrF"), f.methodOf(d, "StmF")
	case 5:
		return f.unsealLong(d, revision)
	default:
		return ErrCipher
	}
	owner, _ := f.resolve(d["O"]).(str)
	user, _ := f.resolve(d["U"]).(str)
	ids := f.array(f.trailer["ID"])
	var id str
	if len(ids) > 0 {
		id, _ = f.resolve(ids[0]).(str)
	}
	if len(owner) < 32 || len(user) < 16 || k.texts == refusing || k.blocks == refusing {
		return ErrCipher
	}
	made := []byte(padding + string(owner[:32]))
	made = binary.LittleEndian.AppendUint32(made, uint32(int64(f.number(d["P"]))))
	made = append(made, id...)
	if open, isBool := f.resolve(d["EncryptMetadata"]).(bool); isBool && !open && revision >= 4 {
		made = append(made, 0xff, 0xff, 0xff, 0xff)
	}
	sum := md5.Sum(made)
	if revision >= 3 {
		for range 50 {
			sum = md5.Sum(sum[:length])
		}
	}
	k.bytes = bytes.Clone(sum[:length])
	if !k.opens(user, id, revision) {
		return ErrEncrypted
	}
	f.opensBy(k)
	return nil
}

// unsealLong is unseal of version 5.
func (f *file) unsealLong(d dict, revision int) error {
	k := &key{texts: f.methodOf(d, "StrF"), blocks: f.methodOf(d, "StmF")}
	if k.texts == refusing || k.blocks == refusing {
		return ErrCipher
	}
	var err error
	if k.bytes, err = f.longKey(d, revision); err != nil {
		return err
	}
	f.opensBy(k)
	return nil
}

func (f *file) opensBy(k *key) {
	f.key = k
	f.known = map[int]object{} // what was read without it
}

// methodOf is how strings, or streams, are encrypted by versions 4 and 5.
func (f *file) methodOf(d dict, which name) method {
	filter := f.name(d[which])
	if filter == "" || filter == "Identity" {
		return inClear
	}
	switch f.name(f.dict(f.dict(d["CF"])[filter])["CFM"]) {
	case "V2":
		return byRC4
	case "AESV2":
		return byAES
	case "AESV3":
		return byLong
	case "None":
		return inClear
	}
	return refusing
}

// opens tells whether the key is the right one.
func (k *key) opens(user, id str, revision int) bool {
	if revision < 3 {
		return bytes.Equal(stirred(k.bytes, []byte(padding)), []byte(user)[:min(32, len(user))])
	}
	sum := md5.Sum([]byte(padding + string(id)))
	out := sum[:]
	for i := range 20 {
		other := bytes.Clone(k.bytes)
		for j := range other {
			other[j] ^= byte(i)
		}
		out = stirred(other, out)
	}
	return bytes.Equal(out, []byte(user[:16]))
}

// stirred is RC4, which is its own reverse.
func stirred(key, b []byte) []byte {
	c, err := rc4.NewCipher(key)
	if err != nil {
		return nil
	}
	out := make([]byte, len(b))
	c.XORKeyStream(out, b)
	return out
}

// open decrypts the bytes of an object.
func (k *key) open(b []byte, of ref, by method) []byte {
	if by == inClear {
		return b
	}
	if by == byLong {
		return unchained(k.bytes, b)
	}
	own := append(bytes.Clone(k.bytes), byte(of.number), byte(of.number>>8), byte(of.number>>16), byte(of.generation), byte(of.generation>>8))
	if by == byAES {
		own = append(own, "sAlT"...)
	}
	sum := md5.Sum(own)
	own = sum[:min(len(k.bytes)+5, 16)]
	if by == byRC4 {
		return stirred(own, b)
	}
	return unchained(own, b)
}

// unchained is AES in blocks of which each is chained to the one before it, behind what the first is chained to.
func unchained(key, b []byte) []byte {
	c, err := aes.NewCipher(key)
	if err != nil || len(b) < 2*aes.BlockSize {
		return nil
	}
	vector, b := b[:aes.BlockSize], b[aes.BlockSize:len(b)-len(b)%aes.BlockSize]
	out := make([]byte, len(b))
	cipher.NewCBCDecrypter(c, vector).CryptBlocks(out, b)
	if n := int(out[len(out)-1]); n >= 1 && n <= aes.BlockSize {
		out = out[:len(out)-n]
	}
	return out
}

// unsealed is an object with its strings decrypted.
func (f *file) unsealed(o object, of ref) object {
	if f.key == nil {
		return o
	}
	switch o := o.(type) {
	case str:
		return str(f.key.open([]byte(o), of, f.key.texts))
	case array:
		for i := range o {
			o[i] = f.unsealed(o[i], of)
		}
	case dict:
		for key := range o {
			o[key] = f.unsealed(o[key], of)
		}
	}
	return o
}

// unsealedStream are the bytes of a stream, decrypted.
func (f *file) unsealedStream(s *stream) []byte {
	if f.key == nil || s.sealed == (ref{}) || s.dict["Type"] == name("XRef") {
		return s.raw
	}
	return f.key.open(s.raw, s.sealed, f.key.blocks)
}
