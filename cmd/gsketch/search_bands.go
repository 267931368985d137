// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/index/bands"
	"github.com/gsketch/gsketch/sketch"
)

// searchBands looks queries up in an index of bands.
func (o *searchOptions) searchBands(ctx context.Context, cmd *cobra.Command, ref string, args []string) error {
	warn := warner(cmd.ErrOrStderr())
	if o.format != "tsv" {
		return usagef("--format %s: an index of bands has no md5 sums; tsv", o.format)
	}
	if o.measure != "" {
		return usagef("--measure %s: an index of bands has the one measure of its sketches", o.measure)
	}
	named, err := o.expand(args, warn)
	if err != nil {
		return err
	}
	x, err := openBands(ctx, ref)
	if err != nil {
		return err
	}
	defer x.Close()
	sources, err := o.text.load(named, x.Params(), o.threads, warn)
	if err != nil {
		return err
	}
	queries, err := o.slotItems(ctx, sources, &o.text, x.Params(), o.threads, warn)
	if err != nil {
		return err
	}
	out, err := create(o.output, cmd.OutOrStdout(), o.force)
	if err != nil {
		return err
	}
	defer out.discard()
	columns := "query reference similarity shared of"
	if o.ci {
		columns = "query reference similarity similarity_low similarity_high shared of"
	}
	var head bytes.Buffer
	if err := line(&head, strings.Fields(columns)); err != nil {
		return err
	}
	hits, err := o.hits(out, head.Bytes(), func() (job, of string, err error) {
		of, err = collectionDigest(nil, []string{ref})
		return o.job(queries, fmt.Sprint(x.Config())), of, err
	})
	if err != nil {
		return err
	}
	for i, q := range queries {
		if err := o.bandRows(cmd, x, q, func(rank int, score float64, text []byte) error { return hits.write(i, rank, score, text) }); err != nil {
			return err
		}
	}
	if err := hits.end(); err != nil {
		return err
	}
	return out.commit()
}

// bandRows yields what is like a query, best first.
func (o *searchOptions) bandRows(cmd *cobra.Command, x *bands.Index, q sketch.Item, yield func(rank int, score float64, text []byte) error) error {
	query := q.Sketch.(sketch.Signature)
	hits, err := x.Search(query, o.threshold, confidence)
	if err != nil {
		return err
	}
	if found := len(hits); o.top > 0 && found > o.top {
		hits = hits[:o.top]
		o.note(cmd.ErrOrStderr(), "%s: truncated to %d of %d that are like it", field(q.Meta.Label()), o.top, found)
	}
	var text bytes.Buffer
	for rank, h := range hits {
		text.Reset()
		cells := []string{field(q.Meta.Label()), field(h.Item.Meta.Label()), string(appendValue(nil, h.Similarity.Value))}
		if o.ci {
			cells = append(cells, string(appendValue(nil, h.Similarity.Low)), string(appendValue(nil, h.Similarity.High)))
		}
		if err := line(&text, append(cells, csvUint(h.Shared(query)), csvUint(uint64(query.Len())))); err != nil {
			return err
		}
		if err := yield(rank, h.Similarity.Value, text.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
