// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/sketch"
)

const (
	searchMagic = "#gsketch-search"
	searchPiece = "a shard's result of gsketch search"
)

// hits is where what was found is written: the rows as they are or, of a shard,
// a ranked piece.
type hits struct {
	w     io.Writer
	piece *pieceWriter
}

// hits begins the output. digests are asked for of a shard alone.
func (o *searchOptions) hits(w io.Writer, head []byte, digests func() (job, of string, err error)) (*hits, error) {
	if o.shard == "" {
		_, err := w.Write(head)
		return &hits{w: w}, err
	}
	job, of, err := digests()
	if err != nil {
		return nil, err
	}
	p, err := beginPiece(w, searchMagic, o.shard, job, head, of, strconv.Itoa(o.top))
	return &hits{piece: p}, err
}

func (h *hits) write(query, rank int, score float64, text []byte) error {
	if h.piece == nil {
		_, err := h.w.Write(text)
		return err
	}
	return h.piece.write(query, rankKey(rank, score), text)
}

func (h *hits) end() error {
	if h.piece == nil {
		return nil
	}
	return h.piece.end()
}

// kind is what several indexes must have in common to be searched together.
func (s *searching) kind() string {
	if s.indexes == nil {
		return "sketches"
	}
	return "index of " + s.indexes[0].Params().String()
}

// job is a digest of what all shards of a search, of collections of one kind,
// have in common.
func (o *searchOptions) job(queries []sketch.Item, kind string) string {
	d := newJobDigest()
	fmt.Fprintf(d, "search %s %q %v %v %d %t %t %s\n", o.format, o.measure, o.threshold, o.minANI, o.top, o.flat, o.ci, kind)
	for _, q := range queries {
		d.item(q)
	}
	return d.String()
}

// mergeShards joins what the shards of a search wrote.
func (o *searchOptions) mergeShards(cmd *cobra.Command, args []string, warn func(string)) error {
	return o.shardOptions.merge(cmd, &o.lookupOptions, args, searchMagic, searchPiece, warn, func(pieces []*piece, w io.Writer) error {
		top, err := strconv.Atoi(pieces[0].more[len(pieces[0].more)-1])
		if err != nil || top < 0 || len(pieces[0].more) != 2 {
			return pieces[0].fail(fmt.Errorf("damaged: its first line"))
		}
		return mergeRanked(pieces, top, w)
	})
}
