// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// A signature is one sketch of a sourmash file, as its JSON has it, without the
// sketches that lie beside it.
type signature struct {
	Class, Email, Hash, Filename, License string
	Name                                  *string
	Version                               float64
	Sketch                                struct {
		Num, Ksize, Seed uint64
		Max              uint64 `json:"max_hash"`
		Mins, Abundances []uint64
		MD5              string `json:"md5sum"`
		Molecule         string
	}
}

// sameSignatures compares the signatures in two files of sourmash, in any
// order, and of zip files also the manifests.
func sameSignatures(t *testing.T, ours, golden string) {
	a, b := readSignatures(t, ours), readSignatures(t, golden)
	if len(b) == 0 || len(a) != len(b) {
		t.Fatalf("%d signatures, want %d", len(a), len(b))
	}
	for i := range b {
		if !reflect.DeepEqual(a[i], b[i]) {
			t.Errorf("got\n%.500s\nwant\n%.500s", text1(a[i]), text1(b[i]))
		}
	}
	if filepath.Ext(golden) == ".zip" {
		x, y := manifest(t, ours), manifest(t, golden)
		if !reflect.DeepEqual(x, y) {
			t.Errorf("manifest: got\n%q\nwant\n%q", x, y)
		}
	}
}

func text1(s signature) []byte {
	b, _ := json.Marshal(s) // of numbers and strings it cannot fail
	return b
}

// readSignatures lists the sketches in a .sig, .sig.gz or .zip, sorted.
func readSignatures(t *testing.T, path string) []signature {
	t.Helper()
	files := [][]byte{readFile(t, path)}
	if filepath.Ext(path) == ".zip" {
		files = nil
		for name, data := range members(t, path) {
			if strings.HasPrefix(name, "signatures/") {
				files = append(files, data)
			}
		}
	}
	var all []signature
	for _, data := range files {
		for _, object := range decode[[]map[string]json.RawMessage](t, gunzip(t, data)) {
			for _, one := range decode[[]json.RawMessage](t, object["signatures"]) {
				all = append(all, oneSignature(t, object, one))
			}
		}
	}
	slices.SortFunc(all, func(a, b signature) int { return bytes.Compare(text1(a), text1(b)) })
	return all
}

func oneSignature(t *testing.T, object map[string]json.RawMessage, one json.RawMessage) signature {
	t.Helper()
	flat := map[string]json.RawMessage{"sketch": one}
	for key, value := range object {
		switch key {
		case "signatures":
		case "hash_function":
			flat["hash"] = value
		default:
			flat[key] = value
		}
	}
	data, err := json.Marshal(flat)
	if err != nil {
		t.Fatal(err)
	}
	return decode[signature](t, data)
}

func decode[T any](t *testing.T, data []byte) (v T) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %.200s", err, data)
	}
	return v
}

func gunzip(t *testing.T, data []byte) []byte {
	t.Helper()
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return data
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

// members reads a zip file.
func members(t *testing.T, path string) map[string][]byte {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	all := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if all[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// manifest returns the sorted rows of the manifest in a zip file, each of which
// must name a member, without that name: which of two sketches of equal digest
// gets the plain name is not said anywhere.
func manifest(t *testing.T, path string) []string {
	t.Helper()
	files := members(t, path)
	rows := strings.Split(strings.TrimSuffix(string(files["SOURMASH-MANIFEST.csv"]), "\r\n"), "\n")
	if len(rows) < 3 {
		t.Fatalf("%s: no manifest with a row", path)
	}
	for i, row := range rows[2:] {
		member, rest, _ := strings.Cut(row, ",")
		if files[member] == nil {
			t.Errorf("%s: the manifest names %s, which is not there", path, member)
		}
		rows[i+2] = strings.NewReplacer("True", "1", "False", "0").Replace(rest)
	}
	slices.Sort(rows[2:])
	return rows
}

// readNpy reads a numpy file of doubles, format 1.0.
func readNpy(t *testing.T, path string) []float64 {
	t.Helper()
	data := readFile(t, path)
	if len(data) < 10 || !bytes.HasPrefix(data, []byte("\x93NUMPY\x01\x00")) {
		t.Fatalf("%s: not a numpy file", path)
	}
	end := 10 + int(binary.LittleEndian.Uint16(data[8:]))
	if head := string(data[10:end]); !strings.Contains(head, "'descr': '<f8', 'fortran_order': False") {
		t.Fatalf("%s: %s", path, head)
	}
	var values []float64
	for body := data[end:]; len(body) > 0; body = body[8:] {
		values = append(values, math.Float64frombits(binary.LittleEndian.Uint64(body)))
	}
	return values
}
