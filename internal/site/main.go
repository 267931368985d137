// SPDX-License-Identifier: Apache-2.0

// Command site makes the documentation site: each Markdown file of docs/ and
// README.md as a page, and the laboratory, one file that needs no server.
//
//	go run ./internal/site DOCS OUT
package main

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"

	"github.com/gsketch/gsketch/report"
)

//go:embed lab.html lab.js page.html
var files embed.FS

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: site REPOSITORY OUT")
		os.Exit(2)
	}
	if err := build(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// pages are those of the menu, in its order; those of docs/ that are not named
// follow.
var pages = []struct{ source, name string }{
	{"README.md", "gsketch"}, {"docs/start.md", "First five minutes"}, {"docs/tutorial-viruses.md", "A virus mixture"},
	{"docs/tutorial-genomes.md", "Bacterial genomes"}, {"docs/tutorial-texts.md", "Licence texts"}, {"docs/choosing.md", "How to choose"}, {"docs/faq.md", "Questions"},
}

type page struct {
	source, file, Name string
}

func build(repository, out string) error {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	all, err := list(repository)
	if err != nil {
		return err
	}
	t, err := template.ParseFS(files, "page.html")
	if err != nil {
		return err
	}
	for _, p := range all {
		text, err := os.ReadFile(filepath.Join(repository, p.source))
		if err != nil {
			return err
		}
		body, err := render(text)
		if err != nil {
			return fmt.Errorf("%s: %w", p.source, err)
		}
		var b bytes.Buffer
		if err := t.Execute(&b, map[string]any{"CSS": template.CSS(report.CSS), "Title": p.Name, "Menu": menu(all, p), "Body": template.HTML(body)}); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, p.file), b.Bytes(), 0o666); err != nil {
			return err
		}
	}
	if err := copyFigures(filepath.Join(repository, "docs"), out); err != nil {
		return err
	}
	return laboratory(repository, filepath.Join(out, "lab.html"))
}

// list is the pages of the site.
func list(repository string) ([]page, error) {
	var all []page
	named := map[string]bool{}
	for _, p := range pages {
		if _, err := os.Stat(filepath.Join(repository, p.source)); err == nil {
			all = append(all, page{p.source, target(p.source), p.name})
		}
		named[p.source] = true
	}
	rest, err := filepath.Glob(filepath.Join(repository, "docs", "*.md"))
	if err != nil {
		return nil, err
	}
	folders, err := filepath.Glob(filepath.Join(repository, "docs", "*", "README.md"))
	if err != nil {
		return nil, err
	}
	for _, path := range append(rest, folders...) {
		source, err := filepath.Rel(repository, path)
		if err != nil {
			return nil, err
		}
		source = filepath.ToSlash(source)
		if named[source] {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
		all = append(all, page{source, target(source), name})
	}
	return all, nil
}

func target(source string) string {
	if source == "README.md" {
		return "index.html"
	}
	if folder, ok := strings.CutSuffix(source, "/README.md"); ok {
		source = folder // as docs/cluster/README.md
	}
	return strings.TrimSuffix(filepath.Base(source), ".md") + ".html"
}

// links to other pages of the repository; those to code lead nowhere in the
// site and become plain.
var links = regexp.MustCompile(`<a href="([^":]*)">(.*?)</a>`)

func render(text []byte) (string, error) {
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	var b bytes.Buffer
	if err := md.Convert(text, &b); err != nil {
		return "", err
	}
	return links.ReplaceAllStringFunc(b.String(), func(a string) string {
		m := links.FindStringSubmatch(a)
		path, anchor, _ := strings.Cut(m[1], "#")
		switch {
		case path == "":
			return a
		case strings.HasSuffix(path, ".md"):
			if anchor != "" {
				anchor = "#" + anchor
			}
			return `<a href="` + target(strings.TrimPrefix(path, "../")) + anchor + `">` + m[2] + "</a>"
		case strings.HasSuffix(path, ".html"):
			return a
		}
		return m[2]
	}), nil
}

func menu(all []page, current page) template.HTML {
	var b strings.Builder
	for _, p := range all {
		mark := ""
		if p == current {
			mark = ` aria-current="page"`
		}
		fmt.Fprintf(&b, `<li><a href="%s"%s>%s</a></li>`, p.file, mark, template.HTMLEscapeString(p.Name))
	}
	b.WriteString(`<li><a href="lab.html">The laboratory</a></li>`)
	return template.HTML(b.String())
}

// copyFigures copies docs/figures.
func copyFigures(docs, out string) error {
	paths, err := filepath.Glob(filepath.Join(docs, "figures", "*.svg"))
	if err != nil || len(paths) == 0 {
		return err
	}
	if err := os.MkdirAll(filepath.Join(out, "figures"), 0o777); err != nil {
		return err
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, "figures", filepath.Base(path)), b, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// laboratory writes the page of the laboratory, its program inside: a browser
// reads no second file from a disk.
func laboratory(repository, to string) error {
	dir, err := os.MkdirTemp("", "lab")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "lab.wasm")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-tags", "purego", "-o", program, "./internal/site/wasm")
	cmd.Dir = repository
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return err
	}
	wasm, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	glue, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	script, err := files.ReadFile("lab.js")
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(wasm); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	t, err := template.ParseFS(files, "lab.html")
	if err != nil {
		return err
	}
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := t.Execute(f, map[string]any{
		"CSS": template.CSS(report.CSS), "Exec": template.JS(glue), "JS": template.JS(script),
		"Wasm": template.HTML(base64.StdEncoding.EncodeToString(packed.Bytes())),
	}); err != nil {
		return err
	}
	return f.Close()
}
