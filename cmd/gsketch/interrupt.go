// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"sync"
	"time"
)

// grace is how long after a signal a command may end by itself. Most look at
// their context; what reads or computes a large thing whole does not.
const grace = 3 * time.Second

// unfinished are the temporary files of outputs that are neither committed nor
// discarded.
var unfinished = struct {
	sync.Mutex
	names map[string]bool
}{names: map[string]bool{}}

func begun(name string) {
	unfinished.Lock()
	defer unfinished.Unlock()
	unfinished.names[name] = true
}

func ended(name string) {
	unfinished.Lock()
	defer unfinished.Unlock()
	delete(unfinished.names, name)
}

// removeUnfinished removes them; no more outputs are begun or ended then, since
// the process is about to end.
func removeUnfinished() {
	unfinished.Lock()
	for name := range unfinished.names {
		os.Remove(name)
	}
}
