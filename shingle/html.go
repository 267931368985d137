// SPDX-License-Identifier: Apache-2.0

package shingle

import (
	"bytes"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// blocks are the elements that begin and end a line of their own; text on
// either side of their tags is apart, as it is on either side of a space.
// All others lie within a line: "<b>w</b>ord" is one word.
var blocks = map[atom.Atom]bool{
	atom.Address: true, atom.Article: true, atom.Aside: true, atom.Blockquote: true, atom.Body: true, atom.Br: true,
	atom.Button: true, atom.Caption: true, atom.Center: true, atom.Dd: true, atom.Details: true, atom.Dialog: true,
	atom.Dir: true, atom.Div: true, atom.Dl: true, atom.Dt: true, atom.Fieldset: true, atom.Figcaption: true,
	atom.Figure: true, atom.Footer: true, atom.Form: true, atom.Frameset: true, atom.H1: true, atom.H2: true,
	atom.H3: true, atom.H4: true, atom.H5: true, atom.H6: true, atom.Head: true, atom.Header: true,
	atom.Hgroup: true, atom.Hr: true, atom.Html: true, atom.Iframe: true, atom.Img: true, atom.Input: true,
	atom.Legend: true, atom.Li: true, atom.Main: true, atom.Menu: true, atom.Nav: true, atom.Noscript: true,
	atom.Object: true, atom.Ol: true, atom.Optgroup: true, atom.Option: true, atom.P: true, atom.Pre: true,
	atom.Search: true, atom.Section: true, atom.Select: true, atom.Summary: true, atom.Table: true,
	atom.Tbody: true, atom.Td: true, atom.Textarea: true, atom.Tfoot: true, atom.Th: true, atom.Thead: true,
	atom.Title: true, atom.Tr: true, atom.Ul: true, atom.Video: true,
}

// hidden are the elements whose text is not for readers.
var hidden = map[atom.Atom]bool{atom.Script: true, atom.Style: true, atom.Template: true, atom.Noframes: true, atom.Noembed: true}

// A htmlText is a walk through the text of an HTML document, by the tokenizer
// of golang.org/x/net/html, which knows no errors: what is no markup is text.
type htmlText struct {
	z      *html.Tokenizer
	offset int // of the token in the document
	next   int // of the one after it
	kind   html.TokenType
	tag    atom.Atom // of a tag
	skip   atom.Atom // hidden element that the walk is in, or 0
	depth  int       // of elements of that name in it
	pre    int       // pre elements that the walk is in
}

func walkHTML(doc []byte) *htmlText { return &htmlText{z: html.NewTokenizer(bytes.NewReader(doc))} }

// step goes to the next token outside hidden elements; false at the end.
func (h *htmlText) step() bool {
	for {
		h.offset = h.next
		h.kind = h.z.Next()
		if h.kind == html.ErrorToken {
			return false
		}
		h.next += len(h.z.Raw())
		h.tag = 0
		switch h.kind {
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			name, _ := h.z.TagName()
			h.tag = atom.Lookup(name)
		}
		if h.skip == 0 && h.kind == html.StartTagToken && hidden[h.tag] {
			h.skip, h.depth = h.tag, 1
			continue
		}
		if h.skip != 0 {
			h.stepHidden()
			continue
		}
		h.countPre()
		return true
	}
}

func (h *htmlText) stepHidden() {
	if h.tag != h.skip {
		return
	}
	switch h.kind {
	case html.StartTagToken:
		h.depth++
	case html.EndTagToken:
		if h.depth--; h.depth == 0 {
			h.skip = 0
		}
	}
}

func (h *htmlText) countPre() {
	if h.tag != atom.Pre {
		return
	}
	switch h.kind {
	case html.StartTagToken:
		h.pre++
	case html.EndTagToken:
		h.pre = max(0, h.pre-1)
	}
}

// StripHTML appends to dst the text of an HTML document: character references
// are resolved, comments, scripts, styles and templates left out, a line end
// put for each tag of an element that begins a line (p, li, td, br, ...) and
// nothing for others (b, a, span, ...). With code = Drop what is in pre
// elements is left out, with code = Only all else.
func StripHTML(dst, doc []byte, code string) []byte {
	h := walkHTML(doc)
	for h.step() {
		if h.kind != html.TextToken {
			if blocks[h.tag] {
				dst = append(dst, '\n')
			}
			continue
		}
		if code == Drop && h.pre > 0 || code == Only && h.pre == 0 {
			continue
		}
		dst = append(dst, h.z.Text()...)
	}
	return dst
}
