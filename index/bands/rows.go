// SPDX-License-Identifier: Apache-2.0

package bands

import (
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"sort"

	"github.com/zeebo/xxh3"
)

// A file of rows, all numbers little endian:
//
//	"GSKBAND1"
//	blocks      of one band each, up to 42 rows: their hashes (8 bytes each,
//	            ascending), their ids (4 bytes each; bit 31: removed), ascending
//	            where hashes are equal. All blocks of a band but the last are full.
//	bands       for each band, ascending: number (4), rows (4)
//	directory   for each block: first hash (8), xxh3-64 (8)
//	footer      bands (8), blocks (8), xxh3-64 of bands and directory (8), "GSKBAND1"
//
// A row takes 12 bytes, and its share of the directory a third of one. Bands and
// directory are read when the file is opened; a block is checked when it is used.
const (
	rowsMagic    = "GSKBAND1"
	rowBytes     = 12
	blockRows    = 42
	rowsFooter   = 32
	gone         = 1 << 31 // marks the row of an id that was removed
	maxID        = gone - 1
	maxBandCount = 1 << 24
)

var errRows = errors.New("damaged band rows")

// A row says that a document is in a bucket of a band, or no longer.
type row struct {
	hash uint64
	id   uint32 // with gone
}

func compareRows(a, b row) int {
	return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.id&maxID, b.id&maxID))
}

// settle sorts rows of a band that lie in the order of time and keeps the last
// word on each id in a bucket; removals only if something older may hold the id.
func settle(rows []row, removals bool) []row {
	if !slices.IsSortedFunc(rows, compareRows) {
		slices.SortStableFunc(rows, compareRows)
	}
	out := rows[:0]
	for i, r := range rows {
		if i+1 < len(rows) && compareRows(r, rows[i+1]) == 0 {
			continue
		}
		if r.id < gone || removals {
			out = append(out, r)
		}
	}
	return out
}

// writeRows writes the rows of bands, which ascend; of gives the settled rows of
// one.
func writeRows(w io.Writer, bands []uint32, of func(band uint32) ([]row, error)) (total int, err error) {
	if _, err := io.WriteString(w, rowsMagic); err != nil {
		return 0, err
	}
	var list, directory, block []byte
	count := uint64(0)
	for _, band := range bands {
		rows, err := of(band)
		if err != nil {
			return 0, err
		}
		if len(rows) == 0 {
			continue
		}
		count++
		total += len(rows)
		list = binary.LittleEndian.AppendUint32(list, band)
		list = binary.LittleEndian.AppendUint32(list, uint32(len(rows)))
		for part := range slices.Chunk(rows, blockRows) {
			block = block[:0]
			for _, r := range part {
				block = binary.LittleEndian.AppendUint64(block, r.hash)
			}
			for _, r := range part {
				block = binary.LittleEndian.AppendUint32(block, r.id)
			}
			directory = binary.LittleEndian.AppendUint64(directory, part[0].hash)
			directory = binary.LittleEndian.AppendUint64(directory, xxh3.Hash(block))
			if _, err := w.Write(block); err != nil {
				return 0, err
			}
		}
	}
	blocks := uint64(len(directory) / 16)
	tail := append(list, directory...)
	sum := xxh3.Hash(tail)
	tail = binary.LittleEndian.AppendUint64(tail, count)
	tail = binary.LittleEndian.AppendUint64(tail, blocks)
	tail = binary.LittleEndian.AppendUint64(tail, sum)
	_, err = w.Write(append(tail, rowsMagic...))
	return total, err
}

// rowsFile is an open file of rows.
type rowsFile struct {
	data  []byte // the whole file
	bands []bandRows
	first []uint64 // of each block
	sums  []uint64
}

// bandRows is where the rows of a band lie.
type bandRows struct {
	band   uint32
	rows   int
	block  int // number of its first block
	offset int // of that in the file
}

func (b bandRows) blocks() int { return (b.rows + blockRows - 1) / blockRows }

// openRows reads bands and directory of a file.
func openRows(data []byte) (*rowsFile, error) {
	if len(data) < len(rowsMagic)+rowsFooter || string(data[:8]) != rowsMagic || string(data[len(data)-8:]) != rowsMagic {
		return nil, errRows
	}
	le := binary.LittleEndian
	footer := data[len(data)-rowsFooter:]
	body := data[8 : len(data)-rowsFooter]
	bands, blocks := le.Uint64(footer), le.Uint64(footer[8:])
	if bands > maxBandCount || blocks > uint64(len(body))/16 || bands*8+blocks*16 > uint64(len(body)) {
		return nil, errRows
	}
	tail := body[len(body)-int(bands*8+blocks*16):]
	if xxh3.Hash(tail) != le.Uint64(footer[16:]) {
		return nil, errRows
	}
	f := &rowsFile{data: data, first: make([]uint64, blocks), sums: make([]uint64, blocks)}
	at := bandRows{offset: 8}
	for i := range int(bands) {
		at.band, at.rows = le.Uint32(tail[8*i:]), int(le.Uint32(tail[8*i+4:]))
		if at.rows == 0 || i > 0 && at.band <= f.bands[i-1].band {
			return nil, errRows
		}
		f.bands = append(f.bands, at)
		at.block += at.blocks()
		at.offset += at.rows * rowBytes
	}
	if at.block != int(blocks) || at.offset != len(data)-rowsFooter-len(tail) {
		return nil, errRows
	}
	for i, d := 0, tail[8*bands:]; i < int(blocks); i++ {
		f.first[i], f.sums[i] = le.Uint64(d[16*i:]), le.Uint64(d[16*i+8:])
	}
	return f, nil
}

func (f *rowsFile) band(n uint32) (bandRows, bool) {
	if int(n) < len(f.bands) && f.bands[n].band == n { // bands are 0, 1, 2, ...
		return f.bands[n], true
	}
	i := sort.Search(len(f.bands), func(i int) bool { return f.bands[i].band >= n })
	if i == len(f.bands) || f.bands[i].band != n {
		return bandRows{}, false
	}
	return f.bands[i], true
}

// block returns the i-th block of a band, checked.
func (f *rowsFile) block(b bandRows, i int) ([]byte, error) {
	n := min(blockRows, b.rows-i*blockRows)
	at := b.offset + i*blockRows*rowBytes
	data := f.data[at : at+n*rowBytes]
	if xxh3.Hash(data) != f.sums[b.block+i] {
		return nil, errRows
	}
	return data, nil
}

// find appends the ids in a bucket, with gone, ascending.
func (f *rowsFile) find(dst []uint32, band uint32, hash uint64) ([]uint32, error) {
	b, ok := f.band(band)
	if !ok {
		return dst, nil
	}
	first := f.first[b.block : b.block+b.blocks()]
	i := max(0, sort.Search(len(first), func(i int) bool { return first[i] >= hash })-1)
	for ; i < len(first) && first[i] <= hash; i++ {
		data, err := f.block(b, i)
		if err != nil {
			return dst, err
		}
		n := len(data) / rowBytes
		ids := data[8*n:]
		j := sort.Search(n, func(j int) bool { return binary.LittleEndian.Uint64(data[8*j:]) >= hash })
		for ; j < n && binary.LittleEndian.Uint64(data[8*j:]) == hash; j++ {
			dst = append(dst, binary.LittleEndian.Uint32(ids[4*j:]))
		}
	}
	return dst, nil
}

// all appends the rows of a band and checks their order.
func (f *rowsFile) all(dst []row, band uint32) ([]row, error) {
	b, ok := f.band(band)
	if !ok {
		return dst, nil
	}
	from := len(dst)
	for i := range b.blocks() {
		data, err := f.block(b, i)
		if err != nil {
			return dst, err
		}
		n := len(data) / rowBytes
		for j := range n {
			dst = append(dst, row{binary.LittleEndian.Uint64(data[8*j:]), binary.LittleEndian.Uint32(data[8*n+4*j:])})
		}
		if f.first[b.block+i] != dst[len(dst)-n].hash {
			return dst, errRows
		}
	}
	for i := from + 1; i < len(dst); i++ {
		if compareRows(dst[i-1], dst[i]) >= 0 {
			return dst, errRows
		}
	}
	return dst, nil
}
