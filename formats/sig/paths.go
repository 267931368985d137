// SPDX-License-Identifier: Apache-2.0

package sig

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gsketch/gsketch/sketch"
)

// ErrNoSignatures is returned for a directory without signatures.
var ErrNoSignatures = errors.New("no .sig or .sig.gz file in this directory")

// ReadPath reads whatever sourmash calls a collection at a path, by content:
// JSON, plain or gzipped; a zip file; a directory, all .sig and .sig.gz files
// below it in the order of their names; a standalone manifest, whose paths are
// relative to its own directory; a list of paths, one a line, relative to the
// working directory. Lists and manifests may name any of these.
//
// warn gets one line for what is odd but readable; it may be nil. Indexes and
// databases of sourmash (SBT, LCA, SQLite, RocksDB) are refused by name.
func ReadPath(path string, warn func(string)) ([]sketch.Item, error) {
	all, err := pathReader{warn}.read(path, 0)
	return all.items, err
}

type pathReader struct{ warn func(string) }

const maxNesting = 8 // of lists of lists; one may name itself

func (p pathReader) read(path string, depth int) (found, error) {
	if depth > maxNesting {
		return found{}, sketch.BadInput(path, fmt.Errorf("lists of lists nested more than %d deep", maxNesting))
	}
	f, err := os.Open(path)
	if err != nil {
		return found{}, pathError(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return found{}, pathError(path, err)
	}
	if info.IsDir() {
		return p.directory(path, depth)
	}
	if magic := make([]byte, 2); info.Mode().IsRegular() {
		if _, err := f.ReadAt(magic, 0); err != nil && err != io.EOF {
			return found{}, pathError(path, err)
		}
		if string(magic) == "PK" || strings.HasSuffix(path, ".zip") {
			z, err := openZip(f, info.Size(), path, p.warn)
			if err != nil {
				return found{}, sketch.BadInput(path, err)
			}
			return z.read()
		}
	}
	plain, err := gunzip(f, newBudget())
	if err != nil {
		return found{}, sketch.BadInput(path, err)
	}
	return p.text(bufio.NewReader(plain), path, depth)
}

// text reads what is no zip file, by its first bytes.
func (p pathReader) text(r *bufio.Reader, path string, depth int) (found, error) {
	head, err := r.Peek(64)
	if err != nil && err != io.EOF {
		return found{}, pathError(path, err)
	}
	start := strings.TrimSpace(string(head))
	switch {
	case start == "" && err == io.EOF:
		return found{}, sketch.BadInput(path, fmt.Errorf("empty: %w", io.ErrUnexpectedEOF))
	case strings.HasPrefix(start, "SQLite format 3"):
		return found{}, sketch.BadInput(path, isIndex("SQLite database"))
	case strings.HasPrefix(start, manifestMagic):
		return p.manifest(r, path, depth)
	case start == "" || start[0] == '[' || start[0] == '{':
		return readJSON(r, path)
	}
	return p.list(r, path, depth)
}

// pathError drops the path from err, which an InputError says itself.
func pathError(path string, err error) error {
	var in *fs.PathError
	if errors.As(err, &in) {
		err = in.Err
	}
	return sketch.BadInput(path, err)
}

func (p pathReader) directory(dir string, depth int) (found, error) {
	if _, err := os.Stat(filepath.Join(dir, "CURRENT")); err == nil {
		return found{}, sketch.BadInput(dir, isIndex("RocksDB index"))
	}
	var all found
	files := 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return pathError(path, err)
		}
		if entry.IsDir() || !strings.HasSuffix(path, ".sig") && !strings.HasSuffix(path, ".sig.gz") {
			return nil
		}
		files++
		more, err := p.read(path, depth+1)
		all.add(more)
		return err
	})
	if err == nil && files == 0 {
		err = sketch.BadInput(dir, ErrNoSignatures)
	}
	if err != nil {
		return found{}, err
	}
	return all, nil
}

func (p pathReader) manifest(r io.Reader, path string, depth int) (found, error) {
	m, err := readManifest(r)
	if err != nil {
		return found{}, sketch.BadInput(path, err)
	}
	var all found
	for _, location := range m.locations {
		target := location
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		there, err := p.read(target, depth+1)
		if err != nil {
			return found{}, err
		}
		picked, err := pick(there, m.rows[location])
		if err != nil {
			return found{}, sketch.BadInput(path, fmt.Errorf("%w in %s", err, target))
		}
		all.add(picked)
	}
	return all, nil
}

// pick returns the sketches that rows name, in the order of the rows.
func pick(f found, rows []manifestKey) (found, error) {
	at := map[manifestKey][]int{}
	for i := range f.items {
		at[f.key(i)] = append(at[f.key(i)], i)
	}
	var picked found
	for _, row := range rows {
		left := at[row]
		if len(left) == 0 {
			return found{}, fmt.Errorf("no sketch %q with md5sum %s, which the manifest lists,", row.name, row.md5)
		}
		picked.add(found{f.items[left[0]:][:1], f.md5sums[left[0]:][:1]})
		at[row] = left[1:]
	}
	return picked, nil
}

func (p pathReader) list(r io.Reader, path string, depth int) (found, error) {
	var all found
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimRight(lines.Text(), "\r")
		if line == "" {
			continue
		}
		if _, err := os.Stat(line); err != nil && n == 1 {
			return found{}, sketch.BadInput(path, errors.New("not a sourmash signature file, nor a list of paths"))
		}
		more, err := p.read(line, depth+1)
		if err != nil {
			return found{}, err
		}
		all.add(more)
	}
	if err := lines.Err(); err != nil {
		return found{}, sketch.BadInput(path, fmt.Errorf("not a sourmash signature file, nor a list of paths: %w", err))
	}
	return all, nil
}
