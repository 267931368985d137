// SPDX-License-Identifier: Apache-2.0

package report

import (
	_ "embed"
	"encoding/json"
	"html/template"
	"io"
	"math"
	"strconv"
)

// A Page is one HTML file that needs no other: it works from a disk, without a
// network, and its policy forbids it to ask one.
type Page struct {
	Title    string
	Lead     []string // paragraphs under the title
	Sections []Section
}

// A Section shows what is set of it, in this order.
type Section struct {
	Heading  string
	Text     []string // paragraphs
	Figure   *Figure
	Heat     *Heat // a heat map whose values show by resting on them
	Compared []Compared
	Table    *Table
	Folded   bool // the reader opens it
}

// A Table that the reader sorts by a click on a column and searches.
type Table struct {
	Columns []string
	Rows    [][]string // cells as they are in the TSV; numbers sort as numbers, NA last
}

// Compared is two texts side by side.
type Compared struct {
	Heading               string
	LeftTitle, RightTitle string
	Left, Right           []Span
}

// A Span is a piece of a text; what both texts have is Shared.
type Span struct {
	Text   string
	Shared bool
}

//go:embed page.html
var pageHTML string

//go:embed page.js
var pageJS string

// CSS is the style that all pages share.
//
//go:embed page.css
var CSS string

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// WriteHTML writes the page; all text in it is escaped.
func (p Page) WriteHTML(w io.Writer) error {
	type section struct {
		Section
		SVG  template.HTML
		Data template.JS
	}
	data := struct {
		Page
		Parts []section
		CSS   template.CSS
		JS    template.JS
	}{Page: p, CSS: template.CSS(CSS), JS: template.JS(pageJS)}
	for _, s := range p.Sections {
		part := section{Section: s}
		switch {
		case s.Heat != nil:
			part.SVG = template.HTML(HeatMap(*s.Heat).SVG()) // our own, text escaped
			part.Data = s.Heat.data()
		case s.Figure != nil:
			part.SVG = template.HTML(s.Figure.SVG())
		}
		data.Parts = append(data.Parts, part)
	}
	return pageTemplate.Execute(w, data)
}

// data is the values of a heat map for the script of the page: labels in order
// of the rows, and the values of each row up to and with the diagonal.
func (h Heat) data() template.JS {
	order := h.Order()
	labels := make([]string, len(order))
	for at, i := range order {
		labels[at] = h.Labels[i]
	}
	names, _ := json.Marshal(struct { // strings always can be written; </script> is escaped by it
		Name   string   `json:"name"`
		Labels []string `json:"labels"`
	}{h.Name, labels})
	b := append(names[:len(names)-1], `,"values":[`...)
	for y, i := range order {
		for x, j := range order[:y+1] {
			if x+y > 0 {
				b = append(b, ',')
			}
			if v := h.Value(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				b = append(b, "null"...)
			} else {
				b = strconv.AppendFloat(b, v, 'g', 6, 64)
			}
		}
	}
	return template.JS(append(b, "]}"...))
}
