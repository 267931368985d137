// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"errors"

	"github.com/gsketch/gsketch/formats/steps"
	"github.com/gsketch/gsketch/sketch"
)

// BandRows calls emit with the band rows of sketches, in their order, as Bands
// has them. The sketches come one after the other from each, so that no table has to
// lie in memory; so many goroutines make their keys. All have to be of the kind p.
func BandRows(o Options, p sketch.Params, each func(yield func(sketch.Item) error) error, emit func(steps.Band) error) error {
	type job struct {
		items []sketch.Item
		rows  []steps.Band
		err   error
		done  chan struct{}
	}
	const batch = 256
	jobs, order := make(chan *job), make(chan *job, 2*o.Threads)
	stop := make(chan struct{})
	defer close(stop)
	var failed error
	go func() {
		defer close(order)
		defer close(jobs)
		j := &job{done: make(chan struct{})}
		send := func() error {
			for _, to := range []chan *job{order, jobs} {
				select {
				case to <- j:
				case <-stop:
					return errStopped
				}
			}
			j = &job{done: make(chan struct{})}
			return nil
		}
		failed = each(func(it sketch.Item) error {
			if j.items = append(j.items, it); len(j.items) == batch {
				return send()
			}
			return nil
		})
		if failed == nil && len(j.items) > 0 {
			failed = send()
		}
	}()
	for range max(1, o.Threads) {
		x, err := newBanding(o.Banded(p), o.Bands, o.Rows, 0, 1)
		if err != nil {
			return err
		}
		go func() {
			for j := range jobs {
				j.rows, j.err = x.rows(o, j.items)
				close(j.done)
			}
		}()
	}
	for j := range order {
		<-j.done
		if j.err != nil {
			return j.err
		}
		for _, row := range j.rows {
			if err := emit(row); err != nil {
				return err
			}
		}
	}
	if errors.Is(failed, errStopped) {
		return nil
	}
	return failed
}

// rows are the band rows of items.
func (x *banding) rows(o Options, items []sketch.Item) ([]steps.Band, error) {
	rows := make([]steps.Band, 0, o.Bands*len(items))
	for _, it := range items {
		sig, err := signature(it, o.Slots)
		if err == nil {
			err = x.each(sig, func(t triple) error {
				rows = append(rows, steps.Band{Band: int32(t.band), Key: int64(t.key), Row: it.Meta.Row})
				return nil
			})
		}
		if err != nil {
			return nil, err
		}
	}
	return rows, nil
}
