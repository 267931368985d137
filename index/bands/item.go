// SPDX-License-Identifier: Apache-2.0

package bands

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/simhash"
	"github.com/gsketch/gsketch/sketch"
)

// A record of a document: version (1 byte), flags (1: per record, 2: length
// estimated), then id, source and comment, each behind its length, length,
// records and count, all numbers as unsigned LEB128; then the slots as
// sketch.Params.AppendSlotBytes lays them out.
const recordVersion = 1

var errRecord = errors.New("damaged record of a document")

// appendItem appends the record of a signature.
func appendItem(dst []byte, m sketch.Meta, s sketch.Signature) []byte {
	var flags byte
	if m.PerRecord {
		flags |= 1
	}
	if m.LengthEstimated {
		flags |= 2
	}
	dst = append(dst, recordVersion, flags)
	for _, text := range []string{m.ID, m.Source, m.Comment} {
		dst = append(binary.AppendUvarint(dst, uint64(len(text))), text...)
	}
	for _, n := range []uint64{m.Length, m.Records, m.Count} {
		dst = binary.AppendUvarint(dst, n)
	}
	return s.Params().AppendSlotBytes(dst, s.AppendSlots(nil))
}

// parseMeta reads what precedes the slots and returns these.
func parseMeta(b []byte) (m sketch.Meta, slots []byte, err error) {
	if len(b) < 2 || b[0] != recordVersion || b[1] > 3 {
		return m, nil, errRecord
	}
	m.PerRecord, m.LengthEstimated = b[1]&1 != 0, b[1]&2 != 0
	b = b[2:]
	number := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			err, b = errRecord, nil
			return 0
		}
		b = b[n:]
		return v
	}
	for _, text := range []*string{&m.ID, &m.Source, &m.Comment} {
		n := number()
		if n > uint64(len(b)) {
			return m, nil, errRecord
		}
		*text, b = string(b[:n]), b[n:]
	}
	for _, v := range []*uint64{&m.Length, &m.Records, &m.Count} {
		*v = number()
	}
	return m, b, err
}

// parseItem reads a record of signatures made with p.
func parseItem(p sketch.Params, b []byte) (sketch.Item, error) {
	m, raw, err := parseMeta(b)
	if err != nil {
		return sketch.Item{}, err
	}
	slots, err := p.ParseSlotBytes(raw)
	if err != nil {
		return sketch.Item{}, fmt.Errorf("%w: %w", errRecord, err)
	}
	var s sketch.Estimable
	if p.Family == sketch.SimHash {
		s, err = simhash.New(p, slots)
	} else {
		s, err = minhash.New(p, slots)
	}
	if err != nil {
		return sketch.Item{}, fmt.Errorf("%w: %w", errRecord, err)
	}
	return sketch.Item{Meta: m, Sketch: s}, nil
}
