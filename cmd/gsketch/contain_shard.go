// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

const (
	containMagic = "#gsketch-contain"
	containPiece = "a shard's result of gsketch contain"
)

func (o *containOptions) checkShards() error {
	return o.shardOptions.check(o.flags, "gsketch contain", map[string]string{
		"winner-take-all": "which reference a hash belongs to is known of all shards together alone; run it with the references that were found",
		"html":            "the page is of the whole table",
		"save-found":      "what one shard has is not what all have",
		"save-left":       "what one shard lacks is not what all lack",
	})
}

// writeShard writes what is found as a piece: a row for each sample. Samples are
// streamed, so what must be equal in all shards is known at the end alone: the
// seal is a digest of them.
func (s *screening) writeShard(ctx context.Context, samples []source, form containFormat, warn func(string), w io.Writer) error {
	var head bytes.Buffer
	if err := form.head(s, &head); err != nil {
		return err
	}
	of, err := collectionDigest(s.refs, nil)
	if err != nil {
		return err
	}
	p, err := beginPiece(w, containMagic, s.o.shard, s.job(), head.Bytes(), of)
	if err != nil {
		return err
	}
	seal, row := newJobDigest(), 0
	var rows bytes.Buffer
	if err := s.reader.each(ctx, samples, s.o.threads, warn, func(x sample) error {
		rows.Reset()
		if err := form.sample(s, x, &rows); err != nil {
			return err
		}
		fmt.Fprintf(seal, "%q\n", x.paths)
		seal.item(x.item)
		row++
		return p.write(row-1, "", rows.Bytes())
	}); err != nil {
		return err
	}
	return p.end(seal.String())
}

// job is a digest of what is asked of all shards.
func (s *screening) job() string {
	o := s.o
	d := newJobDigest()
	fmt.Fprintf(d, "contain %s %q %t %v %v %t %v %t %d %q\n", o.format, o.merge, o.all,
		o.minShare, o.minANI, o.flags.Changed("min-ani"), o.maxP, o.flags.Changed("max-p"), o.minShared, o.threshold)
	return d.String()
}

// mergeShards joins what the shards of a search for genomes wrote.
func (o *containOptions) mergeShards(cmd *cobra.Command, args []string, warn func(string)) error {
	return o.shardOptions.merge(cmd, &o.lookupOptions, args, containMagic, containPiece, warn, func(pieces []*piece, w io.Writer) error {
		if err := mergeRows(pieces, w); err != nil {
			return err
		}
		for _, p := range pieces[1:] {
			if p.seal != pieces[0].seal {
				return usagef("%s and %s were looked for in other samples, or ones sketched otherwise", pieces[0].path, p.path)
			}
		}
		return nil
	})
}
