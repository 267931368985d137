// SPDX-License-Identifier: Apache-2.0

// Package sql holds the shuffle between the steps of deduplication as SQL over
// Parquet, one dialect for DuckDB and one for Spark, and programs that run all steps
// with either. gsketch makes the tables sketches, bands and edges; the engine makes
// the others. docs/formats.md describes the tables, docs/scale.md what they cost.
//
// Clusters are the connected components of the edges by alternating large and
// small stars (Kiveris et al. 2014, doi:10.1145/2670979.2670997): no machine
// holds all edges, and the rounds are about the logarithm of the rows at most.
package sql

import (
	"embed"
	"errors"
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

//go:embed duckdb/*.sql spark/*.sql *.py
var files embed.FS

// Engines are those whose dialects are here.
var Engines = []string{"duckdb", "spark"}

// Steps are those of an engine, in their order. LargeStar and SmallStar make a
// round; after it Unfinished tells whether another is due.
var Steps = []string{"hot", "candidates", "needed", "large_star", "small_star", "unfinished", "clusters", "manifest"}

// rounds are the tables of the steps of a round, before its number.
var rounds = map[string]string{"large_star": "large-", "small_star": "small-"}

// Params are what the statements depend on.
type Params struct {
	Dir   string // of the tables
	Out   string // of the table that the step makes; "" is Dir/STEP, of a star Dir/large-ROUND or Dir/small-ROUND
	Cap   int    // rows above which a bucket is a star, and a row of so many neighbours a hub; 0 is no cap
	Parts int    // of the candidates
	Round int    // of the clusters: 1, 2, ...
}

// plain are directories that need no quotes in either dialect and hold no
// pattern.
var plain = regexp.MustCompile(`^[^'"` + "`" + `\\*?\[\]{}\x00-\x1f]+$`)

func (p Params) check() error {
	switch {
	case !plain.MatchString(p.Dir), p.Out != "" && !plain.MatchString(p.Out):
		return errors.New("a directory without quotes, backslashes and the signs * ? [ ] { } is expected")
	case p.Cap < 0, p.Parts < 1, p.Round < 1:
		return errors.New("a cap of at least 0, and at least 1 part and round, are expected")
	}
	return nil
}

// Statement returns a step as SQL.
func Statement(engine, step string, p Params) (string, error) {
	if err := p.check(); err != nil {
		return "", err
	}
	if !slices.Contains(Engines, engine) || !slices.Contains(Steps, step) {
		return "", fmt.Errorf("no step %q of engine %q: steps are %s; engines are %s", step, engine, strings.Join(Steps, ", "), strings.Join(Engines, ", "))
	}
	text, err := files.ReadFile(path.Join(engine, step+".sql"))
	if err != nil {
		return "", err
	}
	if p.Cap == 0 {
		p.Cap = math.MaxInt64
	}
	round := strconv.Itoa(p.Round)
	previous := path.Join(p.Dir, "edges")
	if p.Round > 1 {
		previous = path.Join(p.Dir, "small-"+strconv.Itoa(p.Round-1))
	}
	if p.Out == "" {
		p.Out = path.Join(p.Dir, step)
		if table, ok := rounds[step]; ok {
			p.Out = path.Join(p.Dir, table+round)
		}
	}
	return strings.NewReplacer("{dir}", p.Dir, "{out}", p.Out, "{cap}", strconv.Itoa(p.Cap), "{parts}", strconv.Itoa(p.Parts),
		"{round}", round, "{previous}", previous).Replace(string(text)), nil
}

// Programs are those that run all steps: of each engine, and what they share.
func Programs() []string { return []string{"dedup_duckdb.py", "dedup_spark.py", "dedup_steps.py"} }

// Program returns the text of a program.
func Program(name string) ([]byte, error) { return files.ReadFile(name) }
