// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"os"

	"github.com/gsketch/gsketch/formats/sig"
	"github.com/gsketch/gsketch/sketch"
)

// writeDirectory writes sourmash's directory of signatures. A directory with
// something in it is not written into unless force.
func writeDirectory(dir string, items []sketch.Item, force bool) error {
	if there, err := os.ReadDir(dir); err == nil && len(there) > 0 && !force {
		return &outputError{dir, errors.New("exists already and is not empty; --force writes into it")}
	}
	w, err := sig.NewDirWriter(dir)
	if err != nil {
		return &outputError{dir, reason(err)}
	}
	for _, it := range items {
		if err := w.Add(it); err != nil {
			return &outputError{dir, reason(err)}
		}
	}
	return w.Close()
}
