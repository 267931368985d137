// SPDX-License-Identifier: Apache-2.0

package sealed

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gsketch/gsketch/internal/replace"
	"github.com/zeebo/xxh3"

	"github.com/gsketch/gsketch/sketch"
)

const manifestName = "MANIFEST"

// A Manifest says what belongs to a directory. It is stored as JSON, without
// any freedom: one that was not written by WriteManifest is refused.
type Manifest interface {
	// Format is the kind and the version of the format.
	Format() (kind string, version int)

	// Digest is where the XXH3-64 of the rest is kept.
	Digest() *string
}

// Kind is that of the manifest in a directory; empty if there is none.
func Kind(dir string) string {
	data, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		return ""
	}
	var m struct{ Kind string }
	if json.Unmarshal(data, &m) != nil {
		return ""
	}
	return m.Kind
}

// ManifestBytes is the manifest of a directory, as it is written.
func ManifestBytes(dir string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		return nil, sketch.BadInput(dir, err)
	}
	return data, nil
}

// Exists says whether a directory has a manifest.
func Exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, manifestName))
	return err == nil
}

func isFile(path string) bool {
	st, err := os.Stat(path)
	return err == nil && !st.IsDir()
}

// ReadManifest reads the manifest of a directory into m, whose Format says what
// this program knows.
func ReadManifest(dir string, m Manifest) error {
	path := filepath.Join(dir, manifestName)
	wantKind, newest := m.Format()
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) || isFile(dir) {
		return sketch.BadInput(dir, errors.New("not an index: no MANIFEST in it"))
	} else if err != nil {
		return sketch.BadInput(path, err)
	}
	if err := json.Unmarshal(data, m); err != nil {
		return sketch.BadInput(path, fmt.Errorf("not the manifest of an index: %w", err))
	}
	kind, version := m.Format()
	switch {
	case kind != wantKind:
		err = fmt.Errorf("an index of %s, not of %s", kind, wantKind)
	case version > newest:
		err = fmt.Errorf("an index of format %d; this program knows formats up to %d", version, newest)
	default:
		err = whole(m, data)
	}
	if err != nil {
		return sketch.BadInput(path, err)
	}
	return nil
}

// whole checks that data is m as it is written.
func whole(m Manifest, data []byte) error {
	stored := *m.Digest()
	if err := sign(m); err != nil {
		return err
	}
	if *m.Digest() != stored {
		return errors.New("damaged: it does not fit its digest")
	}
	if again, err := encode(m); err != nil || !bytes.Equal(again, data) {
		return errors.New("damaged: it is not as it was written")
	}
	return nil
}

func sign(m Manifest) error {
	*m.Digest() = ""
	data, err := json.Marshal(m)
	*m.Digest() = fmt.Sprintf("%016x", xxh3.Hash(data))
	return err
}

func encode(m Manifest) ([]byte, error) {
	data, err := json.MarshalIndent(m, "", " ")
	return append(data, '\n'), err
}

// WriteManifest replaces the manifest of a directory, with its digest.
func WriteManifest(dir string, m Manifest) error {
	if err := sign(m); err != nil {
		return err
	}
	data, err := encode(m)
	if err != nil {
		return err
	}
	if err := replace.WriteFile(filepath.Join(dir, manifestName), data); err != nil {
		return err
	}
	return SyncDir(dir)
}
