// SPDX-License-Identifier: Apache-2.0

package bands

import (
	"encoding/binary"
	"errors"
	"io"
	"slices"

	"github.com/zeebo/xxh3"
)

// A file of documents, all numbers little endian:
//
//	"GSKDOCS1"
//	records     one behind the other
//	directory   for each document, ids ascending: id (4), bytes of its record (4;
//	            0: removed), xxh3-64 of it (8)
//	footer      documents (8), xxh3-64 of the directory (8), "GSKDOCS1"
const (
	docsMagic  = "GSKDOCS1"
	docsEntry  = 16
	docsFooter = 24
)

var errDocs = errors.New("damaged documents")

// docsWriter writes documents in the order of their ids.
type docsWriter struct {
	w         io.Writer
	directory []byte
	n         uint64
}

func newDocsWriter(w io.Writer) (*docsWriter, error) {
	_, err := io.WriteString(w, docsMagic)
	return &docsWriter{w: w}, err
}

// add adds a record; nil says that the document was removed.
func (d *docsWriter) add(id uint32, record []byte) error {
	d.n++
	d.directory = binary.LittleEndian.AppendUint32(d.directory, id)
	d.directory = binary.LittleEndian.AppendUint32(d.directory, uint32(len(record)))
	d.directory = binary.LittleEndian.AppendUint64(d.directory, xxh3.Hash(record))
	_, err := d.w.Write(record)
	return err
}

func (d *docsWriter) close() error {
	sum := xxh3.Hash(d.directory)
	tail := binary.LittleEndian.AppendUint64(d.directory, d.n)
	tail = binary.LittleEndian.AppendUint64(tail, sum)
	_, err := d.w.Write(append(tail, docsMagic...))
	return err
}

// docsFile is an open file of documents.
type docsFile struct {
	data []byte
	ids  []uint32
	ends []int // of records; the first begins behind the magic
	sums []uint64
}

func openDocs(data []byte) (*docsFile, error) {
	if len(data) < len(docsMagic)+docsFooter || string(data[:8]) != docsMagic || string(data[len(data)-8:]) != docsMagic {
		return nil, errDocs
	}
	le := binary.LittleEndian
	footer := data[len(data)-docsFooter:]
	body := data[8 : len(data)-docsFooter]
	n := le.Uint64(footer)
	if n > uint64(len(body))/docsEntry {
		return nil, errDocs
	}
	directory := body[len(body)-int(n)*docsEntry:]
	if xxh3.Hash(directory) != le.Uint64(footer[8:]) {
		return nil, errDocs
	}
	f := &docsFile{data: data, ids: make([]uint32, n), ends: make([]int, n), sums: make([]uint64, n)}
	end := 8
	for i := range f.ids {
		e := directory[i*docsEntry:]
		end += int(le.Uint32(e[4:]))
		f.ids[i], f.ends[i], f.sums[i] = le.Uint32(e), end, le.Uint64(e[8:])
		if i > 0 && f.ids[i] <= f.ids[i-1] || f.ids[i] > maxID {
			return nil, errDocs
		}
	}
	if end != 8+len(body)-len(directory) {
		return nil, errDocs
	}
	return f, nil
}

// at returns the i-th record, checked; empty if the document was removed.
func (f *docsFile) at(i int) ([]byte, error) {
	from := 8
	if i > 0 {
		from = f.ends[i-1]
	}
	record := f.data[from:f.ends[i]]
	if xxh3.Hash(record) != f.sums[i] {
		return nil, errDocs
	}
	return record, nil
}

// find returns the record of an id, and whether the file knows of it.
func (f *docsFile) find(id uint32) ([]byte, bool, error) {
	i, ok := slices.BinarySearch(f.ids, id)
	if !ok {
		return nil, false, nil
	}
	record, err := f.at(i)
	return record, true, err
}
