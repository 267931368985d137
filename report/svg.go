// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"strconv"
)

// A Figure is a drawing: x grows to the right, y downwards, in pixels.
type Figure struct {
	Width, Height float64
	Title         string // what a reader without eyes is told
	body          bytes.Buffer
}

// Anchors of a text: where its x stands.
const (
	start  = "start"
	middle = "middle"
	end    = "end"
)

const (
	ink   = "#222222"
	faint = "#bbbbbb"
	fonts = "Helvetica, Arial, 'DejaVu Sans', sans-serif"
)

// WriteTo writes the figure as an SVG document.
func (f *Figure) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%[1]s" height="%[2]s" role="img" font-family="%s" fill="%s">`+"\n",
		num(math.Ceil(f.Width)), num(math.Ceil(f.Height)), fonts, ink)
	fmt.Fprintf(&b, "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n", escape(f.Title))
	b.Write(f.body.Bytes())
	b.WriteString("</svg>\n")
	return b.WriteTo(w)
}

// SVG is the figure as an SVG document.
func (f *Figure) SVG() []byte {
	var b bytes.Buffer
	f.WriteTo(&b) // a buffer takes everything
	return b.Bytes()
}

// num spells a coordinate to a hundredth of a pixel.
func num(x float64) string {
	return strconv.FormatFloat(math.Round(x*100)/100, 'f', -1, 64)
}

func escape(s string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(s)) // a buffer takes everything
	return b.String()
}

// title is what a reader sees when resting on a mark; "" is nothing.
func title(s string) string {
	if s == "" {
		return ""
	}
	return "<title>" + escape(s) + "</title>"
}

func (f *Figure) line(x1, y1, x2, y2 float64, colour string, width float64) {
	fmt.Fprintf(&f.body, `<line x1="%s" y1="%s" x2="%s" y2="%s" stroke="%s" stroke-width="%s"/>`+"\n", num(x1), num(y1), num(x2), num(y2), colour, num(width))
}

func (f *Figure) rect(x, y, w, h float64, colour, hover string) {
	fmt.Fprintf(&f.body, `<rect x="%s" y="%s" width="%s" height="%s" fill="%s">%s</rect>`+"\n", num(x), num(y), num(w), num(h), colour, title(hover))
}

func (f *Figure) circle(x, y, r float64, colour, hover string) {
	fmt.Fprintf(&f.body, `<circle cx="%s" cy="%s" r="%s" fill="%s">%s</circle>`+"\n", num(x), num(y), num(r), colour, title(hover))
}

// A point of a path.
type point struct{ x, y float64 }

// path draws straight lines through points.
func (f *Figure) path(points []point, colour string, width float64) {
	if len(points) == 0 {
		return
	}
	f.body.WriteString(`<path d="`)
	for i, p := range points {
		op := "L"
		if i == 0 {
			op = "M"
		}
		f.body.WriteString(op + num(p.x) + " " + num(p.y))
	}
	fmt.Fprintf(&f.body, `" fill="none" stroke="%s" stroke-width="%s"/>`+"\n", colour, num(width))
}

// text writes s with its baseline at y.
func (f *Figure) text(x, y, size float64, anchor, s string) {
	fmt.Fprintf(&f.body, `<text x="%s" y="%s" font-size="%s" text-anchor="%s">%s</text>`+"\n", num(x), num(y), num(size), anchor, escape(s))
}

// upward writes s from (x, y) upwards.
func (f *Figure) upward(x, y, size float64, anchor, s string) {
	fmt.Fprintf(&f.body, `<text transform="translate(%s %s) rotate(-90)" font-size="%s" text-anchor="%s">%s</text>`+"\n", num(x), num(y), num(size), anchor, escape(s))
}

// picture places an image, each of its pixels a sharp rectangle. id names it
// for the script of a page.
func (f *Figure) picture(x, y, w, h float64, id string, img image.Image) {
	var b bytes.Buffer
	png.Encode(&b, img) // a buffer takes everything
	fmt.Fprintf(&f.body, `<image id="%s" x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" style="image-rendering:pixelated" href="data:image/png;base64,%s"/>`+"\n",
		id, num(x), num(y), num(w), num(h), base64.StdEncoding.EncodeToString(b.Bytes()))
}
