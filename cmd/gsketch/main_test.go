// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain puts a command gsketch, which is this test binary, on the PATH of
// all tests.
func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"gsketch": main}) }
