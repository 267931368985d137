// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/spf13/cobra"
)

// lookupOptions are what contain, gather and search have in common: inputs that
// are looked up in a collection of references.
type lookupOptions struct {
	*common
	inputOptions
	selectOptions
	referenceOptions
	output string
	others []string // other outputs
	md5    string
}

func (o *lookupOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	o.referenceOptions.addFlags(f)
	o.inputOptions.addFlags(f)
	o.selectOptions.addFlags(f, "references")
	f.StringVar(&o.md5, "md5", "", "of the inputs, take the sketch whose md5 contains this")
	f.StringVarP(&o.output, "output", "o", "-", `output file; "-" is standard output`)
}

// open loads what are sketch files among references and inputs, and opens the
// output. withReferences is false where they are an index.
func (o *lookupOptions) open(cmd *cobra.Command, args []string, withReferences bool, warn func(string)) (refs, inputs []source, out *output, err error) {
	var collection []input
	if withReferences {
		if collection, err = o.referenceOptions.named(o.recursive, warn); err != nil {
			return nil, nil, nil, err
		} else if refs, err = o.loadPicked(collection, o.threads, warn); err != nil {
			return nil, nil, nil, err
		}
	} else if o.pick.given() {
		return nil, nil, nil, usagef("--picklist, --include and --exclude do not choose within an index: choose when it is built")
	}
	named, err := o.expand(args, warn)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := keepInputs(append(o.others, o.output), named, collection); err != nil {
		return nil, nil, nil, err
	}
	if inputs, err = load(named, o.threads, warn); err == nil {
		inputs, err = o.queriesWithDigest(inputs)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	out, err = create(o.output, cmd.OutOrStdout(), o.force)
	return refs, inputs, out, err
}

// queriesWithDigest leaves in sketch files what --md5 names.
func (o *lookupOptions) queriesWithDigest(inputs []source) ([]source, error) {
	if o.md5 == "" {
		return inputs, nil
	}
	p, err := (&pickOptions{md5: o.md5}).picker()
	if err != nil {
		return nil, err
	}
	return p.from(inputs, nil)
}
