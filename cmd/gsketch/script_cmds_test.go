// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// randomFasta is the script command
//
//	random FILE SEED LENGTH [mutated RATE_PERCENT]
//
// It writes a record "s SEED" of random bases; mutated, every base is replaced
// with that probability by another one.
func randomFasta(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 && len(args) != 5 {
		ts.Fatalf("usage: random FILE SEED LENGTH [mutated PERCENT]")
	}
	seed, err := strconv.ParseUint(args[1], 10, 64)
	ts.Check(err)
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	r := rand.New(rand.NewPCG(seed, 0))
	bases := make([]byte, n)
	for i := range bases {
		bases[i] = "ACGT"[r.IntN(4)]
	}
	if len(args) == 5 {
		percent, err := strconv.Atoi(args[4])
		ts.Check(err)
		for i, b := range bases {
			if r.IntN(100) < percent {
				bases[i] = "ACGT"[(strings.IndexByte("ACGT", b)+1+r.IntN(3))%4]
			}
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), fmt.Appendf(nil, ">s%d\n%s\n", seed, bases), 0o666))
}

// truncateFile is the script command "truncate FILE BYTES": it cuts a file to
// so many bytes, or by so many with a minus.
func truncateFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: truncate FILE BYTES")
	}
	n, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	if n < 0 {
		st, err := os.Stat(ts.MkAbs(args[0]))
		ts.Check(err)
		n += st.Size()
	}
	ts.Check(os.Truncate(ts.MkAbs(args[0]), n))
}

// makeFifo is the script command "fifo PIPE FILE": a named pipe through which
// the content of a file comes once.
func makeFifo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: fifo PIPE FILE")
	}
	ts.Check(syscall.Mkfifo(ts.MkAbs(args[0]), 0o600))
	cat := exec.Command("sh", "-c", "cat \"$0\" > \"$1\"", ts.MkAbs(args[1]), ts.MkAbs(args[0]))
	ts.Check(cat.Start())
	ts.Defer(func() { _ = cat.Wait() })
}

// exitStatus is the script command "status CODE PROGRAM ARGUMENT...": it runs a
// program and demands this exit code.
func exitStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status CODE PROGRAM ARGUMENT...")
	}
	got := "0"
	var ended *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &ended) {
		got = strconv.Itoa(ended.ExitCode())
	} else {
		ts.Check(err)
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}
