// SPDX-License-Identifier: Apache-2.0

package corpus

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/sketch"
)

// read collects all documents of inputs, with copies of what they point to.
func read(paths []string, o Options) ([]Document, error) {
	r, err := NewReader(paths, o)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var all []Document
	for {
		b, err := r.Next()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		if err := b(func(d *Document) error {
			c := *d
			c.Text = append([]byte(nil), d.Text...)
			if d.Members != nil {
				c.Members = [][]byte{}
			}
			for _, m := range d.Members {
				c.Members = append(c.Members, append([]byte(nil), m...))
			}
			c.Weights = append([]float64(nil), d.Weights...)
			all = append(all, c)
			return nil
		}); err != nil {
			return all, err
		}
	}
}

// write makes a file in a directory of the test.
func write(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// spell prints documents: "id=text" or "id={member,member:weight}", separated
// by "|".
func spell(docs []Document) string {
	var all []string
	for _, d := range docs {
		s := d.ID + "=" + string(d.Text)
		if d.Members != nil {
			var members []string
			for i, m := range d.Members {
				members = append(members, string(m))
				if d.Weights != nil {
					members[i] += fmt.Sprintf(":%g", d.Weights[i])
				}
			}
			s = d.ID + "={" + strings.Join(members, ",") + "}"
		}
		all = append(all, s)
	}
	return strings.Join(all, "|")
}

func TestRead(t *testing.T) {
	json := Options{Kind: JSONL, ID: "id", Text: "text"}
	rows := func(columns ...string) Options {
		return Options{Kind: Sets, Sets: SetOptions{Layout: Rows, Columns: columns}}
	}
	for _, c := range []struct {
		name    string
		opts    Options
		content string
		want    string // PATH stands for the path of the file
	}{
		{"objects", json, "{\"id\":\"a\",\"text\":\"one\\ntwo \\u00e9\\ud83d\\ude00\"}\n\n {\"x\":[1,{\"text\":2}],\"text\":\"\",\"id\":17}\r\n", "a=one\ntwo é😀|17="},
		{"no line end", json, "{\"text\":\"b\",\"id\":\"a\"}", "a=b"},
		{"byte order mark", json, "\xef\xbb\xbf{\"id\":\"a\",\"text\":\"b\"}\n", "a=b"},
		{"null text", json, "{\"id\":\"a\",\"text\":null}\n", "a="},
		{"other fields", Options{Kind: JSONL, ID: "url", Text: "content"}, "{\"id\":1,\"url\":\"u\",\"content\":\"c\",\"text\":false}", "u=c"},
		{"numbered lines", Options{Kind: JSONL, Text: "text"}, "\n{\"text\":\"b\"}\n{\"text\":\"c\"}", "PATH:2=b|PATH:3=c"},
		{"nothing", json, "", ""},
		{"blank", json, "\n \n", ""},
		{"file", Options{Kind: Text}, "whole\nfile", "PATH=whole\nfile"},
		{"empty file", Options{Kind: Text}, "", "PATH="},
		{"marked file", Options{Kind: Text}, "\xef\xbb\xbfa", "PATH=a"},
		{"sets", Options{Kind: Sets, Sets: SetOptions{Layout: MembersOnly}}, "a b\tc  a\n\nd\n", "PATH:1={a,b,c,a}|PATH:3={d}"},
		{"named sets", Options{Kind: Sets, Sets: SetOptions{Layout: NamedSets}}, "u1 a b\r\nu2\n", "u1={a,b}|u2={}"},
		{"separated sets", Options{Kind: Sets, Sets: SetOptions{Layout: NamedSets, Separator: ';'}}, "u 1;new york;;x y\n", "u 1={new york,x y}"},
		{"rows", rows(), "u,a\nu,b\nv,a\n", "u={a,b}|v={a}"},
		{"rows by number", rows("3", "1"), "a\t-\tu\nb\t-\tu\n", "u={a,b}"},
		{"rows by name", rows("user", "item", "rating"), "item,\"user\",x,rating\n\"a, or \"\"b\"\"\",u,,2.5\nc,u,,0\n", "u={a, or \"b\":2.5,c:0}"},
		{"empty member", rows(), "u,\nu,b\n", "u={,b}"},
		{"set that comes again", rows(), "u,a\nv,a\nu,b\n", "u={a}|v={a}|u={b}"},
	} {
		path := write(t, "in", c.content)
		docs, err := read([]string{path}, c.opts)
		if got := strings.ReplaceAll(spell(docs), path, "PATH"); err != nil || got != c.want {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	json := Options{Kind: JSONL, ID: "id", Text: "text"}
	set := func(layout string, columns ...string) Options {
		return Options{Kind: Sets, Sets: SetOptions{Layout: layout, Columns: columns}}
	}
	good := "{\"id\":\"a\",\"text\":\"b\"}\n"
	for _, c := range []struct {
		name    string
		opts    Options
		content string
		line    uint64
		offset  int64
		want    string
	}{
		{"broken", json, good + "{\"id\":\"c\",\"text\":\"x\n" + good, 2, 22 + 19, "broken JSON"},
		{"cut", json, good + "{\"id\":\"c\"", 2, 22 + 9, "unexpected EOF"},
		{"two objects", json, good + "{\"id\":\"c\",\"text\":\"x\"} {}\n", 2, 22, "follows"},
		{"an array", json, "[1]\n", 1, 0, "not a JSON object"},
		{"no JSON", json, "hello\n", 1, 0, "broken JSON"},
		{"no name", json, good + "\n{\"text\":\"x\"}\n", 3, 23, "no field \"id\""},
		{"no text", json, "{\"id\":\"x\"}\n", 1, 0, "no field \"text\""},
		{"name of another kind", json, "{\"id\":[],\"text\":\"x\"}\n", 1, 0, "neither a string"},
		{"text of another kind", json, "{\"id\":\"a\",\"text\":5}\n", 1, 0, "not a string"},
		{"a name twice", json, "{\"id\":\"a\",\"text\":\"b\",\"text\":\"c\"}\n", 1, 21, "duplicate"},
		{"bad UTF-8", json, good + "{\"id\":\"a\",\"text\":\"b\xff\"}\n", 2, 22 + 19, "invalid UTF-8"},
		{"half a character", json, "{\"id\":\"a\",\"text\":\"\\ud83d\"}\n", 1, 18, "surrogate"},
		{"bad UTF-8 in a file", Options{Kind: Text}, "ab\xc3(", 0, 2, "not UTF-8"},
		{"bad UTF-8 in a set", set(MembersOnly), "a b\na \xff\n", 2, 6, "not UTF-8"},
		{"few columns", set(Rows), "u,a\nv\n", 2, 4, "1 columns where column 2 is needed"},
		{"no such column", set(Rows, "user", "item"), "user,thing\n", 1, 0, "no column \"item\""},
		{"weight", set(Rows, "1", "2", "3"), "u,a,1\nu,b,-1\n", 2, 6, "weight \"-1\""},
		{"weight not a number", set(Rows, "1", "2", "3"), "u,a,NaN\n", 1, 0, "weight \"NaN\""},
		{"weight infinite", set(Rows, "1", "2", "3"), "u,a,1e999\n", 1, 0, "weight"},
		{"open quote", set(Rows), "u,\"a\nb\"\n", 1, 0, "not closed"},
		{"behind a quote", set(Rows), "u,\"a\"b\n", 1, 0, "closing quote"},
		{"nameless set", set(Rows), ",a\n", 1, 0, "no name"},
	} {
		_, err := read([]string{write(t, "in", c.content)}, c.opts)
		var in *sketch.InputError
		if !errors.As(err, &in) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		} else if in.Record != c.line || in.Offset != c.offset {
			t.Errorf("%s: line %d, byte %d, want %d and %d (%v)", c.name, in.Record, in.Offset, c.line, c.offset, err)
		}
	}
	for _, o := range []Options{
		{Kind: "pdf"}, set("heap"), set(MembersOnly, "1", "2"), set(Rows, "1"),
	} {
		if _, err := NewReader(nil, o); err == nil {
			t.Errorf("%+v: accepted", o)
		}
	}
}

// Blocks end anywhere; documents do not notice.
func TestBlocks(t *testing.T) {
	var lines, rows strings.Builder
	var want []string
	for i := range 4000 {
		text := strings.Repeat(fmt.Sprint("text ", i, " "), 1+i%300)
		if i == 17 {
			text = strings.Repeat("x", 3*batchBytes)
		}
		fmt.Fprintf(&lines, "{\"id\":%d,\"text\":%q}\n", i, text)
		fmt.Fprintf(&rows, "%d,%s\n", i, text)
		if i%3 == 0 {
			fmt.Fprintf(&rows, "%d,more\n", i)
		}
		want = append(want, fmt.Sprintf("%d=%s", i, text))
	}
	docs, err := read([]string{write(t, "in", lines.String())}, Options{Kind: JSONL, ID: "id", Text: "text"})
	if err != nil || spell(docs) != strings.Join(want, "|") {
		t.Errorf("%d documents, %v", len(docs), err)
	}
	for i, d := range docs {
		if d.Record != uint64(i+1) {
			t.Fatalf("document %d in line %d", i, d.Record)
		}
	}
	docs, err = read([]string{write(t, "in", rows.String())}, Options{Kind: Sets, Sets: SetOptions{Layout: Rows}})
	if err != nil || len(docs) != 4000 {
		t.Fatalf("%d sets, %v", len(docs), err)
	}
	for i, d := range docs {
		_, text, _ := strings.Cut(want[i], "=")
		if n := 1 + (i%3+2)/3*-1 + 1; len(d.Members) != n || string(d.Members[0]) != text {
			t.Fatalf("set %d has %d members, want %d", i, len(d.Members), n)
		}
	}
}

// One input that fails does not end the reading of the others.
func TestNextInput(t *testing.T) {
	good := write(t, "good", "{\"id\":\"a\",\"text\":\"b\"}")
	r, err := NewReader([]string{"/no/such/file", good}, Options{Kind: JSONL, ID: "id", Text: "text"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	b, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	if err := b(func(*Document) error { n++; return nil }); err != nil || n != 1 {
		t.Errorf("%d documents, %v", n, err)
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("%v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(0, []byte("{\"id\":\"a\",\"text\":\"b\"}\n{\"id\":1,\"text\":null}"))
	f.Add(1, []byte("a b c\nd"))
	f.Add(2, []byte("u,a,1\n\"u\",\"b\",2\nv,c,0.5\n"))
	f.Add(3, []byte("user\titem\nu\ta\n"))
	f.Fuzz(func(t *testing.T, kind int, content []byte) {
		o := []Options{
			{Kind: JSONL, ID: "id", Text: "text"}, {Kind: Sets, Sets: SetOptions{Layout: NamedSets}},
			{Kind: Sets, Sets: SetOptions{Layout: Rows, Columns: []string{"1", "2", "3"}}}, {Kind: Sets, Sets: SetOptions{Layout: Rows, Columns: []string{"user", "item"}}}, {Kind: Text},
		}[uint(kind)%5]
		_, err := read([]string{write(t, "in", string(content))}, o)
		var in *sketch.InputError
		if err != nil && !errors.As(err, &in) {
			t.Fatalf("%T: %v", err, err)
		}
	})
}
