// SPDX-License-Identifier: Apache-2.0

package steps

import (
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"

	"github.com/gsketch/gsketch/sketch"
)

// CopyRows writes those rows (from 0, ascending) of a Parquet table to w, with
// all columns, whatever they are.
func CopyRows(w io.Writer, path string, rows []int64) (err error) {
	defer func() { // the library trusts what a file says of itself
		if r := recover(); r != nil {
			err = sketch.BadInput(path, fmt.Errorf("malformed Parquet: %v", r))
		}
	}()
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return err
	}
	in, err := parquet.OpenFile(f, st.Size())
	if err != nil {
		return sketch.BadInput(path, err)
	}
	out := parquet.NewWriter(w, in.Schema(), parquet.Compression(&parquet.Zstd), parquet.CreatedBy("gsketch", "1", "parquet-go"))
	first := int64(0)
	buf := make([]parquet.Row, 1024)
	for _, g := range in.RowGroups() {
		from := g.Rows()
		for {
			n, err := from.ReadRows(buf)
			var kept []parquet.Row
			for i := range n {
				if len(rows) > 0 && rows[0] == first+int64(i) {
					kept, rows = append(kept, buf[i]), rows[1:]
				}
			}
			first += int64(n)
			if _, err := out.WriteRows(kept); err != nil {
				from.Close()
				return err
			}
			if err == io.EOF || n == 0 {
				break
			}
			if err != nil {
				from.Close()
				return sketch.BadInput(path, err)
			}
		}
		if err := from.Close(); err != nil {
			return sketch.BadInput(path, err)
		}
	}
	return out.Close()
}
