// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"

	sketchtable "github.com/gsketch/gsketch/formats/table"
	"github.com/gsketch/gsketch/sketch"
)

// A job of one block needs the sketches of two groups. Of tables it reads the
// small columns whole, which say what there is and hold a digest of each sketch,
// and the hashes of its own groups alone.

// An unread sketch is in a table, from which only what is known of it was read.
type unread struct {
	params sketch.Params
	path   string
	row    int64
	digest [16]byte
}

func (u *unread) Params() sketch.Params { return u.params }
func (u *unread) Len() int              { return 0 }

// An unreadTable is the sketches of a table that have one Params.
type unreadTable struct {
	params sketch.Params
	metas  []sketch.Meta
	items  []unread
}

func (t *unreadTable) Params() sketch.Params  { return t.params }
func (t *unreadTable) Len() int               { return len(t.items) }
func (t *unreadTable) Meta(i int) sketch.Meta { return t.metas[i] }
func (t *unreadTable) At(i int) sketch.Sketch { return &t.items[i] }
func (t *unreadTable) Close() error           { return nil }

// loadUnread is load, of tables without the sketches.
func loadUnread(inputs []input, threads int, warn func(string)) ([]source, error) {
	return loadButTables(inputs, threads, warn, unreadTables)
}

func unreadTables(path string, threads int) (all []sketch.Collection, err error) {
	err = withTable(path, func(f *os.File, size int64) error {
		t, err := sketchtable.Open(f, size, path, sketchtable.ReadOptions{Threads: threads, SmallColumns: true})
		if err != nil {
			return err
		}
		at := map[sketch.Params]*unreadTable{}
		for _, e := range t.Entries() {
			c := at[e.Params]
			if c == nil {
				c = &unreadTable{params: e.Params}
				at[e.Params] = c
				all = append(all, c)
			}
			c.metas = append(c.metas, e.Meta)
			c.items = append(c.items, unread{e.Params, path, e.Meta.Row, e.Digest})
		}
		return nil
	})
	return all, err
}

// readUnread reads those among items that are unread.
func readUnread(items []sketch.Item, threads int) error {
	wanted := map[string]map[int64][]int{} // places in items, by path and row
	for i, it := range items {
		if u, ok := it.Sketch.(*unread); ok {
			if wanted[u.path] == nil {
				wanted[u.path] = map[int64][]int{}
			}
			wanted[u.path][u.row] = append(wanted[u.path][u.row], i)
		}
	}
	for path, rows := range wanted {
		want := func(row int64) bool { return rows[row] != nil }
		if err := withTable(path, func(f *os.File, size int64) error {
			return sketchtable.Each(f, size, path, sketchtable.ReadOptions{Threads: threads, Want: want}, func(it sketch.Item) error {
				for _, i := range rows[it.Meta.Row] {
					items[i].Sketch = it.Sketch
				}
				return nil
			})
		}); err != nil {
			return err
		}
	}
	return nil
}
