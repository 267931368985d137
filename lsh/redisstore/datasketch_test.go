// SPDX-License-Identifier: Apache-2.0

package redisstore

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/index/bands"
	"github.com/gsketch/gsketch/internal/redistest"
	"github.com/gsketch/gsketch/sketch"
)

// A peer is datasketch on the same server.
type peer struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Scanner
}

func startPeer(t *testing.T, s *redistest.Server, basename string, c bands.Config) *peer {
	t.Helper()
	python := os.Getenv("DATASKETCH_PYTHON")
	if python == "" {
		python, _ = filepath.Abs("../../.peers/venv/bin/python")
	}
	if err := exec.Command(python, "-c", "import datasketch, redis").Run(); err != nil {
		t.Skip("datasketch is not installed (scripts/peers installs it): its layout in Redis is not tested")
	}
	_, port, _ := net.SplitHostPort(s.Address)
	cmd := exec.Command(python, "testdata/peer.py", port, basename, fmt.Sprint(c.Bands), fmt.Sprint(c.Rows), fmt.Sprint(c.Params.Size), c.Params.Hash.Permutation)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
	})
	return &peer{t, in, bufio.NewScanner(out)}
}

func (p *peer) ask(answer any, what string, name any, it *sketch.Item) {
	p.t.Helper()
	var slots []uint64
	if it != nil {
		slots = it.Sketch.(sketch.Signature).AppendSlots(nil)
	}
	line, err := json.Marshal([]any{what, name, slots})
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		p.t.Fatal(err)
	}
	if !p.out.Scan() {
		p.t.Fatalf("datasketch does not answer %s", what)
	}
	if answer != nil {
		if err := json.Unmarshal(p.out.Bytes(), answer); err != nil {
			p.t.Fatal(err)
		}
	}
}

// datasketch finds what we put into Redis, and we what it put there, and either
// removes what the other put.
func TestDatasketch(t *testing.T) {
	s := redistest.Start(t)
	for _, scheme := range []string{sketch.Affine32, sketch.Affine64, sketch.Legacy} {
		t.Run(scheme, func(t *testing.T) {
			c := config(16, 5, 3)
			c.Params.Hash.Permutation = scheme
			p := startPeer(t, s, scheme, c)
			d, err := OpenDatasketch(context.Background(), options(s, scheme), c)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			r := rand.New(rand.NewPCG(1, 7))
			var items []sketch.Item
			for i := range 60 {
				it := item(t, c.Params, r, fmt.Sprintf("set %d ü", i), 4)
				items = append(items, it)
				if i%2 == 0 {
					p.ask(nil, "insert", it.Meta.ID, &it)
				} else if err := d.Insert(it.Meta.ID, it.Sketch.(sketch.Signature)); err != nil {
					t.Fatal(err)
				}
			}
			same := func() {
				t.Helper()
				most := 0
				for _, it := range items {
					var theirs []string
					p.ask(&theirs, "query", "", &it)
					ours, err := d.Query(it.Sketch.(sketch.Signature))
					if err != nil || !slices.Equal(ours, theirs) {
						t.Fatalf("%s: we find %v, datasketch %v; %v", it.Meta.ID, ours, theirs, err)
					}
					most = max(most, len(ours))
				}
				if most < 5 {
					t.Fatalf("at most %d are found: the test tests nothing", most)
				}
			}
			same()
			for i, it := range items[:20] {
				var there bool
				if p.ask(&there, "contains", it.Meta.ID, nil); !there {
					t.Errorf("datasketch does not know %s", it.Meta.ID)
				}
				if err := d.Insert(it.Meta.ID, it.Sketch.(sketch.Signature)); !errors.Is(err, os.ErrExist) {
					t.Errorf("a name twice: %v", err)
				}
				if i%4 < 2 {
					p.ask(nil, "remove", it.Meta.ID, nil)
				} else if gone, err := d.Remove(it.Meta.ID); err != nil || !gone {
					t.Errorf("remove %s: %v, %v", it.Meta.ID, gone, err)
				}
			}
			same()
			names, err := d.Names()
			if err != nil || len(names) != 40 {
				t.Errorf("%d names, want 40; %v", len(names), err)
			}
			if found, err := d.Remove("never there"); found || err != nil {
				t.Errorf("removed what was never there: %v, %v", found, err)
			}
		})
	}
}

// A server that comes back empty is an error there, too.
func TestDatasketchLost(t *testing.T) {
	s := redistest.Start(t)
	c := config(16, 5, 3)
	d, err := OpenDatasketch(context.Background(), options(s, "p"), c)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	it := item(t, c.Params, rand.New(rand.NewPCG(1, 1)), "x", 9)
	sig := it.Sketch.(sketch.Signature)
	if found, err := d.Query(sig); err != nil || len(found) != 0 {
		t.Fatalf("an empty index: %v, %v", found, err)
	}
	if err := d.Insert("x", sig); err != nil {
		t.Fatal(err)
	}
	s.Stop()
	s.Run()
	if found, err := d.Query(sig); !errors.Is(err, ErrBackend) {
		t.Errorf("an emptied server: %v, %v", found, err)
	}
}

// Names are read from what Python writes, in every protocol, and written as it
// writes them.
func TestPickle(t *testing.T) {
	s := redistest.Start(t)
	p := startPeer(t, s, "x", config(16, 5, 3))
	for _, v := range []any{"", "a", "abc", "ü\n'\\", strings.Repeat("long ", 51), strings.Repeat("x", 300), 0, 7, 255, 256, 70000, -1, -129, 1 << 40} {
		var dumps []string
		p.ask(&dumps, "pickle", v, nil)
		want := fmt.Sprint(v)
		for protocol, dump := range dumps[2:] { // 0 and 1 are text, from before 2003
			b, err := hex.DecodeString(dump)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := unpickle(b); err != nil || got != want {
				t.Errorf("protocol %d of %.20q: %.20q, %v", protocol+2, want, got, err)
			}
			name, ok := v.(string)
			if !ok || protocol+2 < 4 {
				continue
			}
			if ours, err := pickle(name, byte(protocol+2)); err != nil || hex.EncodeToString(ours) != dump {
				t.Errorf("%.20q is written as %x (%v), by Python as %s", name, ours, err, dump)
			}
		}
	}
	for _, v := range []any{[]string{"a"}, map[string]int{"a": 1}, 1.5, nil, true} {
		var dumps []string
		p.ask(&dumps, "pickle", v, nil)
		for _, dump := range dumps {
			b, _ := hex.DecodeString(dump)
			if got, err := unpickle(b); err == nil {
				t.Errorf("%v is read as %q", v, got)
			}
		}
	}
}

// A pickle that would run a command is refused.
func TestHostilePickle(t *testing.T) {
	for _, b := range []string{"cos\nsystem\n(S'true'\ntR.", "\x80\x04\x8c\x05posix\x8c\x06system\x93\x8c\x04true\x85R.", "\x80\x04\x8c\x01ab.", "\x80\x04\x8c\x01a\x8c\x01b.", "\x80\x04.", "", "\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\xffa."} {
		if got, err := unpickle([]byte(b)); err == nil {
			t.Errorf("%q is read as %q", b, got)
		}
	}
}

func FuzzUnpickle(f *testing.F) {
	p, _ := pickle("name", 4)
	f.Add(p)
	f.Fuzz(func(t *testing.T, b []byte) {
		name, err := unpickle(b)
		if err == nil && len(name) > 3*len(b)+8 {
			t.Fatalf("%d bytes became %d", len(b), len(name))
		}
	})
}
