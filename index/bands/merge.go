// SPDX-License-Identifier: Apache-2.0

package bands

import (
	"maps"
	"slices"
)

// Compact makes one segment of all and gives back the space of what was
// removed. Searching gives the same before and after.
func (d *Disk) Compact() error {
	d.change.Lock()
	defer d.change.Unlock()
	if err := d.writable(); err != nil {
		return err
	}
	if err := d.seal(); err != nil {
		return err
	}
	return d.join(0)
}

// joinSmall makes one segment of the last ones that are small together, so that
// many small additions do not make many segments.
func (d *Disk) joinSmall() error {
	from, rows := len(d.segments), 0
	for from > 0 && rows+d.segments[from-1].Rows <= sealRows {
		from--
		rows += d.segments[from].Rows
	}
	if len(d.segments)-from < 2 {
		return nil
	}
	return d.join(from)
}

// join makes one segment of those from a place on.
func (d *Disk) join(from int) error {
	segments := d.segments[from:]
	if len(segments) == 0 {
		return nil
	}
	removals := from > 0
	next := *d.m
	var r segmentRecord
	err := guard(func() (err error) {
		r, err = writeSegment(d.dir, d.newName(&next), bandsOf(segments),
			func(band uint32) ([]row, error) {
				var rows []row
				for _, s := range segments {
					var err error
					if rows, err = s.rows.all(rows, band); err != nil {
						return nil, s.bad(".bands", err)
					}
				}
				return settle(rows, removals), nil
			},
			func(yield func(uint32, []byte) error) error { return eachDoc(segments, newTail(), removals, yield) })
		return err
	})
	if err != nil {
		return err
	}
	next.Segments = append(slices.Clone(next.Segments[:from]), r)
	if err := d.replace(&next, from); err != nil {
		return err
	}
	return d.sweep()
}

// idsOf lists the ids of documents that segments and a tail know of, ascending.
func idsOf(segments []*segment, t *tail) []uint32 {
	ids := slices.Collect(maps.Keys(t.docs))
	for _, s := range segments {
		ids = append(ids, s.docs.ids...)
	}
	if !slices.IsSorted(ids) {
		slices.Sort(ids)
	}
	return slices.Compact(ids)
}

// eachDoc calls yield for the last word on each document in the order of ids;
// for removed ones, with nil, if removals are asked for.
func eachDoc(segments []*segment, t *tail, removals bool, yield func(id uint32, record []byte) error) error {
	d := Disk{segments: segments, tail: t}
	for _, id := range idsOf(segments, t) {
		record, err := d.record(id)
		if err != nil {
			return err
		}
		if len(record) == 0 && !removals {
			continue
		}
		if err := yield(id, record); err != nil {
			return err
		}
	}
	return nil
}
