// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gsketch/gsketch/internal/sealed"
	"github.com/gsketch/gsketch/sketch"
)

// A shard is one of n parts of a collection of references, each with a job, a
// machine and a file of its own. What the jobs write is pieces; --merge-shards
// joins them into what one job with all references, in the order of the shards,
// would have written.
type shardOptions struct {
	shard string // "I/N"
	join  bool
}

func (o *shardOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.shard, "shard", "", "the references are shard I of N of a collection: I/N, 0 <= I < N; write what --merge-shards joins")
	f.BoolVar(&o.join, "merge-shards", false, "the inputs are what --shard wrote of all shards: join them into what one job with all references would have written")
}

// check refuses what does not go with shards: flags by name.
func (o *shardOptions) check(flags *pflag.FlagSet, with string, not map[string]string) error {
	if o.shard != "" && o.join {
		return usagef("--shard and --merge-shards exclude each other")
	}
	if o.shard != "" {
		if _, _, err := parseShard(o.shard); err != nil {
			return err
		}
		for name, why := range not {
			if flags.Changed(name) {
				return usagef("--%s cannot be had of shards: %s", name, why)
			}
		}
	}
	if !o.join {
		return nil
	}
	var err error
	flags.Visit(func(f *pflag.Flag) {
		if !slices.Contains([]string{"merge-shards", "output", "force", "quiet", "threads", "infile-list", "recursive"}, f.Name) && err == nil {
			err = usagef("--%s: --merge-shards takes nothing but files, which know what was asked for; give it to the jobs of %s", f.Name, with)
		}
	})
	return err
}

// parseShard reads "i/n".
func parseShard(s string) (i, n int, err error) {
	a, b, _ := strings.Cut(s, "/")
	i, err1 := strconv.Atoi(a)
	n, err2 := strconv.Atoi(b)
	if err1 != nil || err2 != nil || i < 0 || n <= i || n > 1<<20 {
		return 0, 0, usagef("--shard %s: I/N is expected, 0 <= I < N", s)
	}
	return i, n, nil
}

// collectionDigest is of references, so that one collection is not taken for
// two shards: of items, or of indexes by their manifests.
func collectionDigest(items []sketch.Item, dirs []string) (string, error) {
	d := newJobDigest()
	for _, it := range items {
		d.item(it)
	}
	for _, dir := range dirs {
		if isRedis(dir) {
			d.Write([]byte(dir))
			continue
		}
		manifest, err := sealed.ManifestBytes(dir)
		if err != nil {
			return "", err
		}
		d.Write(manifest)
	}
	return d.String(), nil
}

// openShards opens the pieces of all shards of one job, in their order.
func openShards(paths []string, magic, what string) (pieces []*piece, err error) {
	defer func() {
		if err != nil {
			closePieces(pieces)
		}
	}()
	number := map[*piece]int{}
	n := 0
	for _, path := range paths {
		p, err := openPiece(path, magic, what)
		if err != nil {
			return pieces, err
		}
		pieces = append(pieces, p)
		i, of, err := parseShard(p.place)
		if err != nil || len(p.more) < 1 {
			return pieces, p.fail(fmt.Errorf("damaged: its first line names no shard"))
		}
		if first := pieces[0]; p != first && (p.job != first.job || of != n || p.head != first.head || !slices.Equal(p.more[1:], first.more[1:])) {
			return pieces, usagef("%s and %s are not of one job: queries, options, versions and number of shards must be the same", first.path, path)
		}
		number[p], n = i, of
		for _, other := range pieces[:len(pieces)-1] {
			if number[other] == i {
				return pieces, usagef("shard %s is given twice: %s and %s", p.place, other.path, path)
			}
			if other.more[0] == p.more[0] {
				return pieces, usagef("%s and %s were looked up in the same references", other.path, path)
			}
		}
	}
	slices.SortFunc(pieces, func(a, b *piece) int { return cmp.Compare(number[a], number[b]) })
	for i := range n {
		if i == len(pieces) || number[pieces[i]] != i {
			return pieces, usagef("shard %d/%d is missing", i, n)
		}
	}
	return pieces, nil
}

// merge joins the pieces that the arguments name into the output.
func (o *shardOptions) merge(cmd *cobra.Command, l *lookupOptions, args []string, magic, what string, warn func(string), join func([]*piece, io.Writer) error) error {
	inputs, err := l.expand(args, warn)
	if err != nil {
		return err
	}
	paths := make([]string, len(inputs))
	for i, in := range inputs {
		paths[i] = in.path
	}
	if err := keepInputs([]string{l.output}, inputs); err != nil {
		return err
	}
	out, err := create(l.output, cmd.OutOrStdout(), l.force)
	if err != nil {
		return err
	}
	defer out.discard()
	pieces, err := openShards(paths, magic, what)
	if err != nil {
		return err
	}
	defer closePieces(pieces)
	if _, err := io.WriteString(out, pieces[0].head); err != nil {
		return err
	}
	if err := join(pieces, out); err != nil {
		return err
	}
	return out.commit()
}

// rankKey stands before the lines of a hit of a ranked piece: the number of the
// hit among those of its query, and its score, exactly.
func rankKey(rank int, score float64) string {
	return strconv.Itoa(rank) + "\t" + strconv.FormatFloat(score, 'g', -1, 64) + "\t"
}

// A ranked is a piece whose rows are hits of queries, best first.
type ranked struct {
	*piece
	rank  int
	score float64
	text  []byte // the line without its key
}

// parse reads the key of the line at hand.
func (r *ranked) parse() error {
	if r.row < 0 {
		return nil
	}
	cells := bytes.SplitN(r.line, []byte("\t"), 3)
	bad := r.fail(fmt.Errorf("damaged: a line without its rank"))
	if len(cells) < 3 {
		return bad
	}
	var err1, err2 error
	r.rank, err1 = strconv.Atoi(string(cells[0]))
	r.score, err2 = strconv.ParseFloat(string(cells[1]), 64)
	r.text = cells[2]
	if err1 != nil || err2 != nil || math.IsNaN(r.score) {
		return bad
	}
	return nil
}

// next goes to the next line and sees that hits are in order.
func (r *ranked) next() error {
	row, rank, score := r.row, r.rank, r.score
	if err := r.piece.next(); err != nil {
		return err
	}
	if err := r.parse(); err != nil {
		return err
	}
	if r.row == row && (r.score > score || r.rank != rank && r.rank != rank+1) {
		return r.fail(fmt.Errorf("damaged: hits are out of order"))
	}
	return nil
}

// mergeRanked writes the best hits of each query, top of them or all if it is 0.
// Among equals those of the earlier shard come first: that is the order in one
// collection.
func mergeRanked(pieces []*piece, top int, w io.Writer) error {
	all := make([]*ranked, len(pieces))
	for i, p := range pieces {
		all[i] = &ranked{piece: p}
		if err := all[i].parse(); err != nil {
			return err
		}
	}
	for {
		row := firstRow(pieces)
		if row < 0 {
			return nil
		}
		for n := 0; ; n++ {
			var best *ranked
			for _, r := range all {
				if r.row == row && (best == nil || r.score > best.score) {
					best = r
				}
			}
			if best == nil {
				break
			}
			if err := best.hit(row, top == 0 || n < top, w); err != nil {
				return err
			}
		}
	}
}

// hit writes, or passes over, the lines of the hit at hand.
func (r *ranked) hit(row int, wanted bool, w io.Writer) error {
	for rank := r.rank; r.row == row && r.rank == rank; {
		if wanted {
			if _, err := w.Write(r.text); err != nil {
				return err
			}
		}
		if err := r.next(); err != nil {
			return err
		}
	}
	return nil
}
