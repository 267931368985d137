// SPDX-License-Identifier: Apache-2.0

// Package shared finds the optional directory of larger test data.
package shared

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Dir returns the directory named by GSKETCH_SHARED, else ../shared beside the
// module if it exists. Without either it skips the test and says so.
func Dir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("GSKETCH_SHARED")
	if dir == "" {
		_, file, _, _ := runtime.Caller(0)
		dir = filepath.Join(filepath.Dir(file), "..", "..", "..", "shared")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("SKIPPED: the larger test data is not here (set GSKETCH_SHARED): %v", err)
	}
	return dir
}

// Path joins parts to Dir and skips the test where there is no such file.
func Path(t testing.TB, parts ...string) string {
	t.Helper()
	p := filepath.Join(append([]string{Dir(t)}, parts...)...)
	if _, err := os.Stat(p); err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	return p
}
