// SPDX-License-Identifier: Apache-2.0

package bands

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"github.com/gsketch/gsketch/internal/sealed"
	"github.com/gsketch/gsketch/lsh"
)

// A log of so many rows, or bytes of documents, becomes a segment.
const (
	sealRows  = 1 << 20
	sealBytes = 256 << 20
)

// Put adds ids to buckets.
func (d *Disk) Put(keys []lsh.Key, ids []uint32) error { return d.commit(changesOf(keys, ids, false)) }

// Delete removes ids from buckets.
func (d *Disk) Delete(keys []lsh.Key, ids []uint32) error {
	return d.commit(changesOf(keys, ids, true))
}

// PutIfAbsent adds id to all buckets if all of them are empty.
func (d *Disk) PutIfAbsent(keys []lsh.Key, id uint32) (present []uint32, err error) {
	err = d.changing(func() error {
		if present, err = d.others(keys, nil); err != nil || len(present) > 0 {
			return err
		}
		return d.write(changesOf(keys, slices.Repeat([]uint32{id}, len(keys)), false))
	})
	return present, err
}

// others are the ids in buckets that are not known.
func (d *Disk) others(keys []lsh.Key, known []uint32) ([]uint32, error) {
	ids, err := d.Get(nil, keys)
	slices.Sort(ids)
	return slices.DeleteFunc(slices.Compact(ids), func(id uint32) bool { return slices.Contains(known, id) }), err
}

// Insert adds documents under new ids. Many at once are written as a segment,
// with 16 bytes of memory for each of their rows.
func (d *Disk) Insert(docs []Document) error {
	return d.changing(func() error { return d.insert(docs) })
}

func (d *Disk) insert(docs []Document) error {
	if err := number(d.dir, d.next(), docs); err != nil {
		return err
	}
	rows := 0
	for i := range docs {
		rows += len(docs[i].Keys)
	}
	if rows >= sealRows {
		return d.insertSegment(docs)
	}
	changes := make([]change, len(docs))
	for i := range docs {
		changes[i] = change{document: true, Document: docs[i]}
	}
	return d.write(changes)
}

// next is above all ids.
func (d *Disk) next() uint32 { return max(d.m.NextID, d.tail.next) }

// number gives documents ids from next on.
func number(dir string, next uint32, docs []Document) error {
	if uint64(next)+uint64(len(docs)) > maxID+1 {
		return fmt.Errorf("%s: an index holds ids up to %d", dir, maxID)
	}
	for i := range docs {
		docs[i].ID = next + uint32(i)
	}
	return nil
}

// InsertUnless adds a document unless its buckets hold ids that are not known.
func (d *Disk) InsertUnless(doc *Document, known []uint32) (others []uint32, err error) {
	err = d.changing(func() error {
		if others, err = d.others(doc.Keys, known); err != nil || len(others) > 0 {
			return err
		}
		one := []Document{*doc}
		if err := number(d.dir, d.next(), one); err != nil {
			return err
		}
		doc.ID = one[0].ID
		return d.write([]change{{document: true, Document: *doc}})
	})
	return others, err
}

// Drop removes documents.
func (d *Disk) Drop(docs []Document) error {
	changes := make([]change, len(docs))
	for i := range docs {
		changes[i] = change{remove: true, document: true, Document: Document{ID: docs[i].ID, Keys: docs[i].Keys}}
	}
	return d.commit(changes)
}

func (d *Disk) commit(changes []change) error {
	return d.changing(func() error { return d.write(changes) })
}

// changing does something that may change the index, and that no other change
// divides, and waits until all that was changed so far is durable: what was seen
// of others, too, is what a failure leaves there.
func (d *Disk) changing(do func() error) error {
	d.change.Lock()
	err := do()
	last := d.changes
	d.change.Unlock()
	if err != nil {
		return err
	}
	return d.durable(last)
}

// durable waits until a change and those before it are in the log or a segment.
// Who comes first writes those of all who wait behind him, as one entry: as many
// as come at once cost one sync.
func (d *Disk) durable(last uint64) error {
	if d.synced.Load() >= last {
		return nil
	}
	d.syncing.Lock()
	defer d.syncing.Unlock()
	if d.synced.Load() >= last {
		return nil
	}
	d.change.Lock()
	entry, l, to, broken := d.pending, d.log, d.changes, d.broken
	d.pending = nil
	d.change.Unlock()
	switch {
	case broken != nil:
		return broken
	case len(entry) == 0: // a segment has them
		return nil
	}
	err := l.append(entry)
	d.change.Lock()
	defer d.change.Unlock()
	switch {
	case d.synced.Load() >= to: // a segment has them, and the log is closed
		return nil
	case err != nil:
		d.broken = fmt.Errorf("%s: nothing more is written after a failure: %w", d.dir, err)
		return err
	}
	d.synced.Store(to)
	return nil
}

// write makes changes visible, all or none of them, and leaves it to durable to
// make them last.
func (d *Disk) write(changes []change) error {
	if err := d.writable(); err != nil || len(changes) == 0 {
		return err
	}
	var entry []byte
	for _, c := range changes {
		if c.ID > maxID {
			return fmt.Errorf("%s: id %d is above %d", d.dir, c.ID, uint32(maxID))
		}
		entry = appendChange(entry, c)
	}
	if d.log == nil {
		if err := d.startLog(); err != nil {
			return err
		}
	}
	d.pending = append(d.pending, entry...)
	d.changes++
	d.mu.Lock()
	for _, c := range changes {
		d.tail.apply(c)
	}
	full := d.tail.rows >= sealRows || d.tail.bytes >= sealBytes
	d.mu.Unlock()
	if full {
		return d.seal()
	}
	return nil
}

func (d *Disk) writable() error {
	if d.broken == nil && d.lock == nil {
		return fmt.Errorf("%s: %w: the index was opened for reading", d.dir, fs.ErrPermission)
	}
	return d.broken
}

// startLog makes a log and a manifest that names it.
func (d *Disk) startLog() error {
	next := *d.m
	next.Log = strconv.Itoa(next.NextFile) + ".log"
	next.NextFile++
	l, err := createLog(filepath.Join(d.dir, next.Log))
	if err != nil {
		return err
	}
	if err := sealed.WriteManifest(d.dir, &next); err != nil {
		l.f.Close()
		return err
	}
	d.log, d.m = l, &next
	return nil
}

// seal makes a segment of the tail.
func (d *Disk) seal() error {
	if d.tail.empty() && d.m.Log == "" {
		return nil
	}
	next := *d.m
	next.Log, next.NextID = "", max(next.NextID, d.tail.next)
	var opened *segment
	if !d.tail.empty() {
		rows, oldest := d.tail.byBand(), len(d.segments) == 0
		r, err := writeSegment(d.dir, d.newName(&next), slices.Sorted(maps.Keys(rows)),
			func(band uint32) ([]row, error) { return settle(rows[band], !oldest), nil },
			func(yield func(uint32, []byte) error) error { return eachDoc(nil, d.tail, !oldest, yield) })
		if err != nil {
			return err
		}
		if opened, err = openSegment(d.dir, r); err != nil {
			return err
		}
		next.Segments = append(slices.Clone(next.Segments), r)
	}
	if err := sealed.WriteManifest(d.dir, &next); err != nil {
		return err
	}
	d.pending = nil
	d.synced.Store(d.changes)
	if d.log != nil {
		d.log.f.Close()
		d.log = nil
	}
	old := d.m.Log
	d.mu.Lock()
	d.m = &next
	if opened != nil {
		d.segments = append(d.segments, opened)
	}
	d.tail = newTail()
	d.tail.next = next.NextID
	d.mu.Unlock()
	if err := os.Remove(filepath.Join(d.dir, old)); old != "" && err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return d.joinSmall()
}

// newName takes the name of a new file.
func (d *Disk) newName(next *manifest) string {
	next.NextFile++
	return strconv.Itoa(next.NextFile - 1)
}

// insertSegment writes numbered documents as a segment.
func (d *Disk) insertSegment(docs []Document) error {
	if err := d.writable(); err != nil {
		return err
	}
	if err := d.seal(); err != nil {
		return err
	}
	next := *d.m
	if err := d.extend(&next, docs); err != nil {
		return err
	}
	return d.replace(&next, len(d.segments))
}

// extend writes numbered documents as a segment that next names.
func (d *Disk) extend(next *manifest, docs []Document) error {
	rows := map[uint32][]row{}
	for _, doc := range docs {
		for _, k := range doc.Keys {
			rows[k.Band] = append(rows[k.Band], row{k.Hash, doc.ID})
		}
	}
	d.sortBands(rows)
	r, err := writeSegment(d.dir, d.newName(next), slices.Sorted(maps.Keys(rows)),
		func(band uint32) ([]row, error) { return rows[band], nil },
		func(yield func(uint32, []byte) error) error {
			for _, doc := range docs {
				if err := yield(doc.ID, doc.Record); err != nil {
					return err
				}
			}
			return nil
		})
	if err != nil {
		return err
	}
	next.NextID = docs[len(docs)-1].ID + 1
	next.Segments = append(slices.Clone(next.Segments), r)
	return nil
}

// Batches returns how to insert documents a part at a time, and how to make all
// of the parts count at once. Nothing else may be written in between; what was
// not committed is gone.
func (d *Disk) Batches() (insert func([]Document) error, commit func() error) {
	var next *manifest
	from := 0
	insert = func(docs []Document) error {
		d.change.Lock()
		defer d.change.Unlock()
		if err := d.writable(); err != nil || len(docs) == 0 {
			return err
		}
		if next == nil {
			if err := d.seal(); err != nil {
				return err
			}
			m := *d.m
			next, from = &m, len(d.segments)
		}
		if err := number(d.dir, next.NextID, docs); err != nil {
			return err
		}
		return d.extend(next, docs)
	}
	commit = func() error {
		d.change.Lock()
		defer d.change.Unlock()
		if err := d.writable(); err != nil {
			return err
		}
		if next == nil {
			m := *d.m
			next, from = &m, len(d.segments)
		}
		if err := d.replace(next, from); err != nil {
			return err
		}
		return d.joinSmall()
	}
	return insert, commit
}

// sortBands settles the rows of all bands, several at once.
func (d *Disk) sortBands(rows map[uint32][]row) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	work := make(chan uint32)
	for range d.threads {
		wg.Go(func() {
			for band := range work {
				mu.Lock()
				r := rows[band]
				mu.Unlock()
				r = settle(r, false)
				mu.Lock()
				rows[band] = r
				mu.Unlock()
			}
		})
	}
	for _, band := range slices.Sorted(maps.Keys(rows)) {
		work <- band
	}
	close(work)
	wg.Wait()
}

// replace writes a manifest whose segments are other ones from a place on.
func (d *Disk) replace(next *manifest, from int) error {
	var opened []*segment
	fail := func(err error) error {
		for _, s := range opened {
			s.close()
		}
		return err
	}
	for _, r := range next.Segments[from:] {
		s, err := openSegment(d.dir, r)
		if err != nil {
			return fail(err)
		}
		opened = append(opened, s)
	}
	if err := sealed.WriteManifest(d.dir, next); err != nil {
		return fail(err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.segments[from:] {
		s.close()
	}
	d.m, d.segments = next, append(d.segments[:from:from], opened...)
	d.tail.next = max(d.tail.next, next.NextID)
	return nil
}

// sweep removes files that the manifest does not name.
func (d *Disk) sweep() error {
	named := map[string]bool{d.m.Log: true}
	for _, s := range d.m.Segments {
		named[s.Name+".bands"], named[s.Name+".docs"] = true, true
	}
	return sealed.Sweep(d.dir, named, ".bands", ".docs", ".log")
}
