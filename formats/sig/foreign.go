// SPDX-License-Identifier: Apache-2.0

package sig

import (
	"errors"
	"fmt"
)

// ErrObject is returned for JSON that is nothing of sourmash's.
var ErrObject = errors.New("a JSON object, not a list of sourmash signatures")

// isIndex is the error for the databases of sourmash that gsketch does not
// read. The sketches are in them, and sourmash can take them out.
func isIndex(kind string) error {
	return fmt.Errorf("this is a sourmash %s; `sourmash sig cat FILE -o FILE.zip` makes a collection of it that gsketch reads", kind)
}

// foreign reads the keys of a JSON object to say what it is.
func (d *decoder) foreign() error {
	found := ErrObject
	err := d.object(func(key string) error {
		switch key {
		case "type":
			if kind, err := d.string(); err == nil && kind == "sourmash_lca" {
				return isIndex("LCA database")
			}
			return found
		case "hashval_to_idx", "lid_to_lineage":
			return isIndex("LCA database")
		case "storage", "factory", "nodes", "leaves":
			return isIndex("SBT index")
		case "class":
			return errors.New("a signature outside a list ([...])")
		}
		return d.skip(0)
	})
	if err == nil {
		err = found
	}
	return err
}
