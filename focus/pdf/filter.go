package pdf

import (
	"bytes"
	"compress/flate"
	"encoding/ascii85"
	"io"
	"sync"
)

// filters undo what was done to the bytes of a stream. Those of pictures are not among them: no text is in a picture.
var filters = map[name]func(b []byte, most int, how dict) []byte{
	"FlateDecode": inflate, "Fl": inflate, "LZWDecode": unLZW, "LZW": unLZW, "ASCII85Decode": un85, "A85": un85,
	"ASCIIHexDecode": unHexed, "AHx": unHexed, "RunLengthDecode": unRun, "RL": unRun,
}

// mostFilters is how many may lie on one another.
const mostFilters = 8

// decode are the bytes of a stream as they were meant; nothing where one of its filters is not known. What is damaged counts as far
// as it can be read.
func (f *file) decode(s *stream) []byte {
	b := f.unsealedStream(s)
	used, how := f.several(s.dict["Filter"]), f.several(s.dict["DecodeParms"])
	if len(used) > mostFilters {
		return nil
	}
	for i, filter := range used {
		undo, ok := filters[f.name(filter)]
		if f.name(filter) == "Crypt" {
			continue
		}
		if !ok || f.left.Decoded <= 0 {
			return nil
		}
		parameters := dict{}
		if i < len(how) {
			for key, value := range f.dict(how[i]) {
				parameters[key] = f.resolve(value)
			}
		}
		b = unpredict(undo(b, f.left.Decoded, parameters), parameters)
		f.left.Decoded -= len(b)
	}
	return b
}

// several is what may stand alone or in an array.
func (f *file) several(o object) array {
	switch o := f.resolve(o).(type) {
	case nil:
		return nil
	case array:
		return o
	default:
		return array{o}
	}
}

func inflate(b []byte, most int, _ dict) []byte {
	if len(b) >= 2 && b[0]&0xf == 8 && (int(b[0])<<8|int(b[1]))%31 == 0 {
		b = b[2:]
	}
	r := inflaters.Get().(io.Reader)
	defer inflaters.Put(r)
	_ = r.(flate.Resetter).Reset(bytes.NewReader(b), nil) // there is no dictionary that could be wrong
	return atMost(r, most)
}

// inflaters are used again: a file has a stream for each page, font and form, and an inflater is larger than most of them.
var inflaters = sync.Pool{New: func() any { return flate.NewReader(nil) }}

// atMost is what can be read, up to so many bytes.
func atMost(r io.Reader, most int) []byte {
	b, _ := io.ReadAll(io.LimitReader(r, int64(most)))
	return b
}

func un85(b []byte, most int, _ dict) []byte {
	b = bytes.TrimPrefix(bytes.TrimSpace(b), []byte("<~"))
	if end := bytes.IndexByte(b, '~'); end >= 0 {
		b = b[:end]
	}
	return atMost(ascii85.NewDecoder(bytes.NewReader(b)), most)
}

func unHexed(b []byte, most int, _ dict) []byte {
	if end := bytes.IndexByte(b, '>'); end >= 0 {
		b = b[:end]
	}
	return unhex(b[:min(len(b), 2*most)])
}

func unRun(b []byte, most int, _ dict) (out []byte) {
	for len(b) > 1 && len(out) < most {
		switch n := int(b[0]); {
		case n < 128:
			n = min(n+1, len(b)-1)
			out = append(out, b[1:1+n]...)
			b = b[1+n:]
		case n > 128:
			out = append(out, bytes.Repeat(b[1:2], 257-n)...)
			b = b[2:]
		default:
			return out
		}
	}
	return out
}

// unLZW is LZW as TIFF has it: codes of 9 to 12 bits, the highest bit first, and by default one code early.
func unLZW(b []byte, most int, how dict) (out []byte) {
	const clear, end, first = 256, 257, 258
	early := 1
	if n, ok := how["EarlyChange"].(float64); ok {
		early = int(n)
	}
	type entry struct{ from, to int } // where its bytes stand in out
	table := make([]entry, first, 4096)
	width, bits, held := 9, uint(0), 0
	last := entry{-1, -1}
	for _, c := range b {
		bits, held = bits<<8|uint(c), held+8
		if held < width {
			continue
		}
		held -= width
		code := int(bits>>held) & (1<<width - 1)
		switch {
		case code == end || len(out) >= most:
			return out
		case code == clear:
			table, width, last = table[:first], 9, entry{-1, -1}
			continue
		}
		at := len(out)
		switch {
		case code < 256:
			out = append(out, byte(code))
		case code < len(table):
			out = append(out, out[table[code].from:table[code].to]...)
		case code == len(table) && last.from >= 0:
			out = append(append(out, out[last.from:last.to]...), out[last.from])
		default:
			return out
		}
		if last.from >= 0 && len(table) < 4096 {
			table = append(table, entry{last.from, last.to + 1}) // the byte behind it is the first of what has just come
		}
		last = entry{at, len(out)}
		if width < 12 && len(table)+1+early > 1<<width {
			width++
		}
	}
	return out
}

// unpredict undoes the prediction of rows, as PNG and TIFF have it.
func unpredict(b []byte, how dict) []byte {
	kind := whole(how["Predictor"])
	if kind < 2 {
		return b
	}
	set := func(key name, other int) int {
		if n := whole(how[key]); n > 0 && n < 1<<16 {
			return n
		}
		return other
	}
	colours, depth, columns := set("Colors", 1), set("BitsPerComponent", 8), set("Columns", 1)
	bits := int64(colours) * int64(depth) // whatever is said: there is no more than b
	pixel, row := int(min((bits+7)/8, int64(len(b)))), int(max(1, min((bits*int64(columns)+7)/8, int64(len(b)))))
	if kind == 2 {
		if depth == 8 {
			for i := range b {
				if i%row >= pixel {
					b[i] += b[i-pixel]
				}
			}
		}
		return b
	}
	out := make([]byte, 0, len(b))
	above := make([]byte, row)
	for len(b) > 1 {
		filter, line := b[0], bytes.Clone(b[1:min(1+row, len(b))])
		b = b[1+len(line):]
		for i := range line {
			var left, corner byte
			if i >= pixel {
				left, corner = line[i-pixel], above[i-pixel]
			}
			switch filter {
			case 1:
				line[i] += left
			case 2:
				line[i] += above[i]
			case 3:
				line[i] += byte((int(left) + int(above[i])) / 2)
			case 4:
				line[i] += paeth(left, above[i], corner)
			}
		}
		out = append(out, line...)
		copy(above, line)
	}
	return out
}

// paeth is the one of three bytes that is nearest to what they lead to.
func paeth(left, above, corner byte) byte {
	to := int(left) + int(above) - int(corner)
	far := func(b byte) int { return max(to-int(b), int(b)-to) }
	switch {
	case far(left) <= far(above) && far(left) <= far(corner):
		return left
	case far(above) <= far(corner):
		return above
	}
	return corner
}
