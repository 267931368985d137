// SPDX-License-Identifier: Apache-2.0

package sig_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/formats/sig"
	"github.com/gsketch/gsketch/internal/shared"
	"github.com/gsketch/gsketch/sketch"
)

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestDirectory(t *testing.T) {
	items := three(t)
	dir := filepath.Join(t.TempDir(), "made", "here")
	for range 2 { // the second time replaces what the first has written
		w, err := sig.NewDirWriter(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range items {
			if err := w.Add(item); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	digest, err := sig.Digest(items[0].Sketch.(sketch.HashSet))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]sketch.Item{digest + ".sig.gz": items[0], digest + "_0.sig.gz": items[1]} {
		got, err := sig.ReadPath(filepath.Join(dir, name), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := same([]sketch.Item{want}, got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	write(t, filepath.Join(dir, "README"), []byte("not read"))
	got, err := sig.ReadPath(filepath.Dir(dir), nil)
	if err != nil || len(got) != 3 {
		t.Errorf("%d sketches below the directory, %v", len(got), err)
	}
}

func TestListsAndManifests(t *testing.T) {
	items := three(t)
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, "sub/a.sig", written(t, sig.NewWriter, items[:1]))
	write(t, "sub/b.zip", written(t, sig.NewZipWriter, items[1:]))
	write(t, "sub/list.txt", []byte("sub/b.zip\r\n\nsub/a.sig\n"))
	digest, err := sig.Digest(items[2].Sketch.(sketch.HashSet))
	if err != nil {
		t.Fatal(err)
	}
	const head = "# SOURMASH-MANIFEST-VERSION: 1.0\ninternal_location,md5,md5short,ksize,moltype,num,scaled,n_hashes,with_abundance,name,filename\r\n"
	row := func(location, md5, name string) string {
		return fmt.Sprintf("%s,%s,%.8s,31,DNA,0,1000,8,0,%s,many.fa\r\n", location, md5, md5, name)
	}
	write(t, "sub/m.csv", []byte(head+row("b.zip", digest, "")))
	write(t, "sub/absolute.csv", []byte(head+row(filepath.Join(dir, "sub", "b.zip"), digest, "")))
	write(t, "sub/stale.csv", []byte(head+row("b.zip", digest, "renamed")))
	write(t, "loop.txt", []byte("loop.txt\n"))
	write(t, "gone.txt", []byte("sub/a.sig\nnowhere.sig\n"))
	write(t, "reads.txt", []byte("GATTACA\n"))
	write(t, "empty", nil)
	write(t, "empty.zip", nil)
	write(t, "text.zip", []byte("not zipped"))
	write(t, "nothing/here.txt", []byte("x"))
	write(t, "x.sqldb", []byte("SQLite format 3\x00"))
	write(t, "rocks/CURRENT", []byte("MANIFEST-000005\n"))
	for path, want := range map[string][]int{
		"sub/a.sig": {0}, "sub/b.zip": {1, 2}, "sub/list.txt": {1, 2, 0}, "sub/m.csv": {2}, "sub/absolute.csv": {2}, "sub": {0},
	} {
		var expected []sketch.Item
		for _, i := range want {
			expected = append(expected, items[i])
		}
		got, err := sig.ReadPath(path, func(line string) { t.Errorf("%s: %s", path, line) })
		if err == nil {
			err = same(expected, got)
		}
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	for path, want := range map[string]string{
		"sub/stale.csv": `sub/stale.csv: no sketch "renamed" with md5sum`,
		"loop.txt":      "loop.txt: lists of lists nested",
		"gone.txt":      "nowhere.sig: no such file or directory",
		"reads.txt":     "reads.txt: not a sourmash signature file, nor a list of paths",
		"empty":         "empty: empty: unexpected EOF",
		"empty.zip":     "empty.zip: not a complete zip file",
		"text.zip":      "text.zip: not a complete zip file",
		"nothing":       "nothing: no .sig or .sig.gz file in this directory",
		"x.sqldb":       "x.sqldb: this is a sourmash SQLite database",
		"rocks":         "rocks: this is a sourmash RocksDB index",
		"absent":        "absent: no such file or directory",
	} {
		if _, err := sig.ReadPath(path, nil); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

// TestSourmashIndexes has an SBT that sourmash 4.9 wrote.
func TestSourmashIndexes(t *testing.T) {
	path := shared.Path(t, "golden", "genomics", "expected", "sourmash", "s_sbt.sbt.zip")
	if _, err := sig.ReadPath(path, nil); err == nil || !strings.Contains(err.Error(), "sourmash SBT index") {
		t.Error(err)
	}
}
