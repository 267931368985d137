// SPDX-License-Identifier: Apache-2.0

package sig_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"testing"

	"github.com/gsketch/gsketch/formats/sig"
	"github.com/gsketch/gsketch/sketch"
)

// again writes what was read and reads it back.
func again(t *testing.T, items []sketch.Item, err error) {
	if err != nil {
		var in *sketch.InputError
		if !errors.As(err, &in) {
			t.Fatalf("%T: %v", err, err)
		}
		return
	}
	var buf bytes.Buffer
	if err := sig.Write(&buf, items); err != nil {
		return // an odd scaled, say
	}
	back, err := sig.Read(&buf, "again.sig")
	if err != nil {
		t.Fatal(err)
	}
	for i := range items {
		if items[i].Meta.Source == "-" {
			items[i].Meta.Source = "" // standard input
		}
	}
	if err := same(items, back); err != nil {
		t.Fatal(err)
	}
}

// FuzzRead wants an *sketch.InputError or sketches that write and read back as
// themselves.
func FuzzRead(f *testing.F) {
	const hashes = `"mins":[5,12],"md5sum":"` + k21 + `"`
	f.Add([]byte(one(dnaFields+`"num":0,"max_hash":18446744073709552,`+hashes, `"name":"a\n",`)))
	f.Add([]byte(one(dnaFields+`"abundances":[1,2],"num":3,"max_hash":0,"x":[{}],`+hashes, "")))
	f.Add([]byte(one(dnaFields+`"num":0,"max_hash":18446744073709552,"mins":[12,5],"md5sum":"`+k21+`"`, "")))
	f.Add([]byte(one(`"ksize":21,"seed":42,"molecule":"hp","num":0,"max_hash":18446744073709552,`+hashes, "")))
	f.Add([]byte(`[{"hash_function":"0.murmur64","signatures":[]}]`))
	f.Add([]byte(`{"type":"sourmash_lca"}`))
	f.Add(written(f, sig.NewGzipWriter, []sketch.Item{manyHashes(f, 3, true)}))
	f.Fuzz(func(t *testing.T, data []byte) {
		items, err := sig.Read(bytes.NewReader(data), "fuzz.sig")
		again(t, items, err)
	})
}

// FuzzReadZip is FuzzRead for collections.
func FuzzReadZip(f *testing.F) {
	f.Add(written(f, sig.NewZipWriter, nil))
	f.Add(written(f, sig.NewZipWriter, three(f)))
	f.Fuzz(func(t *testing.T, data []byte) {
		items, err := sig.ReadZip(bytes.NewReader(data), int64(len(data)), "fuzz.zip", func(string) {})
		again(t, items, err)
	})
}

// FuzzReadMember is FuzzReadZip behind the checksums of the zip format.
func FuzzReadMember(f *testing.F) {
	f.Add("signatures/x.sig", []byte("# SOURMASH-MANIFEST-VERSION: 1.0\ninternal_location,md5,moltype,name\r\nsignatures/x.sig,"+k21+",DNA,a\r\n"),
		[]byte(one(dnaFields+`"num":3,"max_hash":0,"mins":[5,12],"md5sum":"`+k21+`"`, `"name":"a",`)))
	f.Add("a.sig.gz_0", []byte("# SOURMASH-MANIFEST-VERSION: 1\nname,md5,moltype,internal_location\n\"\"\"\",x,DNA,a.sig.gz_0\n"), []byte("[]"))
	f.Fuzz(func(t *testing.T, name string, manifest, content []byte) {
		var buf bytes.Buffer
		zw := zip.NewWriter(&buf)
		for _, m := range []struct {
			name    string
			content []byte
		}{{name, content}, {"SOURMASH-MANIFEST.csv", manifest}} {
			w, err := zw.Create(m.name)
			if err != nil {
				t.Skip()
			}
			if _, err := w.Write(m.content); err != nil {
				t.Skip() // the name of a directory
			}
		}
		if err := zw.Close(); err != nil {
			t.Fatal(err)
		}
		items, err := sig.ReadZip(bytes.NewReader(buf.Bytes()), int64(buf.Len()), "fuzz.zip", nil)
		again(t, items, err)
	})
}
