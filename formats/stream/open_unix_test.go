// SPDX-License-Identifier: Apache-2.0

//go:build unix

package stream

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipes: named pipes and /dev/fd/N, as <(command) in a shell makes them,
// can be read once, from the start to the end.
func TestPipes(t *testing.T) {
	data := text(300_000)
	for _, p := range packers {
		in := p.pack(t, data)
		fifo := filepath.Join(t.TempDir(), "fifo")
		if err := syscall.Mkfifo(fifo, 0o600); err != nil {
			t.Fatal(err)
		}
		go func() {
			if err := os.WriteFile(fifo, in, 0); err != nil {
				t.Error(err)
			}
		}()
		if out := readFile(t, fifo, 2); !bytes.Equal(out, data) {
			t.Errorf("%q, named pipe: %d bytes", p.name, len(out))
		}

		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			w.Write(in)
			w.Close()
		}()
		fd := fmt.Sprintf("/dev/fd/%d", r.Fd())
		if _, err := os.Stat(fd); err != nil {
			t.Skipf("SKIPPED: %v", err)
		}
		if out := readFile(t, fd, 1); !bytes.Equal(out, data) {
			t.Errorf("%q, %s: %d bytes", p.name, fd, len(out))
		}
		r.Close()
	}
}
