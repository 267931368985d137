// SPDX-License-Identifier: Apache-2.0

package sig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// A scanner reads JSON tokens from a stream with a buffer of fixed size.
// encoding/json would do for all but the arrays of hashes, millions of 64-bit
// integers, which it turns into one allocation each.
type scanner struct {
	r        io.Reader
	buf      []byte
	pos, end int
	base     int64 // offset of buf[0] in the stream
	err      error // of r, once it has one
}

const (
	scanBuffer = 64 << 10
	maxString  = 1 << 20 // bytes of a name, path or key
	maxDepth   = 64      // of a value that is skipped
)

func newScanner(r io.Reader) *scanner {
	return &scanner{r: r, buf: make([]byte, scanBuffer)}
}

// offset is the place of the next byte in the stream.
func (s *scanner) offset() int64 { return s.base + int64(s.pos) }

// need makes n bytes available from pos on, fewer at the end of the stream.
func (s *scanner) need(n int) {
	if s.end-s.pos >= n || s.err != nil {
		return
	}
	copy(s.buf, s.buf[s.pos:s.end])
	s.base += int64(s.pos)
	s.pos, s.end = 0, s.end-s.pos
	for idle := 0; s.end < n && s.err == nil; {
		var m int
		m, s.err = s.r.Read(s.buf[s.end:])
		s.end += m
		if m > 0 {
			idle = 0
		} else if idle++; idle == 100 && s.err == nil {
			s.err = io.ErrNoProgress
		}
	}
}

// fail is the error for a stream that ended where it must not.
func (s *scanner) fail() error {
	if s.err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return s.err
}

// peek returns the next byte that is not white space, without taking it.
func (s *scanner) peek() (byte, error) {
	for {
		for s.pos < s.end {
			switch c := s.buf[s.pos]; c {
			case ' ', '\t', '\n', '\r':
				s.pos++
			default:
				return c, nil
			}
		}
		if s.need(1); s.pos == s.end {
			return 0, s.fail()
		}
	}
}

// expect takes the next byte, which must be c.
func (s *scanner) expect(c byte) error {
	got, err := s.peek()
	if err != nil {
		return err
	}
	if got != c {
		return fmt.Errorf("%q where %q was expected", got, c)
	}
	s.pos++
	return nil
}

// more takes a comma and reports true, or takes closing and reports false.
func (s *scanner) more(closing byte) (bool, error) {
	c, err := s.peek()
	if err != nil {
		return false, err
	}
	if c != ',' && c != closing {
		return false, fmt.Errorf("%q where a comma or %q was expected", c, closing)
	}
	s.pos++
	return c == ',', nil
}

// object calls field for each key; field must read the value.
func (s *scanner) object(field func(key string) error) error {
	return s.list('{', '}', func() error {
		key, err := s.string()
		if err != nil {
			return err
		}
		if err := s.expect(':'); err != nil {
			return err
		}
		return field(key)
	})
}

// array calls value for each element; value must read it.
func (s *scanner) array(value func() error) error { return s.list('[', ']', value) }

func (s *scanner) list(opening, closing byte, element func() error) error {
	if err := s.expect(opening); err != nil {
		return err
	}
	if c, err := s.peek(); err != nil || c == closing {
		s.pos++
		return err
	}
	for {
		if err := element(); err != nil {
			return err
		}
		if again, err := s.more(closing); err != nil || !again {
			return err
		}
	}
}

var errWhole = errors.New("not a whole number from 0 to 2^64-1")

// uint reads a number.
func (s *scanner) uint() (uint64, error) {
	if _, err := s.peek(); err != nil {
		return 0, err
	}
	s.need(24) // 20 digits and what follows them
	b := s.buf[s.pos:s.end]
	var n uint64
	i := 0
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		d := uint64(b[i] - '0')
		if i >= 19 && (n > (1<<64-1)/10 || n*10 > 1<<64-1-d) {
			return 0, errWhole
		}
		n = n*10 + d
	}
	if i == 0 || i > 1 && b[0] == '0' {
		return 0, errWhole
	}
	if i < len(b) {
		switch b[i] {
		case ',', ']', '}', ' ', '\t', '\n', '\r':
		default:
			return 0, errWhole // 1e3, 1.0: a float64 would have lost digits
		}
	}
	s.pos += i
	return n, nil
}

// uints reads an array of numbers, of no more than limit. Where grows is set,
// the limit holds only once a number is not above the one before: ascending
// numbers take ever more bytes in the file, so that memory stays near its
// size, while "0,0,0" would take four times as much.
func (s *scanner) uints(limit int, grows bool) (numbers []uint64, ascending bool, err error) {
	ascending = true
	err = s.array(func() error {
		n, err := s.uint()
		if err != nil {
			return err
		}
		if k := len(numbers); k > 0 && n <= numbers[k-1] {
			ascending = false
		}
		if len(numbers) >= limit && !(grows && ascending) {
			return fmt.Errorf("more than %d numbers", limit)
		}
		numbers = append(numbers, n)
		return nil
	})
	return numbers, ascending, err
}

// raw takes a string with its quotes and escapes.
func (s *scanner) raw() ([]byte, error) {
	if err := s.expect('"'); err != nil {
		return nil, err
	}
	token := []byte{'"'}
	for escaped := false; ; {
		if s.need(1); s.pos == s.end {
			return nil, s.fail()
		}
		start := s.pos
		for s.pos < s.end {
			c := s.buf[s.pos]
			s.pos++
			if c == '"' && !escaped {
				return append(token, s.buf[start:s.pos]...), nil
			}
			escaped = c == '\\' && !escaped
		}
		if token = append(token, s.buf[start:s.pos]...); len(token) > maxString {
			return nil, fmt.Errorf("a string of more than %d bytes", maxString)
		}
	}
}

func (s *scanner) string() (string, error) {
	token, err := s.raw()
	if err != nil {
		return "", err
	}
	if !utf8.Valid(token) {
		return "", errors.New("a string that is not UTF-8")
	}
	var text string
	if err := json.Unmarshal(token, &text); err != nil {
		return "", err
	}
	return text, nil
}

// optionalString reads a string or null, which is "".
func (s *scanner) optionalString() (string, error) {
	if c, err := s.peek(); err != nil || c == '"' {
		if err != nil {
			return "", err
		}
		return s.string()
	}
	word, err := s.word()
	if err == nil && word != "null" {
		err = fmt.Errorf("%q where a string was expected", word)
	}
	return "", err
}

// word reads a number, true, false or null as it is written.
func (s *scanner) word() (string, error) {
	if _, err := s.peek(); err != nil {
		return "", err
	}
	const longest = 64
	s.need(longest)
	b := s.buf[s.pos:s.end]
	n := bytes.IndexAny(b, ",]} \t\r\n")
	if n < 0 && len(b) < longest {
		return "", s.fail()
	}
	if n < 1 || !json.Valid(b[:n]) {
		return "", fmt.Errorf("%.20q is no JSON value", b)
	}
	word := string(b[:n])
	s.pos += n
	return word, nil
}

// skip reads over a value.
func (s *scanner) skip(depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("values nested more than %d deep", maxDepth)
	}
	c, err := s.peek()
	if err != nil {
		return err
	}
	switch c {
	case '"':
		_, err = s.raw()
	case '[':
		err = s.array(func() error { return s.skip(depth + 1) })
	case '{':
		err = s.object(func(string) error { return s.skip(depth + 1) })
	default:
		_, err = s.word()
	}
	return err
}

// atEnd checks that nothing but white space is left.
func (s *scanner) atEnd() error {
	c, err := s.peek()
	if err == nil {
		return fmt.Errorf("%q after the end of the signatures", c)
	}
	if s.err == io.EOF {
		return nil
	}
	return err
}
