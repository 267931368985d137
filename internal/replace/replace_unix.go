// SPDX-License-Identifier: Apache-2.0

//go:build !windows

package replace

import (
	"path/filepath"

	"github.com/google/renameio/v2"
)

// A File is not there under its name before CloseAtomicallyReplace; Cleanup
// drops it unless it is.
type File = renameio.PendingFile

// New opens a file to be written. One that is there lends it its permissions.
func New(path string) (*File, error) {
	return renameio.NewPendingFile(path, renameio.WithTempDir(filepath.Dir(path)), renameio.WithPermissions(0o666), renameio.WithExistingPermissions())
}
