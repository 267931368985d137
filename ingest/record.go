// SPDX-License-Identifier: Apache-2.0

package ingest

import (
	"bytes"
	"fmt"

	"github.com/gsketch/gsketch/formats/fastx"
	"github.com/gsketch/gsketch/sketch"
)

// A ledger keeps, for elements of one width, what Mash records of an input: the
// records of at least so many letters, their total length, and the header of
// the first.
type ledger struct {
	k       int
	span    int // letters of an element: k; of residues read from DNA 3k
	length  uint64
	records uint64
	header  []byte
}

// A census is what is known of a sample beside its hashes.
type census struct {
	plan    Plan
	ledgers []ledger    // one per distinct width of elements
	records uint64      // all records
	empty   uint64      // of these, records without sequence
	bases   uint64      // letters, of whatever kind
	letters [256]uint64 // by upper-case form: of DNA those that are no bases, else all
	first   []byte      // header of the first record
}

func (p Plan) newCensus() *census {
	c := &census{plan: p}
	for _, q := range p.Params {
		if c.ledger(q.Elements) == nil {
			c.ledgers = append(c.ledgers, ledger{k: q.Elements.K, span: p.span(q.Elements)})
		}
	}
	return c
}

func (c *census) ledger(e sketch.Elements) *ledger {
	for i := range c.ledgers {
		if c.ledgers[i].span == c.plan.span(e) {
			return &c.ledgers[i]
		}
	}
	return nil
}

// record enters a record of n letters.
func (c *census) record(header []byte, n uint64) {
	if c.records == 0 {
		c.first = append([]byte(nil), header...)
	}
	c.records++
	c.bases += n
	if n == 0 {
		c.empty++
	}
	for i := range c.ledgers {
		l := &c.ledgers[i]
		if n < uint64(l.span) {
			continue
		}
		if l.records == 0 {
			l.header = append([]byte(nil), header...)
		}
		l.records++
		l.length += n
	}
}

// comment is what Mash writes for a file: "NAME COMMENT" of the first used
// record, with one space between them in any case, in "[n seqs] ... [...]" if
// there are more.
func (l *ledger) comment() string {
	if l.records == 0 {
		return ""
	}
	name, comment := fastx.Split(l.header)
	return wrap(name+" "+comment, l.records)
}

func wrap(comment string, records uint64) string {
	if records > 1 {
		return fmt.Sprintf("[%d seqs] %s [...]", records, comment)
	}
	return comment
}

// meta describes the sketch that p makes of a sample.
func (c *census) meta(s Sample, o Options, p sketch.Params) sketch.Meta {
	l := c.ledger(p.Elements)
	m := sketch.Meta{ID: s.ID, Source: s.Paths[0], Length: l.length, Records: l.records, Comment: l.comment()}
	if o.SourmashNames {
		m.Source = s.Paths[len(s.Paths)-1]
		if m.Source == "-" {
			m.Source = ""
		}
	} else if m.Source == "-" && s.ID == "" && l.records > 0 {
		// Mash takes both from the first record where there is no file name.
		m.ID, m.Comment = fastx.Split(l.header)
		m.Comment = wrap(m.Comment, l.records)
	}
	if o.NameFromFirst && s.ID == "" {
		m.ID = wholeName(c.first)
	}
	if s.Comment != "" {
		m.Comment = s.Comment
	}
	return m
}

// recordMeta describes the sketch that p makes of the one record counted.
func (c *census) recordMeta(s Sample, o Options, p sketch.Params) sketch.Meta {
	l := c.ledger(p.Elements)
	m := sketch.Meta{Source: s.Paths[0], PerRecord: true, Length: l.length, Records: l.records}
	if o.SourmashNames {
		m.ID = wholeName(c.first)
	} else {
		m.ID, m.Comment = fastx.Split(c.first)
	}
	return m
}

// wholeName is what sourmash calls a record: its header line.
func wholeName(header []byte) string { return string(bytes.TrimSpace(header)) }
