// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"io"
	"path/filepath"
	"strconv"

	"github.com/gsketch/gsketch/formats"
	"github.com/gsketch/gsketch/formats/sig"
	"github.com/gsketch/gsketch/sketch"
)

// infoSourmash is the CSV of sourmash sig describe.
func infoSourmash(files []source, w io.Writer) error {
	if err := csvLine(w, csvColumns("signature_file,md5,ksize,moltype,num,scaled,n_hashes,seed,with_abundance,name,filename,license,sum_hashes")); err != nil {
		return err
	}
	return each(files, func(file string, m sketch.Meta, s sketch.Sketch) error {
		set, ok := s.(sketch.Abundant)
		if !ok {
			return usagef("%s: sourmash has no %s sketches", file, s.Params().Family)
		}
		p, abundance := set.Params(), "0"
		if p.Weighted {
			abundance = "1"
		}
		return csvLine(w, []string{file, md5Of(set), strconv.Itoa(p.Elements.K), moltype(p), strconv.Itoa(p.Size), csvUint(p.Scaled), strconv.Itoa(set.Len()),
			csvUint(p.Hash.Seed), abundance, m.ID, m.Source, "CC0", csvUint(total(set))})
	})
}

// infoManifest is the manifest of sourmash sig collect. Paths are relative to
// the directory that it stands in, since that is where they are looked for.
func infoManifest(files []source, dir string, w io.Writer) error {
	var entries []sig.Entry
	for _, f := range files {
		if f.kind != formats.Sig && f.kind != formats.SigGz && f.kind != formats.Zip {
			return usagef("%s: a manifest names files of sourmash alone: .sig, .sig.gz, .zip (gsketch convert makes them)", f.path)
		}
		location, err := relative(dir, f.path)
		if err != nil {
			return err
		}
		for _, it := range formats.InFileOrder(f.collections) {
			entries = append(entries, sig.Entry{Location: location, Item: it})
		}
	}
	err := sig.WriteManifest(w, entries)
	var out *outputError
	if err != nil && !errors.As(err, &out) {
		return usagef("%v", err)
	}
	return err
}

// relative is a path as seen from a directory; an absolute one stays.
func relative(dir, path string) (string, error) {
	if filepath.IsAbs(path) {
		return path, nil
	}
	from, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.Rel(from, to)
}
