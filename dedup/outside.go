// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gsketch/gsketch/formats/steps"
)

// judge keeps an edge that is similar enough, and notes what is to be reviewed.
// Two references are not compared: what is known stays as it is.
func (p *pipeline) judge(e Edge) {
	t := p.opts.Threshold
	if p.docs.isNew(e.A) == 0 && p.docs.isNew(e.B) == 0 {
		return
	}
	if e.Similarity >= t || p.opts.VerifyCmd != "" && !p.commanded {
		p.edges = append(p.edges, e)
	}
	if e.Low < t && t <= e.High || math.Abs(e.Similarity-t) < p.opts.Margin {
		p.review = append(p.review, e)
	}
}

// readGiven takes pairs from outside: those with a similarity as edges, the others
// as candidates. Rows are those of the corpus.
func (p *pipeline) readGiven() error {
	for _, path := range p.opts.Edges {
		n, err := p.takeGiven(path)
		if err != nil {
			return err
		}
		p.Counts.Given += n
	}
	return nil
}

// takeGiven takes the pairs of a table and counts them. They become candidates,
// and those that have been judged keep their similarity.
func (p *pipeline) takeGiven(path string) (n int, err error) {
	for e, err := range steps.ReadEdges(path) {
		if err != nil {
			return n, err
		}
		var pair [2]uint32
		for i, row := range []int64{e.A, e.B} {
			if pair[i], err = p.rowOf(row); err != nil {
				return n, fmt.Errorf("%s: %w", path, err)
			}
		}
		n++
		a, b := min(pair[0], pair[1]), max(pair[0], pair[1])
		if a == b {
			continue // copies of each other
		}
		if e.Jaccard != nil {
			p.give(a, b, *e.Jaccard)
		}
		if err := p.pairs.add(triple{key: uint64(a)<<32 | uint64(b)}); err != nil {
			return n, err
		}
	}
	return n, nil
}

// rowOf is the place of a row of a table.
func (p *pipeline) rowOf(r int64) (uint32, error) {
	if p.sketches != nil {
		return p.sketches.ordinal(r)
	}
	if r >= int64(len(p.docs.ids)-p.docs.known) {
		return 0, fmt.Errorf("row %d: %w", r, ErrRows)
	}
	return p.docs.first[int64(p.docs.known)+r], nil
}

// give enters what another says of a pair; what is said last holds.
func (p *pipeline) give(a, b uint32, similarity float64) {
	if p.given == nil {
		p.given = map[[2]uint32]float64{}
	}
	p.given[[2]uint32{a, b}] = similarity
}

// An overruled Comparer has the similarities of some pairs from outside.
type overruled struct {
	Comparer
	given map[[2]uint32]float64
}

func (c overruled) Compare(a, b uint32) (Edge, error) {
	e, err := c.Comparer.Compare(a, b)
	if v, ok := c.given[[2]uint32{a, b}]; ok {
		e.Similarity, e.Low, e.High = v, v, v
	}
	return e, err
}

// comparer compares pairs, where others have judged them as they have.
func (p *pipeline) comparer() Comparer {
	if c := p.newComparer(); p.given == nil {
		return c
	} else {
		return overruled{c, p.given}
	}
}

// ErrCommand is returned for a command that failed to judge pairs.
var ErrCommand = errors.New("the command that verifies failed")

// command hands the pairs that have been compared, whatever came of it, to a command, as a
// table of edges, and takes the edges that it writes instead.
func (p *pipeline) command(ctx context.Context) (int, error) {
	defer func() { p.Counts.Edges = len(p.edges) }()
	dir, err := os.MkdirTemp("", "gsketch-verify-*")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	in, out := filepath.Join(dir, "pairs.parquet"), filepath.Join(dir, "edges.parquet")
	if err := p.writeCompared(in); err != nil {
		return 0, err
	}
	p.edges, p.review = nil, nil
	words := strings.Fields(p.opts.VerifyCmd)
	p.commanded = true
	c := exec.CommandContext(ctx, words[0], append(words[1:], in, out)...)
	c.Stdout, c.Stderr = os.Stderr, os.Stderr
	if err := c.Run(); err != nil {
		return 0, fmt.Errorf("%s: %w: %v", p.opts.VerifyCmd, ErrCommand, err)
	}
	err = p.takeVerdicts(out)
	return len(p.edges), err
}

// takeVerdicts makes edges of what the command wrote.
func (p *pipeline) takeVerdicts(path string) error {
	for e, err := range steps.ReadEdges(path) {
		if err != nil {
			return fmt.Errorf("%s: %w", p.opts.VerifyCmd, err)
		}
		a, err := p.rowOf(e.A)
		if err != nil {
			return fmt.Errorf("%s: %w", p.opts.VerifyCmd, err)
		}
		b, err := p.rowOf(e.B)
		if err != nil {
			return fmt.Errorf("%s: %w", p.opts.VerifyCmd, err)
		}
		if a, b = min(a, b), max(a, b); a == b || e.Jaccard == nil {
			return fmt.Errorf("%s: %w: rows %d and %d have no similarity, or are copies", p.opts.VerifyCmd, ErrCommand, e.A, e.B)
		}
		v := *e.Jaccard
		p.give(a, b, v)
		p.judge(Edge{A: a, B: b, Similarity: v, Low: v, High: v})
	}
	return nil
}

// writeCompared writes the pairs that have been compared.
func (p *pipeline) writeCompared(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	t := steps.NewWriter[steps.Edge](f)
	for _, e := range p.edges {
		err := t.Write(steps.Edge{A: p.docs.row(e.A), B: p.docs.row(e.B), Jaccard: &e.Similarity, ContainmentAB: known(e.AB), ContainmentBA: known(e.BA)})
		if err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return f.Close()
}

// isGiven says whether the similarity of two rows comes from outside.
func (r *Result) isGiven(a, b uint32) bool {
	a, b = r.docs.first[a], r.docs.first[b]
	_, ok := r.given[[2]uint32{min(a, b), max(a, b)}]
	return ok
}
