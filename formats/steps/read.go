// SPDX-License-Identifier: Apache-2.0

package steps

import (
	"errors"
	"fmt"
	"iter"

	"github.com/gsketch/gsketch/formats/columns"
)

// rows yields what decode makes of each row of a table.
func rows[T any](path string, choose func(*columns.Table) (decode func() (T, error), err error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		t, err := columns.Open(path, nil)
		if err != nil {
			yield(none, err)
			return
		}
		defer t.Close()
		decode, err := choose(t)
		if err != nil {
			yield(none, err)
			return
		}
		for {
			ok, err := t.Next()
			if err == nil && !ok {
				return
			}
			var row T
			if err == nil {
				if row, err = decode(); err != nil {
					err = t.Fail(err)
				}
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// integers chooses columns of integers.
func integers(t *columns.Table, names ...string) (func(dst ...*int64) error, error) {
	var all []*columns.Column
	for _, name := range names {
		c, err := t.Column(name, columns.Int64, columns.Int32)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return func(dst ...*int64) error {
		for i, c := range all {
			v, err := c.Int()
			if err != nil {
				return fmt.Errorf("column %q: %w", names[i], err)
			}
			*dst[i] = v
		}
		return nil
	}, nil
}

// share chooses a column of numbers in [0, 1], which may be null or absent.
func share(t *columns.Table, name string) (func() (*float64, error), error) {
	if !t.Has(name) {
		return func() (*float64, error) { return nil, nil }, nil
	}
	c, err := t.Column(name, columns.Double, columns.Float)
	return func() (*float64, error) {
		v, err := c.Float()
		switch {
		case errors.Is(err, columns.ErrNull):
			return nil, nil
		case err != nil:
			return nil, err
		case !(v >= 0 && v <= 1):
			return nil, fmt.Errorf("column %q: %v is outside [0, 1]", name, v)
		}
		return &v, nil
	}, err
}

// ordered checks a pair of rows.
func ordered(a, b int64) error {
	if a < 0 || a >= b {
		return fmt.Errorf("a = %d, b = %d: 0 <= a < b is expected", a, b)
	}
	return nil
}

// ReadCandidates yields the rows of a table of candidates. All that these
// functions yield has been checked; errors are *sketch.InputError.
func ReadCandidates(path string) iter.Seq2[Candidate, error] {
	return rows(path, func(t *columns.Table) (func() (Candidate, error), error) {
		pair, err := integers(t, "a", "b")
		return func() (Candidate, error) {
			var c Candidate
			if err := pair(&c.A, &c.B); err != nil {
				return c, err
			}
			return c, ordered(c.A, c.B)
		}, err
	})
}

// ReadEdges yields the rows of a table of edges.
func ReadEdges(path string) iter.Seq2[Edge, error] {
	return rows(path, func(t *columns.Table) (func() (Edge, error), error) {
		pair, err := integers(t, "a", "b")
		if err != nil {
			return nil, err
		}
		var shares [3]func() (*float64, error)
		for i, name := range []string{"jaccard", "containment_ab", "containment_ba"} {
			if shares[i], err = share(t, name); err != nil {
				return nil, err
			}
		}
		return func() (Edge, error) {
			var e Edge
			if err := pair(&e.A, &e.B); err != nil {
				return e, err
			}
			for i, dst := range []**float64{&e.Jaccard, &e.ContainmentAB, &e.ContainmentBA} {
				var err error
				if *dst, err = shares[i](); err != nil {
					return e, err
				}
			}
			return e, ordered(e.A, e.B)
		}, nil
	})
}

// ReadBands yields the rows of a table of bands.
func ReadBands(path string) iter.Seq2[Band, error] {
	return rows(path, func(t *columns.Table) (func() (Band, error), error) {
		all, err := integers(t, "band", "key", "row")
		return func() (Band, error) {
			var b Band
			var band int64
			if err := all(&band, &b.Key, &b.Row); err != nil {
				return b, err
			}
			if b.Band = int32(band); band < 0 || int64(b.Band) != band || b.Row < 0 {
				return b, fmt.Errorf("band %d, row %d: neither is negative or too large", band, b.Row)
			}
			return b, nil
		}, err
	})
}

// ReadSignatures yields the rows of a table of signatures. Slots is valid until
// the next row. Of the values nothing is checked but that they are there.
func ReadSignatures(path string) iter.Seq2[Signature, error] {
	return rows(path, func(t *columns.Table) (func() (Signature, error), error) {
		row, err := integers(t, "row")
		if err != nil {
			return nil, err
		}
		params, err := t.Column("params", columns.Strings)
		if err != nil {
			return nil, err
		}
		slots, err := t.Column("signature", columns.Strings)
		var text []byte
		var s Signature
		return func() (Signature, error) {
			if err := row(&s.Row); err != nil {
				return s, err
			}
			if s.Row < 0 {
				return s, fmt.Errorf("row %d is negative", s.Row)
			}
			var err error
			if text, err = params.Append(text[:0]); err != nil {
				return s, fmt.Errorf("column %q: %w", "params", err)
			}
			if string(text) != s.Params { // one string for all rows of a kind
				s.Params = string(text)
			}
			if s.Slots, err = slots.Append(s.Slots[:0]); err != nil {
				return s, fmt.Errorf("column %q: %w", "signature", err)
			}
			return s, nil
		}, err
	})
}

// A Verdict is what a manifest says of a document, of what people may change:
// the columns that Verdicts reads.
type Verdict struct {
	Row  int64
	ID   string
	Keep bool
}

// ReadVerdicts yields the verdicts of a manifest.
func ReadVerdicts(path string) iter.Seq2[Verdict, error] {
	return rows(path, func(t *columns.Table) (func() (Verdict, error), error) {
		row, err := integers(t, "row")
		if err != nil {
			return nil, err
		}
		id, err := t.Column("id", columns.Strings)
		if err != nil {
			return nil, err
		}
		keep, err := t.Column("keep", columns.Bool)
		return func() (Verdict, error) {
			var v Verdict
			if err := row(&v.Row); err != nil {
				return v, err
			}
			name, err := id.Append(nil)
			if err != nil {
				return v, fmt.Errorf("column %q: %w", "id", err)
			}
			v.ID = string(name)
			k, err := keep.Value()
			if err != nil {
				return v, fmt.Errorf("column %q: %w", "keep", err)
			}
			v.Keep = k[0] != 0
			return v, nil
		}, err
	})
}
