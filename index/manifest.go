// SPDX-License-Identifier: Apache-2.0

package index

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/google/renameio/v2"
	"github.com/zeebo/xxh3"

	"github.com/gsketch/gsketch/sketch"
)

// version of the format of an index.
const version = 1

// A manifest says what belongs to an index.
type manifest struct {
	Version  int              `json:"version"`
	Params   string           `json:"params"`
	Next     int              `json:"next_segment"`
	Segments []segmentRecord  `json:"segments"`
	Removed  map[string][]int `json:"removed,omitempty"` // by segment name: rows, ascending
	Digest   string           `json:"digest"`            // xxh3-64 of the manifest without it
}

// A segmentRecord names a segment, with the sizes and digests of its files.
type segmentRecord struct {
	Name     string  `json:"name"`
	Rows     int     `json:"rows"`
	Hashes   uint64  `json:"hashes"`
	Sketches fileSum `json:"sketches"`
	Postings fileSum `json:"postings"`
}

type fileSum struct {
	Bytes int64  `json:"bytes"`
	Sum   string `json:"xxh3"`
}

const manifestName = "MANIFEST"

// IsIndex says whether a directory holds an index.
func IsIndex(dir string) bool {
	data, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		return false
	}
	var m manifest
	return json.Unmarshal(data, &m) == nil && m.Version > 0
}

func (m manifest) digest() (string, error) {
	m.Digest = ""
	data, err := json.Marshal(m)
	return fmt.Sprintf("%016x", xxh3.Hash(data)), err
}

func readManifest(dir string) (*manifest, sketch.Params, error) {
	path := filepath.Join(dir, manifestName)
	fail := func(err error) (*manifest, sketch.Params, error) {
		return nil, sketch.Params{}, sketch.BadInput(path, err)
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, sketch.Params{}, sketch.BadInput(dir, errors.New("not an index: no MANIFEST in it"))
	} else if err != nil {
		return fail(err)
	}
	var m manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return fail(fmt.Errorf("not the manifest of an index: %w", err))
	}
	if m.Version > version {
		return fail(fmt.Errorf("an index of format %d; this program knows formats up to %d", m.Version, version))
	}
	if d, err := m.digest(); err != nil || d != m.Digest {
		return fail(errors.New("damaged: it does not fit its digest"))
	}
	if again, err := m.encode(); err != nil || !bytes.Equal(again, data) {
		return fail(errors.New("damaged: it is not as it was written"))
	}
	p, err := sketch.ParseParams(m.Params)
	if err != nil {
		return fail(err)
	}
	for _, s := range m.Segments {
		if s.Name != filepath.Base(s.Name) || s.Rows < 0 {
			return fail(fmt.Errorf("bad segment %q", s.Name))
		}
		if r := m.Removed[s.Name]; !slices.IsSorted(r) || len(r) > 0 && (r[0] < 0 || r[len(r)-1] >= s.Rows) {
			return fail(fmt.Errorf("segment %q: rows are removed that it does not have", s.Name))
		}
	}
	return &m, p, nil
}

func (m *manifest) encode() ([]byte, error) {
	data, err := json.MarshalIndent(m, "", " ")
	return append(data, '\n'), err
}

// write replaces the manifest of a directory.
func (m *manifest) write(dir string) error {
	var err error
	if m.Digest, err = m.digest(); err != nil {
		return err
	}
	data, err := m.encode()
	if err != nil {
		return err
	}
	if err := renameio.WriteFile(filepath.Join(dir, manifestName), data, 0o666, renameio.WithTempDir(dir)); err != nil {
		return err
	}
	return syncDir(dir)
}

// syncDir makes the names in a directory durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
