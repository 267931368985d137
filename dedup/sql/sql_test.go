// SPDX-License-Identifier: Apache-2.0

package sql

import (
	"strings"
	"testing"
)

// Every step of every engine is there, and nothing in it is left open.
func TestStatements(t *testing.T) {
	for _, engine := range Engines {
		for _, step := range Steps {
			text, err := Statement(engine, step, Params{Dir: "/data/a b", Out: "/data/new", Cap: 7, Parts: 3, Round: 4})
			if err != nil {
				t.Fatal(err)
			}
			if strings.ContainsAny(text, "{}") || !strings.HasPrefix(text, "-- "+step+": ") || !strings.HasSuffix(text, ";\n") || strings.Count(text, ";\n") != 1 {
				t.Errorf("%s, %s: %s", engine, step, text)
			}
			if (step == "unfinished") == strings.Contains(text, "'/data/new'") {
				t.Errorf("%s, %s: where it writes: %s", engine, step, text)
			}
		}
	}
	for _, c := range []struct {
		step, want string
		p          Params
	}{
		{"hot", "count(*) > 9223372036854775807", Params{Dir: "w", Parts: 1, Round: 1}},
		{"candidates", "b % 3", Params{Dir: "w", Parts: 3, Round: 1}},
		{"large_star", "'w/edges/*.parquet'", Params{Dir: "w", Parts: 1, Round: 1}},
		{"large_star", "'w/small-1/*.parquet'", Params{Dir: "w", Parts: 1, Round: 2}},
		{"large_star", "TO 'w/large-2'", Params{Dir: "w", Parts: 1, Round: 2}},
		{"small_star", "TO 'w/small-2'", Params{Dir: "w", Parts: 1, Round: 2}},
	} {
		if text, err := Statement("duckdb", c.step, c.p); err != nil || !strings.Contains(text, c.want) {
			t.Errorf("%s: %v, no %q in %s", c.step, err, c.want, text)
		}
	}
}

// What could change the meaning of a statement is refused.
func TestRefused(t *testing.T) {
	good := Params{Dir: "w", Parts: 1, Round: 1}
	for name, p := range map[string]Params{
		"quote": {Dir: "w'; DROP TABLE x; --", Parts: 1, Round: 1}, "tick": {Dir: "w`", Parts: 1, Round: 1}, "pattern": {Dir: "w*", Parts: 1, Round: 1},
		"brace": {Dir: "w{out}", Parts: 1, Round: 1}, "line": {Dir: "w\n", Parts: 1, Round: 1}, "none": {Parts: 1, Round: 1},
		"out": {Dir: "w", Out: "a'b", Parts: 1, Round: 1}, "cap": {Dir: "w", Cap: -1, Parts: 1, Round: 1}, "parts": {Dir: "w", Round: 1}, "round": {Dir: "w", Parts: 1},
	} {
		if text, err := Statement("duckdb", "hot", p); err == nil {
			t.Errorf("%s: %s", name, text)
		}
	}
	for _, c := range [][2]string{{"spark", "../duckdb/hot"}, {"sqlite", "hot"}, {"", ""}} {
		if text, err := Statement(c[0], c[1], good); err == nil {
			t.Errorf("%v: %s", c, text)
		}
	}
	for _, name := range Programs() {
		if text, err := Program(name); err != nil || !strings.Contains(string(text), "SPDX-License-Identifier") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
