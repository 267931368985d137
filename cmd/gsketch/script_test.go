// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gsketch/gsketch/internal/redistest"
)

// The scripts of testdata run gsketch as a process of its own.
func TestScripts(t *testing.T) {
	genomes, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("GENOMES", genomes+"/../../testdata/genomes")
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"random":   randomFasta,
			"truncate": truncateFile,
			"redis":    func(ts *testscript.TestScript, _ bool, _ []string) { ts.Setenv("REDIS", redistest.Start(t).Address) },
			"fifo":     makeFifo,
			"shuffle":  shuffle,
			"edges":    edges,
			"status":   exitStatus,
			"serve":    startServer,
			"stop":     stopServer,
			"get":      fetch,
		},
		RequireUniqueNames: true,
	})
}
