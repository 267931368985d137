// SPDX-License-Identifier: Apache-2.0

package ingest

import (
	"context"
	"fmt"

	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

// CountElements counts in how many documents each element occurs, so that
// those in many can be left out as boilerplate. Counts take up to memory bytes
// before they spill to disk. With opts.KeepGoing, inputs that fail are left
// from there on, as RunTexts leaves them.
func CountElements(ctx context.Context, e sketch.Elements, h sketch.Hash, texts Texts, opts Options, paths []string, memory int64) (*shingle.Frequencies, error) {
	if texts.Corpus.Kind == corpus.Sets {
		return nil, fmt.Errorf("sets have no boilerplate")
	}
	if _, err := shingle.New(e, Base(h), nil); err != nil {
		return nil, err
	}
	f := shingle.NewFrequencies(memory)
	t := &textRun{texts: texts, opts: opts, left: map[string]bool{}, emit: func(Result) error { return nil }}
	err := t.inOrder(ctx, paths, func() textWorker {
		s, _ := shingle.New(e, Base(h), nil) // it could be made above
		return func(batch corpus.Batch) func() error {
			type counted struct {
				path   string
				hashes []uint64
			}
			var docs []counted
			err := batch(func(d *corpus.Document) error {
				s.Reset(d.Text)
				all, err := shingle.AppendAll(nil, s)
				docs = append(docs, counted{d.Source, all})
				return err
			})
			return func() error {
				for _, d := range docs {
					if t.left[d.path] {
						continue
					}
					if err := f.Add(d.hashes); err != nil {
						return err
					}
				}
				return t.take(nil, err)
			}
		}
	})
	return f, err
}
