// SPDX-License-Identifier: Apache-2.0

package bands

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gsketch/gsketch/internal/sealed"
	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/sketch"
)

// kind and version of the format of an index on disk.
const (
	kind    = "bands"
	version = 1
)

// A manifest says what belongs to an index.
type manifest struct {
	Kind     string          `json:"kind"`
	Version  int             `json:"version"`
	Params   string          `json:"params"`
	Bands    int             `json:"bands"`
	Rows     int             `json:"rows"`
	NextFile int             `json:"next_file"`
	NextID   uint32          `json:"next_id"`
	Segments []segmentRecord `json:"segments"`
	Log      string          `json:"log,omitempty"`
	Sum      string          `json:"digest"` // of the manifest without it
}

// Format is that of the manifest.
func (m *manifest) Format() (string, int) { return m.Kind, m.Version }

// Digest is where it is kept.
func (m *manifest) Digest() *string { return &m.Sum }

func (m *manifest) config() (Config, error) {
	p, err := sketch.ParseParams(m.Params)
	c := Config{p, m.Bands, m.Rows}
	if err == nil {
		err = c.Validate()
	}
	return c, err
}

func readManifest(dir string) (*manifest, Config, error) {
	m := &manifest{Kind: kind, Version: version}
	if err := sealed.ReadManifest(dir, m); err != nil {
		return nil, Config{}, err
	}
	c, err := m.config()
	for _, s := range m.Segments {
		if s.Name != filepath.Base(s.Name) {
			err = fmt.Errorf("bad segment %q", s.Name)
		}
	}
	if m.Log != "" && m.Log != filepath.Base(m.Log) || m.NextID > maxID+1 {
		err = errors.New("bad log or ids")
	}
	if err != nil {
		return nil, Config{}, sketch.BadInput(dir, err)
	}
	return m, c, nil
}

// IsIndex says whether a directory holds an index of bands.
func IsIndex(dir string) bool { return sealed.Kind(dir) == kind }

// A Disk is a Backend in a directory. One that was opened for reading shows the
// state at that moment; its methods that change it fail.
type Disk struct {
	dir     string
	config  Config
	threads int
	lock    *os.File   // nil for reading
	syncing sync.Mutex // held while the log is written; before change
	synced  atomic.Uint64

	change  sync.Mutex // holds what follows
	log     *logFile
	pending []byte // changes that are not in the log yet
	changes uint64 // number of all; those up to synced are durable
	broken  error  // why nothing more can be written

	mu       sync.RWMutex // holds what follows
	m        *manifest
	segments []*segment
	tail     *tail
	closed   bool
}

var _ Backend = (*Disk)(nil)

// Open opens an index for reading, beside a writer if there is one. Errors are
// *sketch.InputError.
func Open(dir string) (*Disk, error) {
	for try := 0; ; try++ {
		d, err := open(dir)
		if err == nil || try == 10 || !errors.Is(err, fs.ErrNotExist) || !sealed.Exists(dir) {
			return d, err
		}
		// A writer has replaced what the manifest named: read it again.
	}
}

func open(dir string) (*Disk, error) {
	m, c, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	d := &Disk{dir: dir, config: c, m: m, tail: newTail(), threads: 1}
	for _, r := range m.Segments {
		s, err := openSegment(dir, r)
		if err != nil {
			d.unmap()
			return nil, err
		}
		d.segments = append(d.segments, s)
	}
	d.tail.next = m.NextID
	if m.Log != "" {
		if err := replayFile(filepath.Join(dir, m.Log), d.tail.apply); err != nil {
			d.unmap()
			return nil, err
		}
	}
	return d, nil
}

// Create makes a new index, which is there once something was committed to it.
// The directory is made; an index in it is an error.
func Create(dir string, c Config, threads int) (*Disk, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	lock, err := sealed.Lock(dir)
	if err != nil {
		return nil, err
	}
	if sealed.Exists(dir) {
		lock.Close()
		return nil, fmt.Errorf("%s: %w", dir, os.ErrExist)
	}
	m := &manifest{Kind: kind, Version: version, Params: c.Params.String(), Bands: c.Bands, Rows: c.Rows, NextFile: 1}
	return &Disk{dir: dir, config: c, lock: lock, m: m, tail: newTail(), threads: max(1, threads)}, nil
}

// Change opens an index for writing. What an interrupted writer has left in the
// log becomes a segment; what it has left besides is removed.
func Change(dir string, threads int) (*Disk, error) {
	if _, _, err := readManifest(dir); err != nil {
		return nil, err // before a lock file is made where there is no index
	}
	lock, err := sealed.Lock(dir)
	if err != nil {
		return nil, err
	}
	d, err := open(dir)
	if err != nil {
		lock.Close()
		return nil, err
	}
	d.lock, d.threads = lock, max(1, threads)
	if err := d.seal(); err != nil {
		d.Close()
		return nil, err
	}
	return d, d.sweep()
}

// Close gives up the files, after the log has become a segment.
func (d *Disk) Close() error {
	d.change.Lock()
	defer d.change.Unlock()
	var err error
	if d.lock != nil {
		if d.broken == nil {
			err = d.seal()
		}
		if d.log != nil {
			d.log.f.Close()
		}
		d.lock.Close()
		d.lock, d.broken = nil, fs.ErrClosed
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.unmap()
	d.closed = true
	return err
}

// reading takes the right to read what is open.
func (d *Disk) reading(do func() error) error {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.closed {
		return fmt.Errorf("%s: %w", d.dir, fs.ErrClosed)
	}
	return guard(do)
}

func (d *Disk) unmap() {
	for _, s := range d.segments {
		s.close()
	}
	d.segments = nil
}

// Config is what the index was made with.
func (d *Disk) Config() Config { return d.config }

// Segments is the number of segments; Compact makes it one.
func (d *Disk) Segments() int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return len(d.segments)
}

// Bytes is the size of all files of rows and of documents.
func (d *Disk) Bytes() (rows, docs int64) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	for _, s := range d.segments {
		rows, docs = rows+s.Bands.Bytes, docs+s.Docs.Bytes
	}
	return rows, docs
}

// Get appends the ids of the bucket of each key.
func (d *Disk) Get(dst []uint32, keys []lsh.Key) ([]uint32, error) {
	err := d.reading(func() (err error) {
		for i := range keys {
			if dst, err = d.get(dst, keys[i:i+1]); err != nil {
				return err
			}
		}
		return nil
	})
	return dst, err
}

// get appends one bucket: of what segments and the tail say of an id, in the
// order of time, the last counts.
func (d *Disk) get(dst []uint32, key []lsh.Key) ([]uint32, error) {
	from, parts := len(dst), 0
	for _, s := range d.segments {
		n := len(dst)
		var err error
		if dst, err = s.rows.find(dst, key[0].Band, key[0].Hash); err != nil {
			return dst, s.bad(".bands", err)
		}
		if len(dst) > n {
			parts++
		}
	}
	if !d.tail.empty() {
		n := len(dst)
		dst, _ = d.tail.added.Get(dst, key) // in memory: never fails
		at := len(dst)
		dst, _ = d.tail.removed.Get(dst, key)
		for i := at; i < len(dst); i++ {
			dst[i] |= gone
		}
		if len(dst) > n {
			parts++
		}
	}
	if parts < 2 && !slices.ContainsFunc(dst[from:], func(id uint32) bool { return id >= gone }) {
		return dst, nil
	}
	rows := make([]row, len(dst)-from)
	for i, id := range dst[from:] {
		rows[i].id = id
	}
	dst = dst[:from]
	for _, r := range settle(rows, false) {
		dst = append(dst, r.id)
	}
	return dst, nil
}

// Records returns the record of each id.
func (d *Disk) Records(ids []uint32) ([][]byte, error) {
	out := make([][]byte, len(ids))
	err := d.reading(func() error {
		for i, id := range ids {
			record, err := d.record(id)
			if err != nil {
				return err
			}
			if len(record) > 0 {
				out[i] = slices.Clone(record)
			}
		}
		return nil
	})
	return out, err
}

// record is the last word on a document.
func (d *Disk) record(id uint32) ([]byte, error) {
	if record, ok := d.tail.docs[id]; ok {
		return record, nil
	}
	for _, s := range slices.Backward(d.segments) {
		record, ok, err := s.docs.find(id)
		if err != nil {
			return nil, s.bad(".docs", err)
		}
		if ok {
			return record, nil
		}
	}
	return nil, nil
}

// Each calls yield for each document in the order of ids. The record is valid
// during the call alone.
func (d *Disk) Each(yield func(id uint32, record []byte) error) error {
	return d.reading(func() error { return eachDoc(d.segments, d.tail, false, yield) })
}

// Len is the number of documents.
func (d *Disk) Len() (int, error) {
	n := 0
	err := d.reading(func() error {
		for _, id := range idsOf(d.segments, d.tail) {
			record, err := d.record(id)
			if err != nil {
				return err
			}
			if len(record) > 0 {
				n++
			}
		}
		return nil
	})
	return n, err
}
