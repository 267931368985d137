// SPDX-License-Identifier: Apache-2.0

package bands

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gsketch/gsketch/sketch"
)

var killConfig = config(12, 4, 3)

const killWriters = 4 // at once

// TestMain is the writer that TestKilled kills: it adds documents, some at once,
// removes some, compacts and reopens, and says what has returned.
func TestMain(m *testing.M) {
	dir := os.Getenv("GSKETCH_TEST_WRITE")
	if dir == "" {
		os.Exit(m.Run())
	}
	x, err := reopen(dir)
	n := 0
	r := rand.New(rand.NewPCG(uint64(os.Getpid()), 1))
	for err == nil {
		switch n++; {
		case n%97 == 0:
			err = x.Backend.(*Disk).Compact()
		case n%41 == 0:
			if err = x.Close(); err == nil {
				x, err = reopen(dir)
			}
		case n%7 == 0:
			name := fmt.Sprintf("%d.%d.0", os.Getpid(), n-1)
			fmt.Printf("removing %s\n", name)
			_, err = x.Remove(func(m sketch.Meta) bool { return m.ID == name })
		default:
			var wg sync.WaitGroup
			failed := make([]error, killWriters)
			for i := range killWriters {
				it := testItem(killConfig.Params, r, fmt.Sprintf("%d.%d.%d", os.Getpid(), n, i))
				wg.Go(func() {
					if i%2 == 0 {
						_, failed[i] = x.Add([]sketch.Item{it})
					} else if hits, e := x.AddUnless(it, 1, 0.95); e != nil || len(hits) > 0 {
						failed[i] = errors.Join(e, fmt.Errorf("%d hits", len(hits)))
					}
					if failed[i] == nil {
						fmt.Printf("added %s\n", it.Meta.ID)
					}
				})
			}
			wg.Wait()
			err = errors.Join(failed...)
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func testItem(p sketch.Params, r *rand.Rand, name string) sketch.Item {
	var t testing.T
	return item(&t, p, r, name, 50)
}

// Whatever a writer has said to be done is there after it was killed, and the
// index is whole.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("kills writers for some seconds")
	}
	x, dir := create(t, killConfig)
	x.Close()
	want := map[string]bool{}   // added for certain
	unsure := map[string]bool{} // being added or removed when the writer died
	for round := range 12 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "GSKETCH_TEST_WRITE="+dir)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Duration(20+rand.IntN(250))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		for lines := bufio.NewScanner(out); lines.Scan(); {
			what, name, _ := strings.Cut(lines.Text(), " ")
			switch what {
			case "added":
				want[name] = true
			case "removing":
				delete(want, name)
				unsure[name] = true
			}
		}
		_ = cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != -1 {
			t.Fatalf("the writer ended with %d before it was killed", code)
		}
		if err := Check(dir); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		d, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		x, err := New(d)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]bool{}
		if err := x.EachItem(func(_ uint32, it sketch.Item) error { got[it.Meta.ID] = true; return nil }); err != nil {
			t.Fatal(err)
		}
		d.Close()
		for name := range want {
			if !got[name] {
				t.Fatalf("round %d: %s was acknowledged and is gone", round, name)
			}
		}
		extra := 0
		for name := range got {
			if !want[name] {
				if !unsure[name] {
					extra++ // written, but killed before it could say so
				}
				want[name] = true
			}
		}
		if extra > killWriters {
			t.Fatalf("round %d: %d documents more than were acknowledged", round, extra)
		}
		clear(unsure)
	}
	if len(want) < 100 {
		t.Fatalf("only %d documents were added: the test tests nothing", len(want))
	}
}
