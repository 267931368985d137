// SPDX-License-Identifier: Apache-2.0

package columns

import (
	"encoding/binary"
	"fmt"

	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/format"

	"github.com/gsketch/gsketch/internal/parquetcheck"
)

// values are those of a page that are not null.
type values struct {
	data       []byte
	width      int      // bytes of a value; 0 if its length stands before it
	dictionary [][]byte // if there is one, index is of the values to come
	index      []int32
	lengths    []int32 // of the values to come, where they do not stand before each
	apart      bool    // they do not
}

func widthOf(t format.Type) int {
	switch t {
	case format.Boolean:
		return 1
	case format.Int32, format.Float:
		return 4
	case format.Int64, format.Double:
		return 8
	}
	return 0
}

// unpack makes bytes of n bits.
func (v *values) unpack(n int) error {
	bits := v.data
	if len(bits) < (n+7)/8 {
		return errPage
	}
	v.data = make([]byte, n)
	for i := range v.data {
		v.data[i] = bits[i/8] >> (i % 8) & 1
	}
	return nil
}

// next returns the next value, valid as long as the page.
func (v *values) next() ([]byte, error) {
	if v.dictionary != nil {
		if len(v.index) == 0 || v.index[0] < 0 || int(v.index[0]) >= len(v.dictionary) {
			return nil, errPage
		}
		b := v.dictionary[v.index[0]]
		v.index = v.index[1:]
		return b, nil
	}
	n := uint64(v.width)
	switch {
	case v.apart:
		if len(v.lengths) == 0 || v.lengths[0] < 0 {
			return nil, errPage
		}
		n = uint64(v.lengths[0])
		v.lengths = v.lengths[1:]
	case n == 0:
		if len(v.data) < 4 {
			return nil, errPage
		}
		n = uint64(binary.LittleEndian.Uint32(v.data))
		v.data = v.data[4:]
	}
	if n > uint64(len(v.data)) {
		return nil, errPage
	}
	b := v.data[:n]
	v.data = v.data[n:]
	return b, nil
}

// encoded returns the n values of a page.
func (c *Column) encoded(data []byte, enc format.Encoding, n int) (values, error) {
	v := values{data: data, width: widthOf(c.leaf.kind)}
	switch enc {
	case format.Plain:
		if c.leaf.kind == Bool {
			return v, v.unpack(n)
		}
		return v, nil
	case format.RLE:
		if c.leaf.kind != Bool {
			break
		}
		if len(data) < 4 || uint64(binary.LittleEndian.Uint32(data)) > uint64(len(data)-4) {
			return v, errPage
		}
		data = data[4 : 4+binary.LittleEndian.Uint32(data)]
		if err := parquetcheck.Runs(data, 1, n, maxPadding); err != nil {
			return v, err
		}
		var err error
		if v.data, err = (&rle.Encoding{BitWidth: 1}).DecodeLevels(nil, data); err == nil && len(v.data) < n {
			err = errPage
		}
		return v, err
	case format.PlainDictionary, format.RLEDictionary:
		if c.dictionary == nil {
			return v, errPage
		}
		if n == 0 {
			return v, nil
		}
		if len(data) == 0 || data[0] > 32 {
			return v, errPage
		}
		width, runs := int(data[0]), data[1:]
		if width == 0 { // all values are the first of the dictionary
			v.dictionary, v.index = c.dictionary, make([]int32, n)
			return v, nil
		}
		if err := parquetcheck.Runs(runs, width, n, maxPadding); err != nil {
			return v, err
		}
		index, err := (&rle.Encoding{BitWidth: width}).DecodeInt32(nil, runs)
		if err != nil {
			return v, err
		}
		v.dictionary, v.index = c.dictionary, index[:n]
		return v, nil
	case format.DeltaLengthByteArray:
		if v.width != 0 {
			break
		}
		lengths, rest, err := deltaLengths(data, n)
		v.data, v.lengths, v.apart = rest, lengths, true
		return v, err
	}
	return v, fmt.Errorf("column %q is encoded as %s; plain, dictionary and delta length are read", c.leaf.name, enc)
}

// deltaLengths decodes the lengths of n values, which stand before them all.
func deltaLengths(data []byte, n int) ([]int32, []byte, error) {
	// Block size, miniblocks in a block, values: what a decoder allocates.
	head := data
	var numbers [3]uint64
	for i := range numbers {
		v, k := binary.Uvarint(head)
		if k <= 0 {
			return nil, nil, errPage
		}
		numbers[i], head = v, head[k:]
	}
	const largestBlock = 1 << 16
	if numbers[0] > largestBlock || numbers[1] > numbers[0] || numbers[2] != uint64(n) {
		return nil, nil, errPage
	}
	var e delta.LengthByteArrayEncoding
	all, ends, err := e.DecodeByteArray(nil, data, nil)
	if err != nil {
		return nil, nil, err
	}
	if len(ends) != n+1 {
		return nil, nil, errPage
	}
	lengths := make([]int32, n)
	for i := range lengths {
		lengths[i] = int32(ends[i+1] - ends[i])
	}
	return lengths, all, nil
}
