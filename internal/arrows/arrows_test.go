// SPDX-License-Identifier: Apache-2.0

// Package arrows holds no code. Its test reads the import graph of the module
// and fails with every edge that the table in rules_test.go does not allow, so
// that elements, sketches, estimators and formats stay apart.
package arrows

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/gsketch/gsketch"

// A node is a package of the module as `go list -json` describes it.
type node struct {
	ImportPath string
	Imports    []string
	Standard   bool
	Module     *struct{ Path string }
}

// TestImports checks the graph as it is compiled, with and without assembly,
// and on both processors: a file behind a build tag has imports too.
func TestImports(t *testing.T) {
	for _, target := range []struct{ arch, tags string }{
		{"amd64", ""}, {"arm64", ""}, {"amd64", "purego"}, {"amd64", "noasm"},
	} {
		name := target.arch
		if target.tags != "" {
			name += "," + target.tags
		}
		t.Run(name, func(t *testing.T) {
			for _, bad := range violations(list(t, target.arch, target.tags)) {
				t.Error(bad)
			}
		})
	}
}

// TestViolations makes sure that a bad edge would be caught.
func TestViolations(t *testing.T) {
	mod := &struct{ Path string }{module}
	foreign := func(path string) node { return node{ImportPath: path, Module: &struct{ Path string }{path}} }
	ours := func(pkg string, imports ...string) node {
		return node{ImportPath: module + "/" + pkg, Imports: imports, Module: mod}
	}
	base := []node{
		{ImportPath: "strings", Standard: true},
		foreign("capnproto.org/go/capnp/v3"), foreign("github.com/parquet-go/parquet-go"),
		foreign("pgregory.net/rapid"),
		ours("sketch", "strings"), ours("kmer", module+"/sketch"), ours("bottomk", module+"/sketch"),
	}
	for _, c := range []struct {
		name string
		bad  node
		want string // "" if the edge is allowed
	}{
		{"elements know no sketches", ours("kmer", module+"/bottomk"), "kmer -> bottomk"},
		{"the vocabulary knows nobody", ours("sketch", module+"/kmer"), "sketch -> kmer"},
		{"estimators know no family", ours("distance", module+"/bottomk"), "distance -> bottomk"},
		{"capnp has one leaf", ours("formats/sig", "capnproto.org/go/capnp/v3"), "formats/sig -> capnproto.org/go/capnp/v3"},
		{"parquet has one leaf", ours("ingest", "github.com/parquet-go/parquet-go"), "ingest -> github.com/parquet-go/parquet-go"},
		{"test libraries stay in tests", ours("bottomk", "pgregory.net/rapid"), "bottomk -> pgregory.net/rapid"},
		{"a new package needs a line in the table", ours("util"), "util: no rule"},
		{"a family may use the vocabulary", ours("fracminhash", module+"/sketch"), ""},
		{"the command may use all", ours("cmd/gsketch", module+"/bottomk"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			graph := slices.DeleteFunc(slices.Clone(base), func(n node) bool { return n.ImportPath == c.bad.ImportPath })
			got := violations(append(graph, c.bad))
			switch {
			case c.want == "" && len(got) > 0:
				t.Errorf("an allowed edge was refused: %q", got)
			case c.want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], c.want)):
				t.Errorf("got %q, want one that begins with %q", got, c.want)
			}
		})
	}
}

// violations returns one line for each import that the table does not allow.
func violations(graph []node) []string {
	modules := map[string]string{} // package -> its module, for those outside the standard library
	for _, n := range graph {
		if n.Module != nil {
			modules[n.ImportPath] = n.Module.Path
		}
	}
	var bad []string
	for _, n := range graph {
		if modules[n.ImportPath] != module {
			continue
		}
		from := within(n.ImportPath)
		r, ok := ruleOf(from)
		if !ok {
			bad = append(bad, from+": no rule in the table of internal/arrows")
			continue
		}
		for _, to := range n.Imports {
			switch modules[to] {
			case "": // standard library
			case module:
				if to := within(to); !r.anyOurs && !slices.ContainsFunc(r.ours, func(p string) bool { return matches(p, to) }) {
					bad = append(bad, from+" -> "+to+" is not an allowed arrow")
				}
			default:
				if !slices.Contains(r.modules, modules[to]) {
					bad = append(bad, from+" -> "+modules[to]+": that module belongs elsewhere")
				}
			}
		}
	}
	slices.Sort(bad)
	return slices.Compact(bad) // a module's packages are one edge
}

// ruleOf finds the first rule that names the package.
func ruleOf(pkg string) (rule, bool) {
	for _, r := range rules {
		if slices.ContainsFunc(r.packages, func(p string) bool { return matches(p, pkg) }) {
			return r, true
		}
	}
	return rule{}, false
}

// matches reports whether pkg is pattern, or lies below it if it ends in "/...".
func matches(pattern, pkg string) bool {
	if root, ok := strings.CutSuffix(pattern, "/..."); ok {
		return pkg == root || strings.HasPrefix(pkg, root+"/")
	}
	return pkg == pattern
}

// within is the import path without the module.
func within(path string) string { return strings.TrimPrefix(path, module+"/") }

// list returns the packages of the module and all that they depend on.
func list(t *testing.T, arch, tags string) []node {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Imports,Standard,Module", "-tags", tags, module+"/...")
	cmd.Env = append(cmd.Environ(), "GOARCH="+arch, "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	var graph []node
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var n node
		if err := dec.Decode(&n); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		graph = append(graph, n)
	}
	if !slices.ContainsFunc(graph, func(n node) bool { return n.ImportPath == module+"/sketch" }) {
		t.Fatal("go list did not list package sketch")
	}
	return graph
}
