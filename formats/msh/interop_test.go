// SPDX-License-Identifier: Apache-2.0

package msh_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/formats/msh"
	"github.com/gsketch/gsketch/internal/shared"
)

// mash returns the peer's path, or skips aloud.
func mash(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("mash")
	if err != nil {
		t.Skip("SKIPPED: no mash on PATH to compare with")
	}
	return path
}

func run(t testing.TB, name string, args ...string) string {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}

// TestGoldensThroughReadAndWrite reads each file of Mash 2.3, writes it again
// and asks Mash whether it still says the same.
func TestGoldensThroughReadAndWrite(t *testing.T) {
	peer := mash(t)
	golden := shared.Path(t, "golden", "genomics", "expected", "mash")
	files, err := filepath.Glob(filepath.Join(golden, "*.msh"))
	if err != nil || len(files) < 40 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, theirs := range files {
		t.Run(filepath.Base(theirs), func(t *testing.T) {
			data, err := os.ReadFile(theirs)
			if err != nil {
				t.Fatal(err)
			}
			f, err := msh.Read(data, theirs)
			if err != nil {
				t.Fatal(err)
			}
			ours := filepath.Join(t.TempDir(), "ours.msh")
			var buf bytes.Buffer
			if err := msh.Write(&buf, f); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(ours, buf.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			if got, want := run(t, peer, "info", "-d", ours), run(t, peer, "info", "-d", theirs); got != want {
				t.Errorf("mash info -d differs:\n%.2000s\nwant\n%.2000s", got, want)
			}
			if f.Len() > 0 {
				if got := run(t, peer, "dist", ours, theirs); strings.Count(got, "\t0\t") == 0 {
					t.Errorf("no distance is 0 between the file and itself:\n%s", got)
				}
			}
		})
	}
}
