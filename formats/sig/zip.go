// SPDX-License-Identifier: Apache-2.0

package sig

import (
	"archive/zip"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/gsketch/gsketch/sketch"
)

// memberName is what signature files in a collection are called; _0, _1 tell
// apart different sketches with one md5sum.
var memberName = regexp.MustCompile(`\.sig(\.gz(_[0-9]+)?)?$`)

// ReadZip reads a collection, in the order of its manifest, without one in the
// order of its members. path is for errors, which are *sketch.InputError.
//
// The members are what counts. Where the manifest does not tell the same, as
// after writing twice to one file with sourmash, warn is called with one line
// (nil: not called); a member that the manifest names and the file lacks is an
// error. Databases that are zip files, too, are refused.
func ReadZip(r io.ReaderAt, size int64, path string, warn func(string)) ([]sketch.Item, error) {
	z, err := openZip(r, size, path, warn)
	if err != nil {
		return nil, sketch.BadInput(path, err)
	}
	found, err := z.read()
	return found.items, err
}

// zipFile is a collection that is being read.
type zipFile struct {
	path     string
	members  map[string]*zip.File
	order    []string
	manifest *manifest // nil if there is none
	budget   *budget
	warn     func(string)
}

func openZip(r io.ReaderAt, size int64, path string, warn func(string)) (*zipFile, error) {
	zr, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("not a complete zip file (%w)", err)
	}
	z := &zipFile{path: path, members: map[string]*zip.File{}, budget: newBudget(), warn: warn}
	if z.warn == nil {
		z.warn = func(string) {}
	}
	z.budget.earn(size)
	var compressed uint64
	for _, f := range zr.File {
		if strings.HasSuffix(f.Name, ".sbt.json") {
			return nil, isIndex("SBT index")
		}
		if _, ok := z.members[f.Name]; ok {
			z.warn(fmt.Sprintf("%s: two members are called %s; the later one is read", path, f.Name))
		} else if memberName.MatchString(f.Name) {
			z.order = append(z.order, f.Name)
		}
		z.members[f.Name] = f
		if compressed += f.CompressedSize64; compressed > uint64(size) {
			return nil, fmt.Errorf("members overlap: not a signature file")
		}
	}
	f := z.members[manifestName]
	if f == nil {
		return z, nil
	}
	content, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	defer content.Close()
	z.manifest, err = readManifest(spendingReader{content, z.budget})
	return z, err
}

func (z *zipFile) read() (found, error) {
	var all found
	read := map[string]bool{}
	matched := 0 // rows of the manifest that have a sketch of their own
	take := func(name string) error {
		more, err := z.member(name)
		if err != nil {
			return err
		}
		read[name] = true
		all.add(more)
		if z.manifest != nil {
			matched += matches(more, z.manifest.rows[name])
		}
		return nil
	}
	if z.manifest != nil {
		for _, name := range z.manifest.locations {
			if z.members[name] == nil {
				return found{}, sketch.BadInput(z.path, fmt.Errorf("the manifest names %s, which the file does not hold", name))
			}
			if err := take(name); err != nil {
				return found{}, err
			}
		}
	}
	for _, name := range z.order {
		if read[name] {
			continue
		}
		if err := take(name); err != nil {
			return found{}, err
		}
	}
	if m, n := z.manifest, len(all.items); m != nil && (m.n != n || matched != n) {
		z.warn(fmt.Sprintf("%s: the manifest has %d rows and the file %d sketches, of which %d match; all %[3]d are read",
			z.path, m.n, n, matched))
	}
	return all, nil
}

// matches counts the sketches that have a row of their own.
func matches(f found, rows []manifestKey) int {
	left := map[manifestKey]int{}
	for _, row := range rows {
		left[row]++
	}
	n := 0
	for i := range f.items {
		if key := f.key(i); left[key] > 0 {
			left[key]--
			n++
		}
	}
	return n
}

// member reads the signatures of one member.
func (z *zipFile) member(name string) (found, error) {
	path := z.path + ":" + name
	content, err := z.members[name].Open()
	if err != nil {
		return found{}, sketch.BadInput(path, err)
	}
	defer content.Close()
	plain, err := gunzip(spendingReader{content, z.budget}, z.budget)
	if err != nil {
		return found{}, sketch.BadInput(path, err)
	}
	return readJSON(plain, path)
}
