// SPDX-License-Identifier: Apache-2.0

package kmer

// MaxK is the longest k-mer that a Hasher takes.
const MaxK = 64

const (
	maxOverlap = MaxK - 1   // bases that Carry copies at most
	beyond     = 512        // positions that a kernel may read beyond the windows it is given
	piece      = 1024       // bytes of text that are packed at a time
	slack      = 2 * beyond // positions readable beyond the last one: that and whole words of windows
)

// A Block holds the bases of many records, or of a piece of one, in two bits
// each, with a bitmap of the positions that hold no base. One such position
// stands between two records. A Block belongs to one goroutine while it is
// filled; after that any number of Hashers may read it at once.
type Block struct {
	codes []uint64 // base i in bits 2i and 2i+1 of the little-endian stream: A=0 C=1 G=2 T=3
	bad   []uint64 // bit i is set where position i is not a base: a bad letter, or the end of a record
	n     int      // positions in use
	limit int      // Append stops here; the end of one more record still fits behind it

	overlap int // positions at the start that Carry copied from the block before
	start   int // where the unfinished record starts
	lengths lengths

	pack   func(b *Block, text []byte) int // what Append does, but for white space in the end
	class  *[256]byte                      // of a byte of text
	held   [64 + piece + 64]byte           // classes of the last n mod 64 letters, and room for those of a piece of text
	bases  uint64
	badSum [256]uint64
}

// NewBlock returns a Block that takes the given number of bases (at least 1)
// after a Reset or Carry.
func NewBlock(bases int) *Block {
	bases = max(bases, 1)
	positions := maxOverlap + bases + 1 + slack
	b := &Block{
		codes: make([]uint64, positions/32+1),
		bad:   make([]uint64, positions/64+1),
		pack:  chosen.pack,
		class: &dnaClass,
	}
	b.limit = bases
	return b
}

// Reset empties the block. Whether it reads RNA stays as it is.
func (b *Block) Reset() {
	b.limit -= b.overlap
	b.n, b.overlap, b.start = 0, 0, 0
	b.lengths = lengths{}
	b.bases = 0
	b.badSum = [256]uint64{}
}

// RNA says whether U is read as T. It is off at first: U is then a bad base,
// as in Mash and sourmash.
func (b *Block) RNA(on bool) {
	b.class = &dnaClass
	if on {
		b.class = &rnaClass
	}
}

// Append packs text at the end of the unfinished record until the block is
// full. White space is skipped, case is folded, and any other byte that is not
// a base takes a position as a bad base. It returns how many bytes of text it
// has dealt with; fewer than len(text) only if the block is full.
func (b *Block) Append(text []byte) int {
	before, i := b.n, 0
	if len(text) > 0 && b.n < b.limit {
		i = b.pack(b, text)
	}
	for i < len(text) && b.class[text[i]] == white {
		i++
	}
	b.bases += uint64(b.n - before)
	return i
}

// EndRecord ends the record: no k-mer reaches from what was appended before
// into what comes next. It does nothing if the record is empty, and it always
// has room.
func (b *Block) EndRecord() {
	if b.n == b.start {
		return
	}
	b.lengths.add(b.n - b.start)
	b.setBad(b.n)
	b.held[b.n&63] = notBase
	b.n++
	b.start = b.n
}

// Carry resets next, which may be b itself, and starts it with the last n
// bases of the record that is unfinished in b (all of them if there are
// fewer), so that the record can go on there. A window that lies wholly in
// these n bases belongs to b and is not hashed again. This holds for every
// k <= n+1; n above 63 counts as 63.
func (b *Block) Carry(next *Block, n int) {
	n = max(0, min(n, maxOverlap, b.n-b.start))
	from := b.n - n
	lo, hi := b.window(from)
	bad := b.badWindow(from)
	next.Reset()
	next.overlap = n
	next.limit += n
	next.n = n
	next.codes[0] = lo & lowBases(n)
	next.codes[1] = hi & lowBases(n-32)
	next.bad[0] = bad & (1<<n - 1)
	for i := range n {
		next.held[i] = byte(next.codes[i>>5]>>(2*uint(i&31))&3) | byte(bad>>i&1)*notBase
	}
}

// Len is the number of positions in use: bases, bad bases, overlap and ends of
// records.
func (b *Block) Len() int { return b.n }

// Full reports whether Append would take no more bases.
func (b *Block) Full() bool { return b.n >= b.limit }

// Bases is the number of letters appended since the block was empty, bad bases
// included, overlap and ends of records not.
func (b *Block) Bases() uint64 { return b.bases }

// Bad counts the bad bases appended since the block was empty by their
// upper-case letter. Callers must not modify it.
func (b *Block) Bad() *[256]uint64 { return &b.badSum }

// windows is the number of windows of k letters that lie within one record and
// not wholly in the overlap.
func (b *Block) windows(k int) uint64 {
	open := lengths{}
	open.add(b.n - b.start)
	over := lengths{}
	over.add(b.overlap)
	return b.lengths.windows(k) + open.windows(k) - over.windows(k)
}

// window returns the codes of the 64 positions from pos on, low word first.
func (b *Block) window(pos int) (lo, hi uint64) {
	w, s := pos>>5, uint(pos&31)*2
	c := b.codes[w : w+3]
	// A shift by 64 gives 0 in Go, which is what s = 0 needs.
	return c[0]>>s | c[1]<<(64-s), c[1]>>s | c[2]<<(64-s)
}

// badWindow returns the bad-base bits of the 64 positions from pos on.
func (b *Block) badWindow(pos int) uint64 {
	w, s := pos>>6, uint(pos&63)
	return b.bad[w]>>s | b.bad[w+1]<<(64-s)
}

// lengths sums up the lengths of records, as far as counting their windows of
// any k <= MaxK needs it.
type lengths struct {
	short [MaxK]uint32 // records of each length below MaxK
	long  uint64       // records of MaxK letters and more
	sum   uint64       // letters in these
}

func (l *lengths) add(n int) {
	if n < MaxK {
		l.short[n]++
		return
	}
	l.long++
	l.sum += uint64(n)
}

func (l *lengths) windows(k int) uint64 {
	n := l.sum - l.long*uint64(k-1)
	for length := k; length < MaxK; length++ {
		n += uint64(l.short[length]) * uint64(length-k+1)
	}
	return n
}
