// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os/exec"
	"runtime"
	"syscall"
)

// maxRSS is the peak of a finished process's memory, in KiB.
func maxRSS(cmd *exec.Cmd) int64 {
	n := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	if runtime.GOOS == "darwin" {
		n >>= 10
	}
	return int64(n)
}
