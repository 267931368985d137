// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"strings"
)

// sourmashSig translates sourmash sig.
func sourmashSig(w *flagWords) ([]invocation, error) {
	if len(w.words) == 0 {
		return nil, fmt.Errorf("sourmash sig: a command expected")
	}
	verb := w.words[0]
	w.words = w.words[1:]
	same := rename{"-k": "-k", "--ksize": "-k", "-o": "-o", "--output": "-o", "--from-file": "-l",
		"--picklist": "--picklist", "--include-db-pattern": "--include", "--exclude-db-pattern": "--exclude"}
	valued := []string{"-k", "--ksize", "-o", "--output", "--from-file", "--picklist", "--include-db-pattern", "--exclude-db-pattern"}
	var own rename
	switch verb {
	case "cat":
		own = rename{"--unique": "--unique"}
	case "merge":
		own = rename{"--flatten": "--flatten", "--name": "--name", "--set-name": "--name"}
	case "intersect", "subtract":
		own = rename{"--flatten": "--flatten", "--name": "--name", "-A": "--abundance-from", "--abundances-from": "--abundance-from"}
	case "downsample":
		own = rename{"--scaled": "--scaled", "--num": "--size"}
	case "filter":
		own = rename{"-m": "--min-abundance", "-M": "--max-abundance"}
	case "extract":
		own = rename{"--name": "--name", "--md5": "--md5"}
	case "split":
		own = rename{"--output-dir": "-o", "--extension": "--extension"}
	case "flatten", "inflate", "rename", "overlap":
	case "describe":
		return sourmashDescribe(w)
	case "kmers":
		return sourmashKmers(w)
	default:
		return nil, fmt.Errorf("sourmash sig %s has no counterpart yet", verb)
	}
	out := []string{"set", verb}
	if verb == "overlap" {
		out = append(out, "--format", "sourmash")
	}
	for from, to := range own {
		same[from] = to
		if from != "--flatten" && from != "--unique" {
			valued = append(valued, from)
		}
	}
	err := w.each(valued, func(flag, value string) error { return same.translate(&out, flag, value) })
	if verb == "rename" && len(w.args) > 1 { // the name is the last argument
		last := len(w.args) - 1
		out = append(out, "--name", w.args[last])
		w.args = w.args[:last]
	}
	return []invocation{{args: append(out, w.args...), stdout: verb == "overlap"}}, err
}

// sourmashKmers translates sig kmers --save-kmers.
func sourmashKmers(w *flagWords) ([]invocation, error) {
	out, sketches := []string{"info", "--format", "sourmash"}, ""
	err := w.each([]string{"--signatures", "--sequences", "--save-kmers", "-k", "--ksize"}, func(flag, value string) error {
		if flag == "--signatures" {
			sketches = value
			return nil
		}
		return rename{"--sequences": "--kmers", "--save-kmers": "-o", "-k": "-k", "--ksize": "-k"}.translate(&out, flag, value)
	})
	return []invocation{{args: append(out, sketches)}}, err
}

// sourmashDescribe translates sig describe --csv.
func sourmashDescribe(w *flagWords) ([]invocation, error) {
	out := []string{"info", "--format", "sourmash"}
	err := w.each([]string{"--csv", "-k"}, func(flag, value string) error {
		return rename{"--csv": "-o", "-k": "-k"}.translate(&out, flag, value)
	})
	if err == nil && !slices.Contains(out, "-o") {
		err = fmt.Errorf("sourmash sig describe without --csv has no counterpart")
	}
	return []invocation{{args: append(out, w.args...)}}, err
}

// mashPaste translates mash paste: the first argument is the output.
func mashPaste(w *flagWords) ([]invocation, error) {
	list := false
	err := w.each(nil, func(flag, _ string) error {
		list = flag == "-l"
		if !list {
			return fmt.Errorf("%s has no counterpart", flag)
		}
		return nil
	})
	if err != nil || len(w.args) < 2 {
		return nil, fmt.Errorf("mash paste: an output and inputs expected: %v", err)
	}
	out := []string{"set", "cat", "-o", strings.TrimSuffix(w.args[0], ".msh") + ".msh"}
	for _, file := range w.args[1:] {
		if list {
			out = append(out, "-l")
		}
		out = append(out, file)
	}
	return []invocation{{args: out}}, nil
}
