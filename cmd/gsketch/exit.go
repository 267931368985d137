// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/gsketch/gsketch/dedup"
	"github.com/gsketch/gsketch/index"
	"github.com/gsketch/gsketch/lsh/redisstore"
	"github.com/gsketch/gsketch/sketch"
)

// The exit codes of gsketch.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2 // usage, or parameters that cannot be compared
	exitInput   = 3 // bad, truncated or missing input
	exitOutput  = 4 // output could not be written
	exitLocked  = 5 // locked by another writer
	exitPartial = 6 // finished, but some inputs failed
	exitBackend = 7 // a server that holds an index, or a command that verifies, failed
)

// A usageError is the user's to mend.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

func usagef(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// An outputError says that an output could not be written.
type outputError struct {
	path string
	err  error
}

func (e *outputError) Error() string { return e.path + ": " + e.err.Error() }
func (e *outputError) Unwrap() error { return e.err }

// errPartial is returned when all that could be done was done, but some inputs
// failed.
var errPartial = errors.New("some inputs failed")

func exitCode(err error) int {
	var usage usageError
	var input *sketch.InputError
	var output *outputError
	var path *fs.PathError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &output):
		return exitOutput
	case errors.As(err, &usage), errors.Is(err, sketch.ErrIncompatible), errors.Is(err, dedup.ErrRows):
		return exitUsage
	case errors.As(err, &input), errors.Is(err, fs.ErrNotExist):
		return exitInput
	case errors.As(err, &path) && (path.Op == "write" || errors.Is(err, fs.ErrPermission)):
		return exitOutput // standard output, the lock of an index: what is read has InputErrors
	case errors.Is(err, redisstore.ErrBackend), errors.Is(err, dedup.ErrCommand):
		return exitBackend
	case errors.Is(err, index.ErrLocked):
		return exitLocked
	case errors.Is(err, errPartial):
		return exitPartial
	}
	return exitFailure
}
