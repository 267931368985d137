// SPDX-License-Identifier: Apache-2.0

package main

import "os"

// keepInputs refuses, --force or not, an output that is an input: a table in
// the place of sketches or sequence would be what is left of them.
func keepInputs(outputs []string, inputs ...[]input) error {
	for _, out := range outputs {
		st, err := os.Stat(out)
		if out == "-" || err != nil || !st.Mode().IsRegular() {
			continue
		}
		for _, list := range inputs {
			for _, in := range list {
				if other, err := os.Stat(in.path); err == nil && os.SameFile(st, other) {
					return usagef("%s is an input and would be lost; name another output", out)
				}
			}
		}
	}
	return nil
}
