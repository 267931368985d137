// SPDX-License-Identifier: Apache-2.0

package stream

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/gsketch/gsketch/sketch"
)

func write(t *testing.T, dir, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func readFile(t *testing.T, path string, threads int) []byte {
	t.Helper()
	s, err := Open(path, Options{Threads: threads})
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("closed again: %v", err)
	}
	return out
}

// TestNamesMeanNothing: any content under any name.
func TestNamesMeanNothing(t *testing.T) {
	dir, data := t.TempDir(), text(1000)
	for _, p := range packers {
		for _, name := range []string{"a.fa", "a.gz", "a.bz2", "a.xz", "a.zst", "a b (1)\t.txt"} {
			path := write(t, dir, name, p.pack(t, data))
			if out := readFile(t, path, 1); !bytes.Equal(out, data) {
				t.Errorf("%q as %s: %d bytes", p.name, name, len(out))
			}
		}
	}
}

func TestStandardInput(t *testing.T) {
	stdin := os.Stdin
	defer func() { os.Stdin = stdin }()
	data := text(300_000)
	for _, p := range packers {
		in := p.pack(t, data)
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		os.Stdin = r
		go func() {
			w.Write(in)
			w.Close()
		}()
		if out := readFile(t, "-", 2); !bytes.Equal(out, data) {
			t.Errorf("%q: %d bytes", p.name, len(out))
		}
		if err := r.Close(); err != nil {
			t.Errorf("Close closed standard input: %v", err)
		}
	}
}

func TestDashIsAFileToo(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", "-", []byte(">a\nACGT\n"))
	if out := readFile(t, "./-", 1); string(out) != ">a\nACGT\n" {
		t.Errorf("%q", out)
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.Mkdir("genomes", 0o700); err != nil {
		t.Fatal(err)
	}
	file := write(t, dir, "file", nil)
	for path, want := range map[string]string{
		"nothing.fa":             "nothing.fa: no such file or directory",
		"genomes":                "genomes: is a directory (use --recursive)",
		filepath.Join(file, "x"): filepath.Join(file, "x") + ": not a directory",
	} {
		_, err := Open(path, Options{})
		var e *sketch.InputError
		if !errors.As(err, &e) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := Open("nothing.fa", Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v is not fs.ErrNotExist", err)
	}
	if err := os.Chmod(file, 0); err != nil {
		t.Fatal(err)
	}
	_, err := Open("file", Options{})
	switch {
	case os.Geteuid() == 0:
		t.Log("SKIPPED: no file is forbidden to root")
	case err == nil || err.Error() != "file: permission denied":
		t.Errorf("%v, want file: permission denied", err)
	}
}

// TestDirectoryAsStandardInput: it opens, and only reading fails.
func TestDirectoryAsStandardInput(t *testing.T) {
	stdin := os.Stdin
	defer func() { os.Stdin = stdin }()
	dir, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	os.Stdin = dir
	_, err = Open("-", Options{})
	if want := "standard input, byte 0: is a directory (use --recursive)"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestPeek(t *testing.T) {
	data := text(100_000)
	for _, p := range packers {
		for _, threads := range []int{1, 2} {
			s, err := newStream(bytes.NewReader(p.pack(t, data)), "x", Options{Threads: threads})
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []int{1, 100, MaxPeek} {
				if head, err := s.Peek(n); err != nil || !bytes.Equal(head, data[:n]) {
					t.Errorf("%q: Peek(%d): %d bytes, %v", p.name, n, len(head), err)
				}
			}
			if head, _ := s.Peek(MaxPeek + 1); len(head) != MaxPeek {
				t.Errorf("%q: Peek(MaxPeek+1): %d bytes", p.name, len(head))
			}
			if out, err := io.ReadAll(s); err != nil || !bytes.Equal(out, data) {
				t.Errorf("%q: then %d bytes, %v", p.name, len(out), err)
			}
			if head, err := s.Peek(1); err != io.EOF || len(head) != 0 {
				t.Errorf("%q: at the end: %d bytes, %v", p.name, len(head), err)
			}
			s.Close()
		}
	}
}

// TestPeekError: Peek meets the error that Read meets, at the same byte, and
// does not take it away.
func TestPeekError(t *testing.T) {
	in := packers[1].pack(t, text(1000))
	in[len(in)-8] ^= 1 // of the checksum
	s, err := newStream(bytes.NewReader(in), "x", Options{})
	if err != nil {
		t.Fatal(err)
	}
	head, peekErr := s.Peek(MaxPeek)
	out, readErr := io.ReadAll(s)
	want := "x, byte 1000: corrupt gzip stream: gzip: invalid checksum"
	if len(head) != 1000 || len(out) != 1000 || peekErr == nil || readErr == nil || peekErr.Error() != want || readErr.Error() != want {
		t.Errorf("%d bytes, %v; %d bytes, %v; want %s", len(head), peekErr, len(out), readErr, want)
	}
}

// TestReadError: an error of the system is passed on, through every codec.
func TestReadError(t *testing.T) {
	broken := &fs.PathError{Op: "read", Path: "/x", Err: errors.New("input/output error")}
	for _, p := range packers {
		in := p.pack(t, text(300_000))
		for _, threads := range []int{1, 2} {
			src := io.MultiReader(bytes.NewReader(in[:len(in)/2]), iotest.ErrReader(broken))
			_, _, _, err := unpack(src, threads)
			if err == nil || !strings.HasPrefix(err.Error(), "x, byte ") || !strings.HasSuffix(err.Error(), ": input/output error") {
				t.Errorf("%q, %d threads: %v", p.name, threads, err)
			}
		}
	}
}

// TestCloseWhileWaiting: Close returns though the other end of a pipe neither
// writes nor closes, and reading after it is an error.
func TestCloseWhileWaiting(t *testing.T) {
	data := bytes.Repeat(text(10_000), 100) // more than what is read ahead at once
	for _, p := range packers {
		for _, threads := range []int{1, 2} {
			r, w := io.Pipe()
			in := p.pack(t, data)
			go w.Write(in[:len(in)-1])
			done := make(chan error)
			go func() {
				s, err := newStream(r, "x", Options{Threads: threads})
				if err == nil {
					_, err = s.Peek(1)
				}
				if err == nil {
					err = s.Close()
				}
				if err == nil {
					if _, e := s.Read(make([]byte, 1)); !errors.Is(e, fs.ErrClosed) {
						err = errors.New("read after Close")
					}
				}
				done <- err
			}()
			select {
			case err := <-done:
				if err != nil {
					t.Errorf("%q, %d threads: %v", p.name, threads, err)
				}
			case <-time.After(20 * time.Second):
				t.Fatalf("%q, %d threads: Close waits", p.name, threads)
			}
			w.CloseWithError(io.ErrClosedPipe)
		}
	}
}
