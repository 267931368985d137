// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/index/bands"
	"github.com/gsketch/gsketch/lsh/redisstore"
	"github.com/gsketch/gsketch/sketch"
)

// isRedis says whether a reference is an index on a Redis server.
func isRedis(ref string) bool {
	return strings.HasPrefix(ref, "redis://") || strings.HasPrefix(ref, "rediss://")
}

// redisOptions reads a reference; what a URL must not say is refused.
func redisOptions(ref string, more ...string) (redisstore.Options, error) {
	o, err := redisstore.ParseURL(ref)
	if err != nil {
		return o, usagef("%s: %v", withoutUser(ref), err)
	}
	left := url.Values{}
	for name, value := range o.Query {
		left[name] = value
	}
	for _, name := range more {
		left.Del(name)
	}
	for name := range left {
		return o, usagef("%s: no option %q; there are db, patience, layout and bands", ref, name)
	}
	return o, nil
}

// withoutUser keeps passwords out of messages.
func withoutUser(ref string) string {
	scheme, rest, _ := strings.Cut(ref, "://")
	if at := strings.LastIndex(rest, "@"); at >= 0 {
		rest = rest[at+1:]
	}
	return scheme + "://" + rest
}

func openRedis(ctx context.Context, ref string) (bands.Backend, error) {
	o, err := redisOptions(ref)
	if err != nil {
		return nil, err
	}
	return redisstore.Open(ctx, o)
}

func createRedis(ctx context.Context, ref string, c bands.Config) (bands.Backend, error) {
	o, err := redisOptions(ref)
	if err != nil {
		return nil, err
	}
	return redisstore.Create(ctx, o, c)
}

// isDatasketch says whether a reference is an index in the layout of datasketch.
func isDatasketch(ref string) bool {
	u, err := url.Parse(ref)
	return isRedis(ref) && err == nil && u.Query().Get("layout") == "datasketch"
}

// openDatasketch connects to an index in the layout of datasketch, in which
// signatures made with p are cut as the reference says.
func openDatasketch(ctx context.Context, ref string, p sketch.Params) (*redisstore.Datasketch, error) {
	o, err := redisOptions(ref, "layout", "bands")
	if err != nil {
		return nil, err
	}
	cut := bandOptions{bands: o.Query.Get("bands")}
	if cut.bands == "" {
		return nil, usagef("%s: datasketch does not store how signatures are cut: say &bands=B,R, as lsh.b and lsh.r there", ref)
	}
	c, err := cut.config(p)
	if err != nil {
		return nil, err
	}
	return redisstore.OpenDatasketch(ctx, o, c)
}

// fillDatasketch adds sketches by name to an index in the layout of datasketch.
func (o *indexOptions) fillDatasketch(ctx context.Context, cmd *cobra.Command, ref string, inputs []input) error {
	if cmd.Flags().Changed("unless") || cmd.Flags().Changed("bands") {
		return usagef("--unless and --bands are not for the layout of datasketch, which keeps neither signatures nor their cut")
	}
	warn := warner(cmd.ErrOrStderr())
	items, p, err := o.slotsOf(ctx, inputs, warn)
	if err != nil {
		return err
	}
	d, err := openDatasketch(ctx, ref, p)
	if err != nil {
		return err
	}
	defer d.Close()
	for _, it := range items {
		if err := d.Insert(it.Meta.Label(), it.Sketch.(sketch.Signature)); err != nil {
			return err
		}
	}
	o.note(cmd.ErrOrStderr(), "%d names added to %s", len(items), ref)
	return nil
}

// slotsOf loads the one kind of slot sketches that files have.
func (o *selectOptions) slotsOf(ctx context.Context, inputs []input, warn func(string)) ([]sketch.Item, sketch.Params, error) {
	sources, err := load(inputs, 1, warn)
	if err != nil {
		return nil, sketch.Params{}, err
	}
	p, err := o.choose(sources, []string{sketch.KPerm})
	if err != nil {
		return nil, p, err
	}
	if p.Validate() != nil { // of flags alone
		return nil, p, usagef("gsketch sketch --family kperm makes sketches for the layout of datasketch")
	}
	items, err := o.items(ctx, sources, p, p, 1, warn)
	return items, p, err
}

// searchDatasketch lists the names that share a band with each query. Their
// signatures are not kept: similarities are not known.
func (o *searchOptions) searchDatasketch(ctx context.Context, cmd *cobra.Command, ref string, args []string) error {
	warn := warner(cmd.ErrOrStderr())
	named, err := o.expand(args, warn)
	if err != nil {
		return err
	}
	queries, p, err := o.slotsOf(ctx, named, warn)
	if err != nil {
		return err
	}
	d, err := openDatasketch(ctx, ref, p)
	if err != nil {
		return err
	}
	defer d.Close()
	out, err := create(o.output, cmd.OutOrStdout(), o.force)
	if err != nil {
		return err
	}
	defer out.discard()
	if err := line(out, strings.Fields("query reference similarity shared of")); err != nil {
		return err
	}
	for _, q := range queries {
		found, err := d.Query(q.Sketch.(sketch.Signature))
		if err != nil {
			return fmt.Errorf("%s: %w", q.Meta.Label(), err)
		}
		for _, name := range found {
			if err := line(out, []string{field(q.Meta.Label()), field(name), "NA", "NA", "NA"}); err != nil {
				return err
			}
		}
	}
	return out.commit()
}
