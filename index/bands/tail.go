// SPDX-License-Identifier: Apache-2.0

package bands

import (
	"slices"

	"github.com/gsketch/gsketch/lsh"
)

// A tail is what is in no segment yet: the last word on each id in a bucket, and
// on each document.
type tail struct {
	added, removed *lsh.MemStore
	docs           map[uint32][]byte // nil: removed
	rows           int               // changes of buckets
	bytes          int
	next           uint32 // above all ids
}

func newTail() *tail {
	return &tail{added: lsh.NewMemStore(), removed: lsh.NewMemStore(), docs: map[uint32][]byte{}}
}

func (t *tail) apply(c change) {
	into, from := t.added, t.removed
	if c.remove {
		into, from = from, into
	}
	ids := slices.Repeat([]uint32{c.ID}, len(c.Keys))
	_ = from.Delete(c.Keys, ids) // in memory: never fails
	_ = into.Put(c.Keys, ids)
	if c.document {
		t.docs[c.ID] = c.Record // nil where it is removed
	}
	t.rows += len(c.Keys)
	t.bytes += len(c.Record)
	t.next = max(t.next, c.ID+1)
}

func (t *tail) empty() bool { return t.rows == 0 && len(t.docs) == 0 }

// byBand lists the rows of a tail, settled.
func (t *tail) byBand() map[uint32][]row {
	rows := map[uint32][]row{}
	t.added.Each(func(k lsh.Key, id uint32) { rows[k.Band] = append(rows[k.Band], row{k.Hash, id}) })
	t.removed.Each(func(k lsh.Key, id uint32) { rows[k.Band] = append(rows[k.Band], row{k.Hash, id | gone}) })
	return rows
}

// changesOf lists changes by key and id as Put and Delete have them.
func changesOf(keys []lsh.Key, ids []uint32, remove bool) []change {
	var list []change
	for i, k := range keys {
		if n := len(list); n == 0 || list[n-1].ID != ids[i] {
			list = append(list, change{remove: remove, Document: Document{ID: ids[i]}})
		}
		last := &list[len(list)-1]
		last.Keys = append(last.Keys, k)
	}
	return list
}
