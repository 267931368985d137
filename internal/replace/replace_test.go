// SPDX-License-Identifier: Apache-2.0

package replace

import (
	"os"
	"path/filepath"
	"testing"
)

// The old content stays until the new one is whole; nothing is left of what is
// dropped.
func TestFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	has := func(want string) {
		t.Helper()
		b, err := os.ReadFile(path)
		if err != nil || string(b) != want {
			t.Fatalf("%q, %v; want %q", b, err, want)
		}
	}
	if err := WriteFile(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	f, err := New(path)
	if err != nil {
		t.Fatal(err)
	}
	f.Write([]byte("new"))
	has("old")
	if err := f.Cleanup(); err != nil {
		t.Fatal(err)
	}
	has("old")
	if f, err = New(path); err != nil {
		t.Fatal(err)
	}
	f.Write([]byte("new"))
	if err := f.CloseAtomicallyReplace(); err != nil {
		t.Fatal(err)
	}
	if err := f.Cleanup(); err != nil {
		t.Fatal(err)
	}
	has("new")
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if _, err := New(filepath.Join(dir, "no", "a")); err == nil {
		t.Error("a file in no directory")
	}
}
