// SPDX-License-Identifier: Apache-2.0

package table

import (
	"encoding/binary"
	"io"

	"github.com/gsketch/gsketch/sketch"
)

// A row is a row of the table without its lists and signature.
type row struct {
	meta   sketch.Meta
	params string
	part   int32 // noPart is null
	digest [digestSize]byte
}

const noPart = -1

// readSmall reads all columns of g but hashes, signature and abundances.
func readSmall(p *pageReader, g *group, rows []row) error {
	for col := range numColumns {
		set := setter(col, rows)
		if set == nil {
			continue
		}
		if err := p.column(g, col, sink{page: set}); err != nil {
			return err
		}
	}
	return nil
}

// setter returns what stores a page of column col in rows, nil for the columns
// that are not small.
func setter(col int, rows []row) func(first int, pg *page) error {
	switch col {
	case colRow:
		return ints(func(i int, v uint64) { rows[i].meta.Row = int64(v) })
	case colID:
		return texts(func(i int, s string) { rows[i].meta.ID = s })
	case colSource:
		return texts(func(i int, s string) { rows[i].meta.Source = s })
	case colComment:
		return texts(func(i int, s string) { rows[i].meta.Comment = s })
	case colPerRecord:
		return bools(func(i int, v bool) { rows[i].meta.PerRecord = v })
	case colLengthEstimated:
		return bools(func(i int, v bool) { rows[i].meta.LengthEstimated = v })
	case colParams:
		return texts(func(i int, s string) { rows[i].params = s })
	case colLength:
		return ints(func(i int, v uint64) { rows[i].meta.Length = v })
	case colRecords:
		return ints(func(i int, v uint64) { rows[i].meta.Records = v })
	case colCount:
		return ints(func(i int, v uint64) { rows[i].meta.Count = v })
	case colPart:
		return parts(rows)
	case colDigest:
		return func(first int, pg *page) error {
			for i := range pg.rows {
				copy(rows[first+i].digest[:], pg.data[i*digestSize:])
			}
			return nil
		}
	}
	return nil
}

func ints(set func(i int, v uint64)) func(first int, pg *page) error {
	return func(first int, pg *page) error {
		for i := range pg.rows {
			set(first+i, binary.LittleEndian.Uint64(pg.data[8*i:]))
		}
		return nil
	}
}

func bools(set func(i int, v bool)) func(first int, pg *page) error {
	return func(first int, pg *page) error {
		for i := range pg.rows {
			set(first+i, pg.data[i/8]>>(i%8)&1 == 1)
		}
		return nil
	}
}

func parts(rows []row) func(first int, pg *page) error {
	return func(first int, pg *page) error {
		data := pg.data
		for i := range pg.rows {
			rows[first+i].part = noPart
			if pg.definition[i] != 1 {
				continue
			}
			v := int32(binary.LittleEndian.Uint32(data))
			if v < 0 {
				return errParts
			}
			rows[first+i].part = v
			data = data[4:]
		}
		return nil
	}
}

// texts reads the strings of a page onto one backing.
func texts(set func(i int, s string)) func(first int, pg *page) error {
	return func(first int, pg *page) error {
		rest := string(pg.data)
		for i := range pg.rows {
			if len(pg.definition) > 0 && pg.definition[i] != 1 {
				continue
			}
			if len(rest) < 4 {
				return io.ErrUnexpectedEOF
			}
			n := uint32(rest[0]) | uint32(rest[1])<<8 | uint32(rest[2])<<16 | uint32(rest[3])<<24
			if uint64(n) > uint64(len(rest)-4) {
				return io.ErrUnexpectedEOF
			}
			set(first+i, rest[4:4+n])
			rest = rest[4+n:]
		}
		if len(rest) > 0 {
			return errLength
		}
		return nil
	}
}
