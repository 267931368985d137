// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
)

// mashScreen translates mash screen: the first file is the references, the
// others are one mixture.
func mashScreen(w *flagWords) ([]invocation, error) {
	out := []string{"contain", "--format", "mash"}
	err := w.each([]string{"-i", "-v", "-p"}, func(flag, value string) error {
		if flag == "-i" && strings.HasPrefix(value, "-") {
			out = append(out, "--all")
			return nil
		}
		return rename{"-w": "--winner-take-all", "-i": "--min-ani", "-v": "--max-p", "-p": "-t"}.translate(&out, flag, value)
	})
	if err != nil || len(w.args) < 2 {
		return nil, fmt.Errorf("mash screen: references and a mixture expected: %v", err)
	}
	if strings.Contains(w.args[0], "prot") { // Mash asks the file; amino acids are looked for in six frames
		out = append(out, "--translate")
	}
	if len(w.args) > 2 {
		out = append(out, "--merge", "mixture")
	}
	return []invocation{{args: append(append(out, "-r", w.args[0]), w.args[1:]...), stdout: true}}, nil
}

// mashTaxscreen translates mash taxscreen; -i and -v change nothing there.
func mashTaxscreen(w *flagWords) ([]invocation, error) {
	out := []string{"tax", "screen", "--format", "mash"}
	err := w.each([]string{"-i", "-v", "-p", "-m", "-t"}, func(flag, value string) error {
		return rename{"-m": "--map", "-t": "--ncbi", "-p": "-t"}.translate(&out, flag, value)
	})
	if err != nil || len(w.args) < 2 {
		return nil, fmt.Errorf("mash taxscreen: references and a pool expected: %v", err)
	}
	if len(w.args) > 2 {
		out = append(out, "--merge", "pool")
	}
	return []invocation{{args: append(append(out, "-r", w.args[0]), w.args[1:]...), stdout: true}}, nil
}

// sourmashLookup translates search, prefetch and gather: the first file is the
// query, the others are the collection.
func sourmashLookup(command string, flags rename, valued ...string) func(w *flagWords) ([]invocation, error) {
	valued = append(valued, "-k", "--ksize", "-o", "--output", "--scaled", "--threshold-bp", "--threshold")
	return func(w *flagWords) ([]invocation, error) {
		out := []string{command, "--format", "sourmash"}
		prefetch := ""
		same := rename{"-k": "-k", "--ksize": "-k", "-o": "-o", "--output": "-o", "--scaled": "--scaled", "--threshold-bp": "--threshold-bp",
			"--threshold": "--threshold", "--estimate-ani-ci": "--ci", "--ignore-abundance": "--ignore-abundance"}
		for from, to := range flags {
			same[from] = to
		}
		err := w.each(valued, func(flag, value string) error {
			switch flag {
			case "-n", "--create-empty-results": // of the screen alone; always
				return nil
			case "--save-prefetch-csv":
				prefetch = value
				return nil
			}
			return same.translate(&out, flag, value)
		})
		if err != nil || len(w.args) < 2 {
			return nil, fmt.Errorf("sourmash %s: a query and a collection expected: %v", command, err)
		}
		rest := []string{w.args[0]}
		for _, db := range w.args[1:] {
			rest = append(rest, "-r", db)
		}
		all := []invocation{{args: append(out, rest...)}}
		if prefetch != "" {
			k := w.words[1] // "-k 31" comes first in such commands
			all = append(all, invocation{args: append([]string{"contain", "--format", "sourmash", "-k", k, "-o", prefetch}, rest...)})
		}
		return all, nil
	}
}

func sourmashMultigather(w *flagWords) ([]invocation, error) {
	out := []string{"gather"}
	var list *[]string
	var queries, dbs []string
	for i := 0; i < len(w.words); i++ {
		switch word := w.words[i]; word {
		case "--query":
			list = &queries
		case "--db":
			list = &dbs
		case "-U":
		case "-k", "--output-dir":
			i++
			out = append(out, word, w.words[i])
			list = nil
		default:
			if list == nil {
				return nil, fmt.Errorf("%s has no counterpart", word)
			}
			*list = append(*list, word)
		}
	}
	out = append(out, queries...)
	for _, db := range dbs {
		out = append(out, "-r", db)
	}
	return []invocation{{args: out}}, nil
}
