// SPDX-License-Identifier: Apache-2.0

package sig

import (
	"errors"
	"fmt"
	"io"

	"github.com/gsketch/gsketch/sketch"
)

// Read reads the signatures of a .sig or .sig.gz file, in file order; path is
// for errors, which are *sketch.InputError with the number of the signature
// and the byte in the decompressed stream. In Meta, ID is the name and Source
// the file name stored.
//
// Hashes that do not ascend, as in some old files, are sorted, as sourmash
// does. A max_hash that is off its scaled by a rounding gives that scaled. A
// sketch with both num and max_hash, as old files have, is FracMinHash if num
// has not cut it, else refused. Unknown fields are skipped; an unknown class,
// version, license or hash function is refused, and so is a digest that does
// not fit the hashes.
func Read(r io.Reader, path string) ([]sketch.Item, error) {
	plain, err := gunzip(r, newBudget())
	if err != nil {
		return nil, sketch.BadInput(path, err)
	}
	found, err := readJSON(plain, path)
	return found.items, err
}

// found are sketches with their md5sums, which are verified.
type found struct {
	items   []sketch.Item
	md5sums []string
}

func (f *found) add(g found) {
	f.items = append(f.items, g.items...)
	f.md5sums = append(f.md5sums, g.md5sums...)
}

// readJSON reads plain JSON.
func readJSON(r io.Reader, path string) (found, error) {
	d := decoder{scanner: newScanner(r)}
	err := d.file()
	if err == nil {
		return d.found, nil
	}
	return found{}, &sketch.InputError{Path: path, Record: d.record, Name: d.name, Offset: d.offset(), Err: err}
}

type decoder struct {
	*scanner
	found
	record uint64 // signature being read, from 1
	name   string
}

func (d *decoder) file() error {
	c, err := d.peek()
	if err != nil {
		return err
	}
	if c == '{' {
		return d.foreign()
	}
	if c != '[' {
		return errors.New("not a sourmash signature file")
	}
	if err := d.array(d.signature); err != nil {
		return err
	}
	d.record, d.name = 0, ""
	return d.atEnd()
}

// signature reads one object of the file; it may hold several sketches.
func (d *decoder) signature() error {
	d.record++
	d.name = ""
	var source string
	first := len(d.items)
	seen := fields{}
	err := d.object(func(key string) (err error) {
		if err := seen.add(key); err != nil {
			return err
		}
		switch key {
		case "class":
			return d.literal(key, "sourmash_signature")
		case "license":
			return d.literal(key, "CC0")
		case "hash_function":
			return d.literal(key, "0.murmur64")
		case "version":
			version, err := d.word()
			if err == nil && version != "0.4" {
				err = fmt.Errorf("version %s, known is 0.4", version)
			}
			return err
		case "name":
			d.name, err = d.optionalString()
			return err
		case "filename":
			source, err = d.optionalString()
			return err
		case "signatures":
			return d.array(d.sketch)
		}
		return d.skip(0)
	})
	if err != nil {
		return err
	}
	if err := seen.want("hash_function", "signatures"); err != nil {
		return err
	}
	for i := first; i < len(d.items); i++ {
		d.items[i].Meta = sketch.Meta{ID: d.name, Source: source}
	}
	return nil
}

func (d *decoder) literal(key, want string) error {
	got, err := d.string()
	if err == nil && got != want {
		err = fmt.Errorf("%s %q, known is %q", key, got, want)
	}
	return err
}

// fields are the keys of an object that have been seen.
type fields map[string]bool

func (f fields) add(key string) error {
	if f[key] {
		return fmt.Errorf("field %q twice", key)
	}
	f[key] = true
	return nil
}

func (f fields) want(keys ...string) error {
	for _, key := range keys {
		if !f[key] {
			return fmt.Errorf("no field %q", key)
		}
	}
	return nil
}

// maxUnordered bounds hashes that do not ascend and abundances that come
// before their hashes; both are found in old files alone, which are small.
const maxUnordered = 1 << 24

// sketch reads one sketch and appends it to the items.
func (d *decoder) sketch() error {
	var s stored
	seen := fields{}
	err := d.object(func(key string) (err error) {
		if err := seen.add(key); err != nil {
			return err
		}
		switch key {
		case "num":
			s.num, err = d.uint()
		case "ksize":
			s.ksize, err = d.uint()
		case "seed":
			s.seed, err = d.uint()
		case "max_hash":
			s.maxHash, err = d.uint()
		case "mins":
			if s.mins, s.ascending, err = d.uints(maxUnordered, true); err != nil {
				err = fmt.Errorf("mins: %w", err)
			}
		case "abundances":
			if c, e := d.peek(); e == nil && c == 'n' {
				_, err = d.optionalString()
				break
			}
			limit := maxUnordered
			if seen["mins"] {
				limit = len(s.mins)
			}
			s.weighted = true
			if s.abundances, _, err = d.uints(limit, false); err != nil {
				err = fmt.Errorf("abundances: %w", err)
			}
		case "md5sum":
			s.md5sum, err = d.string()
		case "molecule":
			s.molecule, err = d.string()
		default:
			err = d.skip(0)
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := seen.want("num", "ksize", "seed", "max_hash", "mins", "md5sum", "molecule"); err != nil {
		return err
	}
	set, err := s.set()
	if err != nil {
		return err
	}
	d.add(found{[]sketch.Item{{Sketch: set}}, []string{s.md5sum}})
	return nil
}
