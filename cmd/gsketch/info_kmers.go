// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gsketch/gsketch/formats/fastx"
	"github.com/gsketch/gsketch/formats/stream"
	"github.com/gsketch/gsketch/kmer"
	"github.com/gsketch/gsketch/sketch"
)

// A kmerTable finds the k-mers of sketches in sequences.
type kmerTable struct {
	w      io.Writer
	csv    bool // that of sourmash: the windows as they are read, no sketch named
	kinds  []*kmerKind
	path   string
	record string
	text   []byte // bases of the record from position at on
	at     int
}

// A kmerKind is what sketches of one kind of k-mers and hash hold.
type kmerKind struct {
	elements sketch.Elements
	hash     sketch.Hash
	bound    uint64
	holders  map[uint64][]*holder
	found    map[uint64]bool
	hasher   *kmer.Hasher
}

// A holder is a sketch with the cells that begin its lines.
type holder struct{ cells string }

// infoKmers prints a line for each place in the sequence files that has a k-mer
// of a sketch; as the table of sourmash sig kmers where csv is set.
func infoKmers(sequences []string, csv bool, threads int, warn func(string)) func([]source, io.Writer) error {
	return func(files []source, w io.Writer) error {
		t := &kmerTable{w: w, csv: csv}
		if err := t.take(files); err != nil {
			return err
		}
		if err := t.head(); err != nil {
			return err
		}
		for _, path := range sequences {
			if err := t.read(path, threads, warn); err != nil {
				return err
			}
		}
		for _, k := range t.kinds {
			if n := len(k.holders) - len(k.found); n > 0 {
				warn(fmt.Sprintf("%d of %d hashes of %s are those of no k-mer in the sequence files", n, len(k.holders), k.elements))
			}
		}
		return nil
	}
}

func (t *kmerTable) head() error {
	if t.csv {
		return csvLine(t.w, []string{"sequence_file", "sequence_name", "kmer", "hashval"})
	}
	return line(t.w, strings.Fields("file row name params hash k_mer sequence_file record position strand"))
}

// take lists the hashes of the sketches.
func (t *kmerTable) take(files []source) error {
	return each(files, func(file string, m sketch.Meta, s sketch.Sketch) error {
		set, ok := s.(sketch.HashSet)
		p := s.Params()
		if !ok || p.Elements.Molecule != sketch.DNA {
			return usagef("%s: %s: --kmers finds the k-mers of DNA sketches that hold hashes, not of %s", file, m.Label(), p)
		}
		k := t.kind(p)
		h := &holder{strings.Join([]string{field(file), strconv.FormatInt(m.Row, 10), field(m.Label()), p.String()}, "\t")}
		for _, v := range set.Hashes() {
			k.holders[v] = append(k.holders[v], h)
			k.bound = max(k.bound, v)
		}
		return nil
	})
}

func (t *kmerTable) kind(p sketch.Params) *kmerKind {
	for _, k := range t.kinds {
		if k.elements == p.Elements && k.hash == p.Hash {
			return k
		}
	}
	k := &kmerKind{elements: p.Elements, hash: p.Hash, holders: map[uint64][]*holder{}, found: map[uint64]bool{},
		hasher: kmer.NewHasher(p.Elements.K, p.Elements.Canonical, p.Hash.Bits, uint32(p.Hash.Seed))}
	t.kinds = append(t.kinds, k)
	return k
}

// space is what a block passes over.
var space = []byte(" \t\n\v\f\r")

// read goes through a sequence file.
func (t *kmerTable) read(path string, threads int, warn func(string)) error {
	in, err := stream.Open(path, stream.Options{Threads: threads, Warn: warn})
	if err != nil {
		return err
	}
	defer in.Close()
	r := fastx.NewReader(in, path)
	t.path = path
	for {
		p, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if p.Start {
			t.record, t.text, t.at = string(bytes.TrimSpace(p.Header)), t.text[:0], 0
		}
		const enough = 1 << 20 // bases to look at together
		for _, b := range p.Text {
			if 'a' <= b && b <= 'z' {
				b -= 'a' - 'A'
			}
			if bytes.IndexByte(space, b) < 0 {
				t.text = append(t.text, b)
			}
		}
		if p.End || len(t.text) >= enough {
			if err := t.look(); err != nil {
				return err
			}
		}
	}
}

// look looks at the bases at hand and keeps as many as a k-mer can reach back.
func (t *kmerTable) look() error {
	block := kmer.NewBlock(len(t.text))
	block.Append(t.text)
	var err error
	for _, k := range t.kinds {
		k.hasher.Reset(block)
		k.hasher.Each(k.bound, func(pos int, hash uint64) {
			if err == nil && t.at+pos+k.elements.K > t.seen() {
				err = t.print(k, pos, hash)
			}
		})
	}
	keep := min(len(t.text), kmer.MaxK-1)
	t.at += len(t.text) - keep
	t.text = append(t.text[:0], t.text[len(t.text)-keep:]...)
	return err
}

// seen is where the bases end that were looked at before.
func (t *kmerTable) seen() int {
	if t.at == 0 {
		return 0
	}
	return t.at + kmer.MaxK - 1
}

func (t *kmerTable) print(k *kmerKind, pos int, hash uint64) error {
	holders := k.holders[hash]
	if holders == nil {
		return nil
	}
	k.found[hash] = true
	letters, strand := t.text[pos:pos+k.elements.K], "+"
	if t.csv {
		return csvLine(t.w, []string{t.path, t.record, string(letters), strconv.FormatUint(hash, 10)})
	}
	if k.elements.Canonical {
		canonical := make([]byte, len(letters))
		kmer.Canonical(canonical, letters)
		if !bytes.Equal(canonical, letters) {
			letters, strand = canonical, "-"
		}
	}
	for _, h := range holders {
		if _, err := fmt.Fprintf(t.w, "%s\t%d\t%s\t%s\t%s\t%d\t%s\n", h.cells, hash, letters, field(t.path), field(t.record), t.at+pos+1, strand); err != nil {
			return err
		}
	}
	return nil
}
