// SPDX-License-Identifier: Apache-2.0

package residue

// A Block holds the letters of many records, or of a piece of one, as they
// stand in the file, without white space. A Block belongs to one goroutine
// while it is filled; after that any number of Hashers may read it at once.
type Block struct {
	text    []byte // a gap after each record
	room    int    // letters that Append takes beyond the overlap, ends of records counted
	overlap int    // letters at the start that Carry copied from the block before
	start   int    // where the unfinished record starts
	total   uint64
	counts  [256]uint64
}

// NewBlock returns a Block that takes the given number of letters (at least 1)
// after a Reset or Carry.
func NewBlock(letters int) *Block {
	letters = max(letters, 1)
	return &Block{room: letters, text: make([]byte, 0, letters+1)}
}

// Reset empties the block.
func (b *Block) Reset() {
	b.text = b.text[:0]
	b.overlap, b.start, b.total = 0, 0, 0
	b.counts = [256]uint64{}
}

// Append adds text to the unfinished record until the block is full. White
// space is skipped. It returns how many bytes of text it has dealt with; fewer
// than len(text) only if the block is full.
func (b *Block) Append(text []byte) int {
	before, end := len(b.text), b.overlap+b.room
	for i, c := range text {
		if white(c) {
			continue
		}
		if len(b.text) >= end {
			b.total += uint64(len(b.text) - before)
			return i
		}
		b.text = append(b.text, c)
		b.counts[c]++
	}
	b.total += uint64(len(b.text) - before)
	return len(text)
}

func white(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// EndRecord ends the record: no k-mer reaches from what was appended before
// into what comes next. It does nothing if the record is empty.
func (b *Block) EndRecord() {
	if len(b.text) == b.start {
		return
	}
	b.text = append(b.text, gap)
	b.start = len(b.text)
}

// Carry resets next, which may be b itself, and starts it with the last n
// letters of the record that is unfinished in b (all of them if there are
// fewer), so that the record can go on there. A window that lies wholly in
// them belongs to b and is not hashed again.
func (b *Block) Carry(next *Block, n int) {
	tail := b.text[max(b.start, len(b.text)-max(n, 0)):]
	text := append(next.text[:0], tail...) // of b itself it moves down
	next.Reset()
	next.text, next.overlap = text, len(text)
}

// Len is the number of letters in the block, the overlap and ends of records
// included.
func (b *Block) Len() int { return len(b.text) }

// Letters is the number of letters appended since the block was empty.
func (b *Block) Letters() uint64 { return b.total }

// Counts adds to sums how often each letter was appended since the block was
// empty, by its upper-case form.
func (b *Block) Counts(sums *[256]uint64) {
	for c, n := range b.counts {
		sums[upper(byte(c))] += n
	}
}
