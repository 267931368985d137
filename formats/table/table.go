// SPDX-License-Identifier: Apache-2.0

package table

import (
	"errors"
	"io"
	"runtime"

	"github.com/gsketch/gsketch/sketch"
	"github.com/zeebo/xxh3"
)

var (
	errLength = errors.New("page longer than its values")
	errChain  = errors.New("the table does not match its digest")
	errParts  = errors.New("parts of a sketch are missing or out of order")
)

// ReadOptions of Open.
type ReadOptions struct {
	Threads      int                  // goroutines that read; GOMAXPROCS if 0
	SmallColumns bool                 // read what is known of the sketches, not the sketches
	Want         func(key int64) bool // Each: which sketches to yield; all if nil
}

// A File is a sketch table in memory.
type File struct {
	rowBase     int64
	createdBy   string
	entries     []Entry
	collections []sketch.Collection
}

// An Entry is what the small columns say of a sketch.
type Entry struct {
	Params sketch.Params
	Meta   sketch.Meta
	Digest [digestSize]byte // of the sketch with all of this
}

// RowBase is the key of the first sketch.
func (f *File) RowBase() int64 { return f.rowBase }

// CreatedBy is what made the table, as it says; it may be empty.
func (f *File) CreatedBy() string { return f.createdBy }

// Entries are the sketches without their values, in the order of the file. The
// caller must not modify them.
func (f *File) Entries() []Entry { return f.entries }

// Collections are the sketches, one collection for each Params, in order of
// first appearance; within each the order of the file stays. There are none if
// only the small columns were read. All hashes lie on one flat backing.
func (f *File) Collections() []sketch.Collection { return f.collections }

// Open reads the table of size bytes in r; path is for messages. Everything is
// verified: the checksum of each page, the digests of metadata, table and each
// sketch, order and bounds of its values. With o.SmallColumns the large columns
// are left alone, and with them the digests of sketches. Errors are
// *sketch.InputError; a file cut short gives one that wraps
// io.ErrUnexpectedEOF. The File does not need r any more.
func Open(r io.ReaderAt, size int64, path string, o ReadOptions) (*File, error) {
	var f *File
	err := recovered(func() (err error) {
		f, err = open(r, size, o)
		return err
	})
	if err == nil {
		return f, nil
	}
	var in *sketch.InputError
	if !errors.As(err, &in) {
		return nil, sketch.BadInput(path, err)
	}
	in.Path = path
	return nil, in
}

func open(r io.ReaderAt, size int64, o ReadOptions) (*File, error) {
	threads := o.Threads
	if threads < 1 {
		threads = runtime.GOMAXPROCS(0)
	}
	foot, err := readFooter(r, size)
	if err != nil {
		return nil, err
	}
	rows := make([]row, foot.rows)
	var large *values
	if !o.SmallColumns {
		large = newValues(foot)
	}
	readers := make([]pageReader, threads)
	err = parallel(threads, len(foot.groups), func(worker, i int) error {
		p := &readers[worker]
		p.r = r
		if err := readSmall(p, &foot.groups[i], rows); err != nil || large == nil {
			return err
		}
		return large.read(p, foot, i)
	})
	if err != nil {
		return nil, err
	}
	if chainOf(rows) != foot.chain {
		return nil, errChain
	}
	f := &File{rowBase: foot.rowBase, createdBy: foot.createdBy}
	firsts, err := f.list(rows)
	if err != nil || large == nil {
		return f, err
	}
	return f, f.load(threads, rows, firsts, large)
}

func chainOf(rows []row) [digestSize]byte {
	h := xxh3.New128()
	for i := range rows {
		h.Write(rows[i].digest[:])
	}
	return h.Sum128().Bytes()
}

// list makes the entries of rows, and returns for each the number of its first
// row, and len(rows) at the end.
func (f *File) list(rows []row) ([]int, error) {
	n := 0
	for i := range rows {
		if rows[i].part <= 0 { // null or the first of several
			n++
		}
	}
	firsts := make([]int, 0, n+1)
	f.entries = make([]Entry, 0, n)
	parsed := map[string]sketch.Params{}
	for i := 0; i < len(rows); {
		first := &rows[i]
		at := len(firsts)
		bad := func(err error) ([]int, error) {
			return nil, &sketch.InputError{Record: uint64(at) + 1, Name: first.meta.Label(), Offset: -1, Err: err}
		}
		params, ok := parsed[first.params]
		if !ok {
			var err error
			if params, err = sketch.ParseParams(first.params); err != nil {
				return bad(err)
			}
			parsed[first.params] = params
		}
		if first.meta.Row != f.rowBase+int64(at) {
			return bad(errors.New("keys are not dense"))
		}
		firsts = append(firsts, i)
		f.entries = append(f.entries, Entry{Params: params, Meta: first.meta, Digest: first.digest})
		n, err := countParts(rows[i:])
		if err != nil {
			return bad(err)
		}
		i += n
	}
	return append(firsts, len(rows)), nil
}

// countParts returns how many of rows, from the first on, are parts of one
// sketch: 1 if its part is null, else 2 or more that count from 0 and agree in
// all else.
func countParts(rows []row) (int, error) {
	if rows[0].part == noPart {
		return 1, nil
	}
	n := 0
	for n < len(rows) {
		next := rows[n]
		next.part = rows[0].part
		if next != rows[0] {
			break
		}
		if rows[n].part != int32(n) {
			return 0, errParts
		}
		n++
	}
	if n < 2 {
		return 0, errParts
	}
	return n, nil
}

// load rebuilds the sketches as collections.
func (f *File) load(threads int, rows []row, firsts []int, large *values) error {
	sketches, err := f.rebuild(threads, rows, firsts, large)
	if err == nil {
		f.collections = collect(f.entries, sketches)
	}
	return err
}

// rebuild rebuilds the sketches and verifies their digests.
func (f *File) rebuild(threads int, rows []row, firsts []int, large *values) ([]sketch.Sketch, error) {
	const batch = 256 // sketches for a goroutine at a time
	sketches := make([]sketch.Sketch, len(f.entries))
	digesters := make([]digester, threads)
	err := parallel(threads, (len(sketches)+batch-1)/batch, func(worker, b int) (err error) {
		for i := b * batch; i < min(len(sketches), (b+1)*batch); i++ {
			e := &f.entries[i]
			if sketches[i], err = large.rebuild(&digesters[worker], rows, e, firsts[i], firsts[i+1]); err != nil {
				return &sketch.InputError{Record: uint64(i) + 1, Name: e.Meta.Label(), Offset: -1, Err: err}
			}
		}
		return nil
	})
	return sketches, err
}

// readFull fills b from offset off of r; a file that ends before is
// io.ErrUnexpectedEOF.
func readFull(r io.ReaderAt, b []byte, off int64) error {
	n, err := r.ReadAt(b, off)
	if n == len(b) {
		return nil
	}
	if err == io.EOF || err == nil {
		err = io.ErrUnexpectedEOF
	}
	return err
}
