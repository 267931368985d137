// SPDX-License-Identifier: Apache-2.0

package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// A jsonlSource reads a JSON object a line (jsonlines.org). Objects are checked
// as RFC 8259 and RFC 7493 have them: UTF-8, no name twice.
type jsonlSource struct {
	in     *counted
	blocks *blockReader
	opts   Options
}

func openJSONL(path string, o Options) (source, error) {
	in, err := openStream(path, o)
	if err != nil {
		return nil, err
	}
	return &jsonlSource{in, newBlockReader(in, path), o}, nil
}

func (s *jsonlSource) close() error { return s.in.Close() }

func (s *jsonlSource) next() (Batch, error) {
	b, err := s.blocks.next()
	if err != nil {
		return nil, err
	}
	return func(yield func(*Document) error) error {
		p := jsonParser{opts: s.opts, dec: jsontext.NewDecoder(bytes.NewReader(nil))}
		doc := Document{Source: s.blocks.path}
		return b.each(func(line []byte, number uint64, offset int64) error {
			doc.Record, doc.Offset, doc.Raw = number, offset, line
			if err := p.parse(&doc, line); err != nil {
				return err
			}
			return yield(&doc)
		})
	}, nil
}

// A jsonParser takes name and text out of objects.
type jsonParser struct {
	opts Options
	dec  *jsontext.Decoder
	text []byte
}

// Objects calls yield for the document of each of the JSON objects that follow
// one another in data, on lines of their own or not. path is what errors, which
// are *sketch.InputError, call it.
func Objects(data []byte, path string, o Options, yield func(*Document) error) error {
	all := jsontext.NewDecoder(bytes.NewBuffer(data))
	p := jsonParser{opts: o, dec: jsontext.NewDecoder(bytes.NewReader(nil))}
	doc := Document{Source: path}
	for {
		doc.Record++
		doc.Offset = all.InputOffset()
		value, err := all.ReadValue()
		if err == io.EOF {
			return nil
		} else if err != nil {
			doc.Offset = 0
			return p.fail(&doc, err)
		}
		doc.Offset = all.InputOffset() - int64(len(value))
		if err := p.parse(&doc, value); err != nil {
			return err
		}
		if err := yield(&doc); err != nil {
			return err
		}
	}
}

// parse fills doc from a line. The text null is an empty document.
func (p *jsonParser) parse(doc *Document, line []byte) error {
	doc.ID, doc.Text = "", nil
	if len(p.opts.Fields) > 0 {
		doc.Fields = make([]string, len(p.opts.Fields))
	}
	p.dec.Reset(bytes.NewBuffer(line))
	if p.dec.PeekKind() != '{' {
		if _, err := p.dec.ReadValue(); err != nil {
			return p.fail(doc, err)
		}
		return doc.fail(errors.New("not a JSON object"))
	}
	hasID, hasText := p.opts.ID == "", false
	if _, err := p.dec.ReadToken(); err != nil {
		return p.fail(doc, err)
	}
	for p.dec.PeekKind() != '}' {
		name, err := p.dec.ReadToken()
		if err != nil {
			return p.fail(doc, err)
		}
		field := name.String()
		value, err := p.dec.ReadValue()
		if err != nil {
			return p.fail(doc, err)
		}
		if p.opts.ID != "" && field == p.opts.ID {
			if doc.ID, err = p.id(value); err != nil {
				return doc.fail(err)
			}
			hasID = true
		}
		for i, wanted := range p.opts.Fields {
			if field == wanted {
				if doc.Fields[i], err = plain(field, value); err != nil {
					return doc.fail(err)
				}
			}
		}
		if field == p.opts.Text {
			if doc.Text, err = p.unquote(value); err != nil {
				return doc.fail(err)
			}
			hasText = true
		}
	}
	if _, err := p.dec.ReadToken(); err != nil {
		return p.fail(doc, err)
	}
	if _, err := p.dec.ReadToken(); err != io.EOF {
		return doc.fail(errors.New("something follows the JSON object on its line"))
	}
	if p.opts.ID == "" {
		doc.ID = numbered(doc)
	}
	switch {
	case !hasID:
		return doc.fail(&MissingFieldError{p.opts.ID, "name"})
	case !hasText:
		return doc.fail(&MissingFieldError{p.opts.Text, "text"})
	}
	return nil
}

// numbered is the name of a document that has none.
func numbered(doc *Document) string { return fmt.Sprintf("%s:%d", doc.Source, doc.Record) }

// A MissingFieldError says that an object has no field of which the name or the
// text (Of) is to be taken.
type MissingFieldError struct{ Field, Of string }

func (e *MissingFieldError) Error() string {
	return fmt.Sprintf("no field %q, of which the %s is to be taken", e.Field, e.Of)
}

func (p *jsonParser) id(v jsontext.Value) (string, error) {
	switch v.Kind() {
	case '"':
		b, err := jsontext.AppendUnquote(nil, v)
		return string(b), err
	case '0':
		return string(v), nil
	}
	return "", fmt.Errorf("the name in field %q is neither a string nor a number", p.opts.ID)
}

// plain is the text of a further field.
func plain(field string, v jsontext.Value) (string, error) {
	switch v.Kind() {
	case '"':
		b, err := jsontext.AppendUnquote(nil, v)
		return string(b), err
	case '0', 't', 'f':
		return string(v), nil
	case 'n':
		return "", nil
	}
	return "", fmt.Errorf("field %q is neither a string nor a number", field)
}

func (p *jsonParser) unquote(v jsontext.Value) ([]byte, error) {
	switch v.Kind() {
	case '"':
		var err error
		p.text, err = jsontext.AppendUnquote(p.text[:0], v)
		return p.text, err
	case 'n':
		return p.text[:0], nil
	}
	return nil, fmt.Errorf("the text in field %q is not a string", p.opts.Text)
}

// fail gives the place of a mistake within the line.
func (p *jsonParser) fail(doc *Document, err error) error {
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = io.ErrUnexpectedEOF
		}
		return doc.fail(fmt.Errorf("broken JSON: %w", err))
	}
	at := *doc
	at.Offset += syntax.ByteOffset
	return at.fail(fmt.Errorf("broken JSON: %w", syntax.Err))
}
