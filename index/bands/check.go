// SPDX-License-Identifier: Apache-2.0

package bands

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/gsketch/gsketch/sketch"
)

// Check reads all of the index in a directory: the digests of files, blocks and
// records, and that the buckets are those of the documents, no more, no less.
func Check(dir string) error {
	d, err := Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	for _, s := range d.segments {
		if err := s.Bands.Check(filepath.Join(dir, s.Name+".bands")); err != nil {
			return err
		}
		if err := s.Docs.Check(filepath.Join(dir, s.Name+".docs")); err != nil {
			return err
		}
	}
	return sketchError(dir, guard(d.check))
}

func sketchError(dir string, err error) error {
	var input *sketch.InputError
	if err == nil || errors.As(err, &input) {
		return err
	}
	return sketch.BadInput(dir, err)
}

// check compares buckets with documents: as many rows as bands of documents,
// each of which leads to its document, means that there are no others.
func (d *Disk) check() error {
	x, err := New(d)
	if err != nil {
		return err
	}
	if err := x.CheckBuckets(); err != nil {
		return err
	}
	n, err := d.Len()
	if err != nil {
		return err
	}
	rows, err := d.countRows()
	if want := n * d.config.Bands; err == nil && rows != want {
		err = fmt.Errorf("%d band rows for %d bands of documents", rows, want)
	}
	return err
}

// CheckBuckets reads all documents and checks that every band of each leads to
// it.
func (x *Index) CheckBuckets() error {
	var ids []uint32
	return x.EachItem(func(id uint32, it sketch.Item) error {
		doc, err := x.document(it)
		if err != nil {
			return err
		}
		for i := range doc.Keys {
			if ids, err = x.Get(ids[:0], doc.Keys[i:i+1]); err != nil {
				return err
			}
			if !slices.Contains(ids, id) {
				return fmt.Errorf("document %d is not in its bucket of band %d", id, doc.Keys[i].Band)
			}
		}
		return nil
	})
}

// countRows counts rows that are not removed.
func (d *Disk) countRows() (n int, err error) {
	tailRows := d.tail.byBand()
	bands := map[uint32]bool{}
	for _, b := range bandsOf(d.segments) {
		bands[b] = true
	}
	for b := range tailRows {
		bands[b] = true
	}
	var rows []row
	for band := range bands {
		rows = rows[:0]
		for _, s := range d.segments {
			if rows, err = s.rows.all(rows, band); err != nil {
				return 0, s.bad(".bands", err)
			}
		}
		n += len(settle(append(rows, tailRows[band]...), false))
	}
	return n, nil
}
