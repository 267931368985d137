// SPDX-License-Identifier: Apache-2.0

package index

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/gsketch/gsketch/internal/sealed"
	"github.com/gsketch/gsketch/sketch"
)

// kind and version of the format of an index.
const (
	kind    = "postings"
	version = 1
)

// A manifest says what belongs to an index.
type manifest struct {
	Kind     string           `json:"kind"`
	Version  int              `json:"version"`
	Params   string           `json:"params"`
	Next     int              `json:"next_segment"`
	Segments []segmentRecord  `json:"segments"`
	Removed  map[string][]int `json:"removed,omitempty"` // by segment name: rows, ascending
	Sum      string           `json:"digest"`            // of the manifest without it
}

// Format is that of the manifest.
func (m *manifest) Format() (string, int) { return m.Kind, m.Version }

// Digest is where it is kept.
func (m *manifest) Digest() *string { return &m.Sum }

// A segmentRecord names a segment, with the sizes and digests of its files.
type segmentRecord struct {
	Name     string     `json:"name"`
	Rows     int        `json:"rows"`
	Hashes   uint64     `json:"hashes"`
	Sketches sealed.Sum `json:"sketches"`
	Postings sealed.Sum `json:"postings"`
}

// IsIndex says whether a directory holds an index of postings.
func IsIndex(dir string) bool { return sealed.Kind(dir) == kind }

func readManifest(dir string) (*manifest, sketch.Params, error) {
	m := &manifest{Kind: kind, Version: version}
	fail := func(err error) (*manifest, sketch.Params, error) {
		return nil, sketch.Params{}, sketch.BadInput(dir, err)
	}
	if err := sealed.ReadManifest(dir, m); err != nil {
		return nil, sketch.Params{}, err
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
	return m, p, nil
}
