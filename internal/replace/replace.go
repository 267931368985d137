// SPDX-License-Identifier: Apache-2.0

// Package replace writes files that appear whole or not at all: under another
// name beside the target, synced, then renamed. Everywhere but on Windows that
// is renameio's work.
package replace

import "errors"

// WriteFile replaces a file by data.
func WriteFile(path string, data []byte) error {
	f, err := New(path)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return errors.Join(err, f.Cleanup())
	}
	return f.CloseAtomicallyReplace()
}
