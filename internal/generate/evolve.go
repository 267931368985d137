// SPDX-License-Identifier: Apache-2.0

package generate

// deleted stands in Descendant.sites for a base that was lost.
const deleted = '-'

// maxIndel bounds the length of one insertion or deletion.
const maxIndel = 50

// A Descendant is a sequence derived from an ancestor, with the true alignment
// of the two.
type Descendant struct {
	Seq      []byte
	sites    []byte // what each base of the ancestor has become
	inserted int    // bases that no base of the ancestor has become
}

// Evolve derives a sequence from an ancestor by substitutions at different
// places, which are exactly as many as asked, and by insertions and deletions
// (equally likely; the length is geometric with mean 3, at most 50), which may
// overlap the substitutions and each other.
func (r *Rand) Evolve(ancestor []byte, substitutions, indels int) Descendant {
	d := Descendant{sites: append([]byte(nil), ancestor...)}
	for _, p := range r.Choose(len(ancestor), substitutions) {
		d.sites[p] = r.other(ancestor[p])
	}
	insertions := map[int][]byte{}
	for range indels {
		p, n := r.IntN(len(ancestor)), r.indelLength()
		if r.IntN(2) == 0 {
			for i := p; i < min(p+n, len(ancestor)); i++ {
				d.sites[i] = deleted
			}
		} else {
			insertions[p] = append(insertions[p], r.DNA(n)...)
			d.inserted += n
		}
	}
	for p, b := range d.sites {
		if b != deleted {
			d.Seq = append(d.Seq, b)
		}
		d.Seq = append(d.Seq, insertions[p]...)
	}
	return d
}

func (r *Rand) indelLength() int {
	n := 1
	for n < maxIndel && r.IntN(3) != 0 {
		n++
	}
	return n
}

// An Alignment counts the columns of the true alignment of two descendants of
// one ancestor. Insertions of different descendants are not homologous: each
// inserted base is a gap of the other.
type Alignment struct{ Matches, Mismatches, Gaps int }

// Identity is matches / (matches + mismatches), what ANI estimates; 0 for
// sequences without a common base.
func (a Alignment) Identity() float64 {
	if a.Matches == 0 {
		return 0
	}
	return float64(a.Matches) / float64(a.Matches+a.Mismatches)
}

// Align returns the true alignment of two descendants of one ancestor.
func Align(x, y Descendant) Alignment {
	a := Alignment{Gaps: x.inserted + y.inserted}
	for i, b := range x.sites {
		switch c := y.sites[i]; {
		case b == deleted && c == deleted:
		case b == deleted || c == deleted:
			a.Gaps++
		case b == c:
			a.Matches++
		default:
			a.Mismatches++
		}
	}
	return a
}
