// SPDX-License-Identifier: Apache-2.0

//go:build !windows

package main

import (
	"os/signal"
	"syscall"
)

// ignoreFileLimit makes a file above its limit an error of the write, not the
// end of the process.
func ignoreFileLimit() { signal.Ignore(syscall.SIGXFSZ) }
