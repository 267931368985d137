// SPDX-License-Identifier: Apache-2.0

package sketch

import (
	"errors"
	"fmt"
	"strings"
)

// ErrIncompatible is returned when two sketches were made with parameters
// under which their values mean different things.
var ErrIncompatible = errors.New("incompatible parameters")

// A MismatchError names the first parameter that differs. errors.Is reports it
// as ErrIncompatible.
type MismatchError struct{ Field, Left, Right string }

func (e *MismatchError) Error() string {
	return fmt.Sprintf("incompatible parameters: %s: %s, %s", e.Field, e.Left, e.Right)
}

// Is reports a MismatchError as ErrIncompatible.
func (e *MismatchError) Is(target error) bool { return target == ErrIncompatible }

// An InputError says where reading an input stopped and why: bad, truncated
// or missing input. Its message is one line.
type InputError struct {
	Path   string // file as typed
	Record uint64 // number of the record, from 1; 0 if none was reached
	Name   string // name of that record; may be empty
	Offset int64  // byte in the decompressed stream; -1 if it says nothing
	Err    error
}

func (e *InputError) Error() string {
	var b strings.Builder
	path := e.Path
	if path == "-" || path == "" {
		path = "standard input"
	}
	b.WriteString(path)
	if e.Record > 0 {
		fmt.Fprintf(&b, ": record %d", e.Record)
		if e.Name != "" {
			fmt.Fprintf(&b, " (%s)", e.Name)
		}
	}
	if e.Offset >= 0 {
		fmt.Fprintf(&b, ", byte %d", e.Offset)
	}
	b.WriteString(": ")
	b.WriteString(e.Err.Error())
	return strings.Map(func(r rune) rune { // names come from files: keep it one line
		if r < ' ' {
			return ' '
		}
		return r
	}, b.String())
}

func (e *InputError) Unwrap() error { return e.Err }

// BadInput returns an InputError about a whole file.
func BadInput(path string, err error) error {
	return &InputError{Path: path, Offset: -1, Err: err}
}
