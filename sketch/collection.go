// SPDX-License-Identifier: Apache-2.0

package sketch

import "fmt"

// Meta is what is known of a sketched input beside its sketch.
type Meta struct {
	Row             int64  // key in the native table: dense from the file's row_base
	ID              string // name; empty when unset; need not be unique
	Source          string // path as typed; "-" or "" for standard input
	Comment         string // Mash: "NAME COMMENT" of the first record, "[n seqs] ... [...]" around it for n > 1
	Length          uint64 // bases or characters, of records of at least k letters; an estimate if LengthEstimated
	LengthEstimated bool   // Length was estimated from the sketch (reads) or given by the user
	PerRecord       bool   // the sketch is of one record of its source
	Records         uint64 // records of at least k letters; 0 if not known
	Count           uint64 // elements hashed, duplicates counted; 0 if not known
}

// Label is what to call the sketch in a table: ID, else Source.
func (m Meta) Label() string {
	if m.ID != "" {
		return m.ID
	}
	return m.Source
}

// An Item is a sketch with what is known of its input.
type Item struct {
	Meta   Meta
	Sketch Sketch
}

// A Collection is a named, ordered set of sketches with one Params. Its
// manifest is in memory; values may be mapped from disk. At returns a view,
// valid until Close. Reading is safe for concurrent use.
type Collection interface {
	Params() Params
	Len() int
	Meta(i int) Meta
	At(i int) Sketch
	Close() error
}

// A List is a Collection in memory. All its sketches have its Params.
type List struct {
	params Params
	items  []Item
}

// NewList returns a collection of items; each must have been made with p.
func NewList(p Params, items []Item) (*List, error) {
	for i := range items {
		if q := items[i].Sketch.Params(); q != p {
			return nil, fmt.Errorf("sketch %d (%s): made with %s, the collection with %s", i, items[i].Meta.Label(), q, p)
		}
	}
	return &List{params: p, items: items}, nil
}

func (l *List) Params() Params  { return l.params }
func (l *List) Len() int        { return len(l.items) }
func (l *List) Meta(i int) Meta { return l.items[i].Meta }
func (l *List) At(i int) Sketch { return l.items[i].Sketch }
func (l *List) Close() error    { return nil }

// Group sorts items into one List per Params, in order of first appearance;
// within a list the order of items stays.
func Group(items []Item) []*List {
	var lists []*List
	at := map[Params]int{}
	for _, it := range items {
		p := it.Sketch.Params()
		i, ok := at[p]
		if !ok {
			i = len(lists)
			at[p] = i
			lists = append(lists, &List{params: p})
		}
		lists[i].items = append(lists[i].items, it)
	}
	return lists
}
