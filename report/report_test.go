// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// label is any label, markup and wide letters included.
var label = rapid.StringMatching(`[ -~äßЖ語]{0,40}`)

// figures draws one of each kind from random input.
func figures(t *rapid.T) map[string]*Figure {
	n := rapid.IntRange(1, 60).Draw(t, "n")
	labels := rapid.SliceOfN(label, n, n).Draw(t, "labels")
	heading := label.Draw(t, "heading")
	values := rapid.SliceOfN(rapid.Float64Range(0, 1), n, n).Draw(t, "values")
	h := Heat{Heading: heading, Name: "distance", Labels: labels, Value: func(i, j int) float64 { return math.Abs(values[i] - values[j]) }, High: 1, Beyond: label.Draw(t, "beyond")}
	tree := Node{Label: labels[0]}
	var dots []Dot
	var sizes []int
	points := []Series{{Name: label.Draw(t, "series"), Line: true}, {Name: "measured"}}
	for i := range labels {
		if i > 0 {
			h.Joins = append(h.Joins, Join{A: i, B: map[bool]int{true: 0, false: n + i - 2}[i == 1], Height: float64(i)})
			tree = Node{Length: values[i], Children: []Node{tree, {Label: labels[i], Length: values[i]}}}
		}
		dots = append(dots, Dot{X: values[i], Y: values[n-1-i], Label: labels[i], Kind: i - 1})
		sizes = append(sizes, 1+int(values[i]*1000))
		points[0].Points = append(points[0].Points, Point{X: values[i], Y: values[i]})
		points[1].Points = append(points[1].Points, Point{X: values[i], Y: values[n-1-i], Low: 0, High: 1, Label: labels[i]})
	}
	return map[string]*Figure{
		"heat": HeatMap(h), "tree": Phylogram(heading, tree), "map": Map(heading, dots),
		"lines": Lines(heading, "x", "y", 0, 1, points), "histogram": Histogram(heading, "x", values, 0, 0.9, 20), "sizes": Sizes(heading, "x", sizes),
	}
}

// Every figure is well-formed, has the same bytes twice, and all its marks and
// texts lie inside it: no label is clipped, whatever it says.
func TestFiguresHoldTheirMarks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for name, f := range figures(t) {
			b := f.SVG()
			if !bytes.Equal(b, f.SVG()) {
				t.Fatalf("%s: drawn twice, two results", name)
			}
			if err := inside(f, b); err != nil {
				t.Fatalf("%s: %v\n%s", name, err, b)
			}
		}
	})
}

// inside parses a figure and finds a mark that leaves it.
func inside(f *Figure, svg []byte) error {
	d := xml.NewDecoder(bytes.NewReader(svg))
	var box [4]float64 // of the text element that is open
	var open, upward bool
	var size, x, y float64
	var anchor string
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch e := tok.(type) {
		case xml.StartElement:
			at := map[string]string{}
			for _, a := range e.Attr {
				at[a.Name.Local] = a.Value
			}
			number := func(k string) float64 { v, _ := strconv.ParseFloat(at[k], 64); return v }
			switch e.Name.Local {
			case "text":
				open, upward, anchor, size, x, y = true, at["transform"] != "", at["text-anchor"], number("font-size"), number("x"), number("y")
				if upward {
					fmt.Sscanf(at["transform"], "translate(%g %g)", &x, &y)
				}
			case "circle":
				if x, y, r := number("cx"), number("cy"), number("r"); x-r < 0 || y-r < 0 || x+r > f.Width || y+r > f.Height {
					return fmt.Errorf("circle at %v, %v leaves %v x %v", x, y, f.Width, f.Height)
				}
			}
		case xml.CharData:
			if !open {
				continue
			}
			open = false
			w := TextWidth(string(e), size)
			before := map[string]float64{start: 0, middle: w / 2, end: w}[anchor]
			box = [4]float64{x - before, y - 0.8*size, x - before + w, y + 0.25*size}
			if upward {
				box = [4]float64{x - 0.8*size, y + before - w, x + 0.25*size, y + before}
			}
			if box[0] < -0.01 || box[1] < -0.01 || box[2] > f.Width+0.01 || box[3] > f.Height+0.01 {
				return fmt.Errorf("text %q at %v leaves %v x %v", e, box, f.Width, f.Height)
			}
		case xml.EndElement:
			open = false
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		a    axis
		n    int
		want string
	}{
		{axis{low: 0, high: 1}, 6, "0 0.2 0.4 0.6 0.8 1"},
		{axis{low: 0.93, high: 1}, 8, "0.93 0.94 0.95 0.96 0.97 0.98 0.99 1"},
		{axis{low: 0, high: 1234}, 6, "0 500 1000"},
		{axis{low: -1, high: 1}, 4, "-1 -0.5 0 0.5 1"},
		{axis{low: 0.8, high: 1000, log: true}, 6, "1 10 100 1000"},
	} {
		var got []string
		for _, v := range c.a.ticks(c.n) {
			got = append(got, spell(v))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%v to %v: %s, want %s", c.a.low, c.a.high, s, c.want)
		}
	}
}

func TestShade(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{{0, "#440154"}, {1, "#fde725"}, {-1, "#440154"}, {1.01, hex(beyond)}, {math.NaN(), hex(missing)}} {
		if got := hex(shade(c.v)); got != c.want {
			t.Errorf("%v: %s, want %s", c.v, got, c.want)
		}
	}
}

// The leaves of ((0,2),(1,3)) are drawn in this order, so that no branches cross.
func TestHeatOrder(t *testing.T) {
	h := Heat{Labels: []string{"a", "b", "c", "d"}, Joins: []Join{{0, 2, 1}, {1, 3, 2}, {4, 5, 3}}}
	if got := fmt.Sprint(h.Order()); got != "[0 2 1 3]" {
		t.Errorf("order %s", got)
	}
	h.Joins = nil
	if got := fmt.Sprint(h.Order()); got != "[0 1 2 3]" {
		t.Errorf("order without joins %s", got)
	}
}

func TestPageEscapes(t *testing.T) {
	evil := `</script><script>alert("1")</script>&<img src=x onerror=alert(1)>`
	p := Page{Title: evil, Lead: []string{evil}, Sections: []Section{
		{Heading: evil, Text: []string{evil}, Table: &Table{Columns: []string{evil}, Rows: [][]string{{evil}}}},
		{Heat: &Heat{Heading: evil, Name: evil, Labels: []string{evil, "b"}, Value: func(i, j int) float64 { return math.NaN() }, High: 1}},
		{Figure: Map(evil, []Dot{{Label: evil}})},
		{Compared: []Compared{{Heading: evil, LeftTitle: evil, RightTitle: evil, Left: []Span{{Text: evil, Shared: true}}, Right: []Span{{Text: evil}}}}, Folded: true},
	}}
	var b bytes.Buffer
	if err := p.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	s := b.String()
	if strings.Contains(s, "<script>alert") || strings.Contains(s, "<img") {
		t.Errorf("markup of the input is in the page:\n%s", s)
	}
	if n := strings.Count(s, "alert("); n < 12 {
		t.Errorf("%d of the texts are there", n)
	}
	for _, outside := range []string{"http://", "https://"} {
		if rest := strings.ReplaceAll(s, "http://www.w3.org/2000/svg", ""); strings.Contains(rest, outside) {
			t.Errorf("the page names an address on %s", outside)
		}
	}
}
