// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

var kills = flag.Int("kills", 20, "how often TestKilledWhileWriting kills a writer")

// manyGenomes writes a file of n records, enough for output of many pages.
func manyGenomes(t *testing.T, n int) string {
	t.Helper()
	var text bytes.Buffer
	r := rand.New(rand.NewPCG(3, 3))
	for i := range n {
		fmt.Fprintf(&text, ">r%d\n", i)
		for range 1200 {
			text.WriteByte("ACGT"[r.IntN(4)])
		}
		text.WriteByte('\n')
	}
	path := filepath.Join(t.TempDir(), "many.fa")
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// whole says whether a file is as one of the two complete outputs.
func whole(t *testing.T, path string, outputs ...[]byte) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("nothing is left under the final name: %v", err)
	}
	for _, o := range outputs {
		if bytes.Equal(got, o) {
			return
		}
	}
	t.Fatalf("%s holds %d bytes that are neither the old file nor the new one", path, len(got))
}

func sketchCommand(in, out string) []string {
	return []string{"sketch", "-q", "--force", "--per-record", "-t", "2", "-o", out, in}
}

// A writer that is killed at any moment leaves the old file or the new one.
func TestKilledWhileWriting(t *testing.T) {
	in, dir := manyGenomes(t, 300), t.TempDir()
	for _, suffix := range []string{".parquet", ".zip", ".sig"} {
		out := filepath.Join(dir, "out"+suffix)
		begin := time.Now()
		if b, err := exec.Command("gsketch", sketchCommand(in, out)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, b)
		}
		took := time.Since(begin)
		fresh, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		old := []byte("the old file")
		r := rand.New(rand.NewPCG(9, 9))
		killed, finished := 0, 0
		for range *kills {
			if err := os.WriteFile(out, old, 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("gsketch", sketchCommand(in, out)...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(r.Float64() * 1.1 * float64(took)))
			_ = cmd.Process.Kill()
			if cmd.Wait() == nil {
				finished++
			} else {
				killed++
			}
			whole(t, out, old, fresh)
		}
		t.Logf("%s: %d killed, %d had finished", suffix, killed, finished)
	}
}

// Wherever the disk fills up (here: the limit on the size of a file), the old
// file stays, the exit code is 4 and nothing else is left behind.
func TestEveryWriteFailing(t *testing.T) {
	in := manyGenomes(t, 40)
	for _, suffix := range []string{".parquet", ".zip", ".sig", ".sig.gz", ".msh"} {
		dir := t.TempDir()
		out := filepath.Join(dir, "out"+suffix)
		if b, err := exec.Command("gsketch", sketchCommand(in, out)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, b)
		}
		fresh, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		old := []byte("the old file")
		const block = 512 // POSIX: the unit of ulimit -f
		limits := len(fresh) / block
		for limit := 0; limit <= limits; limit += 1 + limits/25 {
			if err := os.WriteFile(out, old, 0o600); err != nil {
				t.Fatal(err)
			}
			script := `ulimit -f "$0"; exec gsketch "$@"`
			cmd := exec.Command("sh", append([]string{"-c", script, strconv.Itoa(limit)}, sketchCommand(in, out)...)...)
			b, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			switch {
			case err == nil && limit*block >= len(fresh)-block:
				whole(t, out, fresh)
			case !errors.As(err, &exit) || exit.ExitCode() != exitOutput:
				t.Fatalf("%s at %d bytes: %v: %s", suffix, limit*block, err, b)
			default:
				whole(t, out, old)
			}
			left, err := os.ReadDir(dir)
			if err != nil || len(left) != 1 {
				t.Fatalf("%s at %d bytes: %d files are left: %v", suffix, limit*block, len(left), left)
			}
		}
	}
}

// An output that cannot be made is known before the work begins.
func TestOutputIsOpenedFirst(t *testing.T) {
	dir := t.TempDir()
	for _, out := range []string{filepath.Join(dir, "no", "such", "dir", "o.msh"), "/proc/nothing/o.msh"} {
		b, err := exec.Command("gsketch", "sketch", "-o", out, "/dev/stdin").CombinedOutput() // which would wait
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != exitOutput {
			t.Errorf("%s: %v: %s", out, err, b)
		}
	}
}
