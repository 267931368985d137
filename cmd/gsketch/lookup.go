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
}

func (o *lookupOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	o.referenceOptions.addFlags(f)
	o.inputOptions.addFlags(f)
	o.selectOptions.addFlags(f)
	f.StringVarP(&o.output, "output", "o", "-", `output file; "-" is standard output`)
}

// open loads what are sketch files among references and inputs, and opens the
// output. withReferences is false where they are an index.
func (o *lookupOptions) open(cmd *cobra.Command, args []string, withReferences bool, warn func(string)) (refs, inputs []source, out *output, err error) {
	if withReferences {
		if refs, err = o.referenceOptions.load(o.recursive, o.threads, warn); err != nil {
			return nil, nil, nil, err
		}
	}
	named, err := o.expand(args, warn)
	if err != nil {
		return nil, nil, nil, err
	}
	if inputs, err = load(named, o.threads, warn); err != nil {
		return nil, nil, nil, err
	}
	out, err = create(o.output, cmd.OutOrStdout(), o.force)
	return refs, inputs, out, err
}
