// SPDX-License-Identifier: Apache-2.0

package sig_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/formats/sig"
	"github.com/gsketch/gsketch/internal/shared"
	"github.com/gsketch/gsketch/sketch"
)

func readZip(data []byte, path string) (items []sketch.Item, warnings []string, err error) {
	items, err = sig.ReadZip(bytes.NewReader(data), int64(len(data)), path, func(line string) { warnings = append(warnings, line) })
	return items, warnings, err
}

// three are sketches of which two have one md5sum.
func three(t testing.TB) []sketch.Item {
	a, b, c := manyHashes(t, 9, false), manyHashes(t, 9, true), manyHashes(t, 8, false)
	b.Meta.ID, c.Meta.ID = `with "quotes", commas`, ""
	return []sketch.Item{a, b, c}
}

func TestZipMembers(t *testing.T) {
	items := three(t)
	data := written(t, sig.NewZipWriter, items)
	if again := written(t, sig.NewZipWriter, items); !bytes.Equal(data, again) {
		t.Error("the same items give different bytes")
	}
	zr, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	digest, err := sig.Digest(items[0].Sketch.(sketch.HashSet))
	if err != nil {
		t.Fatal(err)
	}
	other, err := sig.Digest(items[2].Sketch.(sketch.HashSet))
	if err != nil {
		t.Fatal(err)
	}
	first := "signatures/" + digest + ".sig.gz"
	want := []string{first, first + "_0", "signatures/" + other + ".sig.gz", "SOURMASH-MANIFEST.csv"}
	var names []string
	for _, f := range zr.File {
		names = append(names, f.Name)
		if stored := f.Method == zip.Store; stored != strings.HasPrefix(f.Name, "signatures/") || f.Flags&8 != 0 {
			t.Errorf("%s: method %d, flags %x", f.Name, f.Method, f.Flags)
		}
	}
	if !slices.Equal(names, want) {
		t.Errorf("members %q, want %q", names, want)
	}
	f, err := zr.Open("SOURMASH-MANIFEST.csv")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	wantManifest := "# SOURMASH-MANIFEST-VERSION: 1.0\n" +
		"internal_location,md5,md5short,ksize,moltype,num,scaled,n_hashes,with_abundance,name,filename\r\n" +
		fmt.Sprintf("%s,%s,%.8s,31,DNA,0,1000,9,False,many,many.fa\r\n", want[0], digest, digest) +
		fmt.Sprintf("%s,%s,%.8s,31,DNA,0,1000,9,True,\"with \"\"quotes\"\", commas\",many.fa\r\n", want[1], digest, digest) +
		fmt.Sprintf("%s,%s,%.8s,31,DNA,0,1000,8,False,,many.fa\r\n", want[2], other, other)
	if string(text) != wantManifest {
		t.Errorf("manifest\n%s\nwant\n%s", text, wantManifest)
	}
	back, warnings, err := readZip(data, "t.zip")
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	if err := same(items, back); err != nil {
		t.Error(err)
	}
}

// repack copies the members of a collection; edit says under which names,
// and with what content.
func repack(t *testing.T, data []byte, edit func(name string, content []byte) map[string][]byte) []byte {
	t.Helper()
	zr, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	zw := zip.NewWriter(&buf)
	for _, f := range zr.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		for name, content := range edit(f.Name, content) {
			w, err := zw.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write(content); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestManifestThatDoesNotMatch(t *testing.T) {
	items := three(t)
	data := written(t, sig.NewZipWriter, items)
	manifest := func(change func(lines []string) []string) []byte {
		return repack(t, data, func(name string, content []byte) map[string][]byte {
			if name == "SOURMASH-MANIFEST.csv" {
				content = []byte(strings.Join(change(strings.SplitAfter(string(content), "\n")), ""))
			}
			return map[string][]byte{name: content}
		})
	}
	for _, c := range []struct {
		name  string
		data  []byte
		order []int
		warn  string
	}{
		{"other order", manifest(func(l []string) []string { return []string{l[0], l[1], l[4], l[3], l[2]} }), []int{2, 1, 0}, ""},
		{"a row twice", manifest(func(l []string) []string { return append(l[:5:5], l[2]) }), []int{0, 1, 2}, "4 rows and the file 3 sketches, of which 3 match"},
		{"a row less", manifest(func(l []string) []string { return l[:4] }), []int{0, 1, 2}, "2 rows and the file 3 sketches, of which 2 match"},
		{"another name", manifest(func(l []string) []string { return append(l[:4:4], strings.Replace(l[4], ",,", ",x,", 1)) }), []int{0, 1, 2}, "3 rows and the file 3 sketches, of which 2 match"},
		{"none", repack(t, data, func(name string, content []byte) map[string][]byte {
			if name == "SOURMASH-MANIFEST.csv" {
				return nil
			}
			return map[string][]byte{name: content}
		}), []int{0, 1, 2}, ""},
	} {
		var want []sketch.Item
		for _, i := range c.order {
			want = append(want, items[i])
		}
		got, warnings, err := readZip(c.data, "t.zip")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err := same(want, got); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if c.warn == "" && len(warnings) > 0 || c.warn != "" && (len(warnings) != 1 || !strings.Contains(warnings[0], "t.zip: the manifest has "+c.warn)) {
			t.Errorf("%s: warnings %q, want %q", c.name, warnings, c.warn)
		}
	}
}

func TestZipRefused(t *testing.T) {
	data := written(t, sig.NewZipWriter, three(t))
	with := func(name, content string) []byte {
		return repack(t, data, func(n string, c []byte) map[string][]byte {
			if n == "SOURMASH-MANIFEST.csv" {
				return map[string][]byte{name: []byte(content), n: c}
			}
			return map[string][]byte{n: c}
		})
	}
	damaged := bytes.Clone(data)
	damaged[len("PK..")+200] ^= 1 // in the first member
	for _, c := range []struct {
		name, want string
		data       []byte
	}{
		{"empty", "not a complete zip file", nil},
		{"text", "not a complete zip file", []byte("no zip at all")},
		{"cut", "not a complete zip file", data[:len(data)/2]},
		{"one byte short", "not a complete zip file", data[:len(data)-1]},
		{"SBT", "sourmash SBT index", with("x.sbt.json", "{}")},
		{"member is no signature", "x.sig, byte 0: not a sourmash signature file", with("x.sig", "GATTACA")},
		{"one bit", ".sig.gz", damaged},
		{"member missing", "which the file does not hold", repack(t, data, func(name string, content []byte) map[string][]byte {
			if strings.HasSuffix(name, "_0") {
				return nil
			}
			return map[string][]byte{name: content}
		})},
		{"manifest of version 2", "version", repack(t, data, func(name string, content []byte) map[string][]byte {
			return map[string][]byte{name: bytes.Replace(content, []byte("VERSION: 1.0"), []byte("VERSION: 2.0"), 1)}
		})},
		{"manifest without names", `no column "name"`, repack(t, data, func(name string, content []byte) map[string][]byte {
			return map[string][]byte{name: bytes.Replace(content, []byte(",name,"), []byte(",called,"), 1)}
		})},
	} {
		_, _, err := readZip(c.data, "t.zip")
		var in *sketch.InputError
		if !errors.As(err, &in) || !strings.HasPrefix(err.Error(), "t.zip") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestOverlappingMembers lists one member many times, as zip bombs do.
func TestOverlappingMembers(t *testing.T) {
	data := written(t, sig.NewZipWriter, []sketch.Item{manyHashes(t, 1000, false)})
	const end = 22 // size of the end record
	tail := data[len(data)-end:]
	at := binary.LittleEndian.Uint32(tail[16:])
	directory := data[at : len(data)-end]
	n := binary.LittleEndian.Uint16(tail[10:])
	bomb := bytes.Clone(data[:at])
	for range 50 {
		bomb = append(bomb, directory...)
	}
	bomb = append(bomb, tail...)
	tail = bomb[len(bomb)-end:]
	binary.LittleEndian.PutUint16(tail[8:], 50*n)
	binary.LittleEndian.PutUint16(tail[10:], 50*n)
	binary.LittleEndian.PutUint32(tail[12:], uint32(50*len(directory)))
	if _, _, err := readZip(bomb, "t.zip"); err == nil || !strings.Contains(err.Error(), "members overlap") {
		t.Error(err)
	}
}

// TestZipCases are files of users' fault reports, with the numbers that
// sourmash finds in them.
func TestZipCases(t *testing.T) {
	for _, c := range []struct {
		path   string
		hashes []int
		warn   bool
	}{
		{"46-broken-zip/good.zip", []int{621}, false},
		{"46-broken-zip/cut.zip", nil, false},
		{"46-broken-zip/zero.zip", nil, false},
		{"46-broken-zip/notzip.zip", nil, false},
		{"51-same-output-twice/twice.zip", []int{176, 202}, true},
	} {
		data, err := os.ReadFile(shared.Path(t, "cases", "genomics", c.path))
		if err != nil {
			t.Fatal(err)
		}
		items, warnings, err := readZip(data, c.path)
		if c.hashes == nil {
			if err == nil || !strings.HasPrefix(err.Error(), c.path+": not a complete zip file") {
				t.Errorf("%s: %v", c.path, err)
			}
			continue
		}
		var hashes []int
		for _, item := range items {
			hashes = append(hashes, item.Sketch.Len())
		}
		if err != nil || !slices.Equal(hashes, c.hashes) || len(warnings) == 1 != c.warn {
			t.Errorf("%s: %v hashes, %q, %v", c.path, hashes, warnings, err)
		}
	}
}
