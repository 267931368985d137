// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// An invocation is a command line of gsketch that does what one of a peer did.
type invocation struct {
	args   []string
	stdin  string // file for standard input
	stdout bool   // the result goes to standard output
}

// translate turns a command line of Mash or sourmash into what does the same
// with gsketch, as docs/migration.md says it. The path of each output and of
// each input stays, with Mash's suffix where Mash would add it. sourmash compare
// may write two files and takes two commands.
func translate(line string) ([]invocation, error) {
	words, stdin, err := splitWords(line)
	if err != nil {
		return nil, err
	}
	var command func(*flagWords) ([]invocation, error)
	skip := 2
	switch strings.Join(words[:min(2, len(words))], " ") {
	case "mash sketch":
		command = mashSketch
	case "mash info":
		command = mashInfo
	case "mash dist":
		command = mashDist
	case "mash triangle":
		command = mashTriangle
	case "mash bounds":
		command = mashBoundsTables
	case "mash screen":
		command = mashScreen
	case "mash taxscreen":
		command = mashTaxscreen
	case "sourmash search":
		command = sourmashLookup("search", rename{"--containment": "--measure containment", "--max-containment": "--measure max-containment", "--best-only": "--best-only"}, "-n")
	case "sourmash prefetch":
		command = sourmashLookup("contain", rename{"--save-matches": "--save-matches", "--save-matching-hashes": "--save-found", "--save-unmatched-hashes": "--save-left"},
			"--save-matches", "--save-matching-hashes", "--save-unmatched-hashes")
	case "sourmash gather":
		command = sourmashLookup("gather", rename{"--output-unassigned": "--save-left"}, "--output-unassigned", "--save-prefetch-csv")
	case "sourmash multigather":
		command = sourmashMultigather
	case "sourmash sketch":
		if len(words) < 3 {
			return nil, fmt.Errorf("sourmash sketch: of what?")
		}
		command, skip = func(w *flagWords) ([]invocation, error) { return sourmashSketch(words[2], w) }, 3
	case "sourmash compare":
		command = sourmashCompare
	case "sourmash sig":
		command = sourmashSig
	case "mash paste":
		command = mashPaste
	default:
		return nil, fmt.Errorf("no counterpart yet")
	}
	all, err := command(&flagWords{words: words[skip:]})
	for i := range all {
		all[i].stdin = stdin
	}
	return all, err
}

// splitWords splits a command line at spaces outside double quotes. A leading
// "zcat FILE |" is standard input: gsketch decompresses it itself.
func splitWords(line string) (words []string, stdin string, err error) {
	if rest, ok := strings.CutPrefix(line, "zcat "); ok {
		if stdin, line, ok = strings.Cut(rest, " | "); !ok {
			return nil, "", fmt.Errorf("a pipe expected: %s", line)
		}
	}
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words, stdin, nil
}

// flagWords takes apart the words behind a command.
type flagWords struct {
	words []string
	args  []string // positional arguments, in order
}

// each calls f with each flag and, for those in valued, its value. Others are
// positional if they do not begin with a dash.
func (w *flagWords) each(valued []string, f func(flag, value string) error) error {
	for i := 0; i < len(w.words); i++ {
		word := w.words[i]
		if word == "-" || !strings.HasPrefix(word, "-") {
			w.args = append(w.args, word)
			continue
		}
		value := ""
		if slices.Contains(valued, word) {
			if i++; i == len(w.words) {
				return fmt.Errorf("%s: a value expected", word)
			}
			value = w.words[i]
		}
		if err := f(word, value); err != nil {
			return err
		}
	}
	return nil
}

// rename are flags whose counterpart takes the same value.
type rename map[string]string

func (r rename) translate(out *[]string, flag, value string) error {
	to, ok := r[flag]
	if !ok {
		return fmt.Errorf("%s has no counterpart", flag)
	}
	*out = append(*out, strings.Fields(to)...)
	if value != "" {
		*out = append(*out, value)
	}
	return nil
}

func mashSketch(w *flagWords) ([]invocation, error) {
	out := []string{"sketch"}
	list, reads := false, false
	flags := rename{"-k": "-k", "-s": "-s", "-S": "--seed", "-n": "--noncanonical", "-i": "--per-record", "-p": "-t", "-I": "--name", "-C": "--comment",
		"-a": "--molecule alphabet", "-z": "--alphabet", "-Z": "--preserve-case", "-r": "--reads", "-c": "--reads --coverage", "-m": "--reads --min-copies", "-b": "--reads --approx-filter", "-g": "--reads --genome-size"}
	err := w.each([]string{"-k", "-s", "-S", "-p", "-I", "-m", "-b", "-g", "-o", "-c", "-C", "-w", "-z"}, func(flag, value string) error {
		switch flag {
		case "-l":
			list = true
			return nil
		case "-o":
			if !strings.HasSuffix(value, ".msh") {
				value += ".msh"
			}
			out = append(out, "-o", value)
			return nil
		case "-r", "-m", "-b", "-g", "-c":
			reads = true
		}
		return flags.translate(&out, flag, value)
	})
	if reads && len(w.args) > 1 { // Mash makes one sketch of all reads and names it after the first file
		out = append(out, "--merge", w.args[0])
	}
	if list {
		for _, file := range w.args {
			out = append(out, "-l", file)
		}
		w.args = nil
	}
	return []invocation{{args: append(out, w.args...)}}, err
}

func mashInfo(w *flagWords) ([]invocation, error) {
	format := "mash"
	err := w.each(nil, func(flag, _ string) error {
		names := map[string]string{"-t": "mash-table", "-H": "mash-header", "-c": "mash-counts", "-d": "mash-dump"}
		format = names[flag]
		if format == "" {
			return fmt.Errorf("%s has no counterpart", flag)
		}
		return nil
	})
	return []invocation{{args: append([]string{"info", "--format", format}, w.args...), stdout: true}}, err
}

// mashCompared are the flags that mash dist and mash triangle share.
var mashCompared = rename{"-k": "-k", "-s": "-s", "-S": "--seed", "-n": "--noncanonical", "-i": "--per-record", "-p": "-t",
	"-d": "--max-distance", "-v": "--max-p", "-C": "--comment-labels"}

var mashComparedValues = []string{"-k", "-s", "-S", "-p", "-d", "-v", "-z", "-w"}

func mashDist(w *flagWords) ([]invocation, error) {
	format, list := "mash", false
	var flags []string
	err := w.each(mashComparedValues, func(flag, value string) error {
		switch flag {
		case "-t":
			format = "mash-table"
			return nil
		case "-l":
			list = true
			return nil
		}
		return mashCompared.translate(&flags, flag, value)
	})
	if err != nil {
		return nil, err
	}
	if len(w.args) < 2 {
		return nil, fmt.Errorf("mash dist: a reference and a query expected")
	}
	out := append([]string{"dist", "--format", format}, flags...)
	for _, query := range w.args[1:] {
		if list {
			out = append(out, "-l")
		}
		out = append(out, query)
	}
	return []invocation{{args: append(out, "-r", w.args[0]), stdout: true}}, nil
}

func mashBoundsTables(w *flagWords) ([]invocation, error) {
	out := []string{"calibrate", "bounds", "--format", "mash"}
	err := w.each([]string{"-k", "-p"}, func(flag, value string) error {
		return rename{"-k": "-k", "-p": "--confidence"}.translate(&out, flag, value)
	})
	return []invocation{{args: out, stdout: true}}, err
}

func mashTriangle(w *flagWords) ([]invocation, error) {
	format, list := "mash-triangle", false
	var flags []string
	err := w.each(mashComparedValues, func(flag, value string) error {
		switch flag {
		case "-E":
			format = "mash-edges"
			return nil
		case "-l":
			list = true
			return nil
		case "-d", "-v":
			format = "mash-edges"
		}
		return mashCompared.translate(&flags, flag, value)
	})
	out := append([]string{"dist", "--format", format}, flags...)
	if !list && len(w.args) == 1 && !strings.HasSuffix(w.args[0], ".msh") {
		out = append(out, "--per-record") // of a single file, Mash compares the records
	}
	for _, file := range w.args {
		if list {
			out = append(out, "-l")
		}
		out = append(out, file)
	}
	return []invocation{{args: out, stdout: true}}, err
}

// skipmers turns the k of a skip-mer, of which sourmash sketches three times
// as many bases, into ours.
func skipmers(spec string) string {
	if !strings.Contains(spec, "skipm") {
		return spec
	}
	return regexp.MustCompile(`\bk=\d+`).ReplaceAllStringFunc(spec, func(k string) string {
		n, err := strconv.Atoi(k[2:])
		if err != nil {
			panic(err) // digits
		}
		return "k=" + strconv.Itoa(3*n)
	})
}

// sourmashSketch translates sketch dna, protein and translate, which is kind.
func sourmashSketch(kind string, w *flagWords) ([]invocation, error) {
	out := []string{"sketch"}
	if kind == "translate" {
		out = append(out, "--translate")
	}
	molecule, specs := kind, 0
	if kind == "translate" {
		molecule = "protein"
	}
	flags := rename{"--name": "--merge", "--merge": "--merge", "--singleton": "--per-record", "--name-from-first": "--name-from-first",
		"-o": "-o", "--output": "-o", "-p": "-p", "--param-string": "-p"}
	var rest []string
	err := w.each([]string{"--name", "--merge", "-o", "--output", "-p", "--param-string", "--from-file"}, func(flag, value string) error {
		switch flag {
		case "--dayhoff", "--hp":
			molecule = strings.TrimPrefix(flag, "--")
			return nil
		case "-p", "--param-string":
			specs++
			switch named := regexp.MustCompile(`^(protein|dayhoff|hp)\b`).MatchString(value); {
			case kind != "dna" && !named:
				value = molecule + "," + value
			case kind == "dna" && !regexp.MustCompile(`\bk=`).MatchString(value):
				value = "k=31," + value
			}
			value = skipmers(value)
		}
		return flags.translate(&rest, flag, value)
	})
	switch {
	case kind != "dna" && specs == 0:
		out = append(out, "--molecule", molecule, "--family", "fracminhash")
	case specs == 0:
		out = append(out, "-p", "k=31,scaled=1000")
	}
	return []invocation{{args: slices.Concat(out, rest, w.args)}}, err
}

func sourmashCompare(w *flagWords) ([]invocation, error) {
	var flags, all, files []string
	kind, ani := "", false
	same := rename{"-k": "-k", "--ksize": "-k", "--scaled": "--scaled", "--distance-matrix": "--one-minus"}
	err := w.each([]string{"-k", "--ksize", "--scaled", "--csv", "-o", "--output"}, func(flag, value string) error {
		switch flag {
		case "--csv":
			files = append(files, "sourmash", value)
		case "-o", "--output":
			files = append(files, "sourmash-npy", value)
		case "--containment", "--max-containment", "--avg-containment":
			kind = strings.TrimPrefix(flag, "--")
		case "--ignore-abundance":
			kind = "jaccard"
		case "--ani":
			ani = true
		default:
			return same.translate(&flags, flag, value)
		}
		return nil
	})
	switch {
	case ani && kind == "":
		kind = "jaccard-ani"
	case ani:
		kind += "-ani"
	}
	if kind != "" {
		flags = append(flags, "--measure", kind)
	}
	all = append(all, flags...)
	all = append(all, w.args...)
	var commands []invocation
	for i := 0; i < len(files); i += 2 {
		commands = append(commands, invocation{args: append([]string{"dist", "--format", files[i], "-o", files[i+1]}, all...)})
	}
	return commands, err
}

func TestTranslate(t *testing.T) {
	for _, c := range []struct{ peer, want string }{
		{"mash sketch -k 16 -s 500 -o out a.fa b.fa", "sketch -k 16 -s 500 -o out.msh a.fa b.fa"},
		{"mash sketch -l -o out.msh list.txt", "sketch -o out.msh -l list.txt"},
		{"zcat a.gz | mash sketch -o out -", "sketch -o out.msh - <a.gz"},
		{"mash sketch -r -m 2 -o out 1.fq 2.fq", "sketch --reads --reads --min-copies 2 -o out.msh --merge 1.fq 1.fq 2.fq"},
		{"mash sketch -c 10 -o out 1.fq", "sketch --reads --coverage 10 -o out.msh 1.fq"},
		{"mash info -H x.msh", "info --format mash-header x.msh >"},
		{"mash dist -t -d 0.1 r.msh q.msh p.msh", "dist --format mash-table --max-distance 0.1 q.msh p.msh -r r.msh >"},
		{"mash dist -l r.msh list.txt", "dist --format mash -l list.txt -r r.msh >"},
		{"mash triangle -C x.msh", "dist --format mash-triangle --comment-labels x.msh >"},
		{"mash triangle -d 0.1 x.fa", "dist --format mash-edges --max-distance 0.1 --per-record x.fa >"},
		{"mash screen -w x.msh y.fq", "contain --format mash --winner-take-all -r x.msh y.fq >"},
		{"mash taxscreen -m map -t dir x.msh y.fq", "tax screen --format mash --map map --ncbi dir -r x.msh y.fq >"},
		{"sourmash gather -k 31 q.sig a.zip b.zip -o c.csv", "gather --format sourmash -k 31 -o c.csv q.sig -r a.zip -r b.zip"},
		{`sourmash sketch dna -p scaled=10,abund --name "a b" x.fa -o y.sig`, "sketch -p k=31,scaled=10,abund --merge a b -o y.sig x.fa"},
		{"sourmash sketch dna x.fa -o y.sig", "sketch -p k=31,scaled=1000 -o y.sig x.fa"},
		{"sourmash sketch protein x.faa -o y.sig", "sketch --molecule protein --family fracminhash -o y.sig x.faa"},
		{"sourmash sketch dna -p skipm1n3,k=21,scaled=1 x.fa -o y.sig", "sketch -p skipm1n3,k=63,scaled=1 -o y.sig x.fa"},
		{"sourmash sketch translate --hp -p k=15 x.fa -o y.sig", "sketch --translate -p hp,k=15 -o y.sig x.fa"},
		{"sourmash compare -k 31 --avg-containment --ani a b --csv c -o n", "dist --format sourmash -o c -k 31 --measure avg-containment-ani a b; " +
			"dist --format sourmash-npy -o n -k 31 --measure avg-containment-ani a b"},
		{"sourmash sig cat -k 31 a b -o c.zip", "set cat -k 31 -o c.zip a b"},
		{"sourmash sig merge --flatten a b -o c", "set merge --flatten -o c a b"},
		{"sourmash sig downsample --num 50 a -o c", "set downsample --size 50 -o c a"},
		{`sourmash sig rename -k 31 a "new name" -o c`, "set rename -k 31 -o c --name new name a"},
		{"sourmash sig overlap a b", "set overlap --format sourmash a b >"},
		{"sourmash sig check a --picklist b::manifest", "sourmash sig check has no counterpart yet"},
		{"mash paste -l all list.txt", "set cat -o all.msh -l list.txt"},
	} {
		all, err := translate(c.peer)
		var lines []string
		for _, inv := range all {
			line := strings.Join(inv.args, " ")
			if inv.stdin != "" {
				line += " <" + inv.stdin
			}
			if inv.stdout {
				line += " >"
			}
			lines = append(lines, line)
		}
		got := strings.Join(lines, "; ")
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.peer, got, c.want)
		}
	}
}
