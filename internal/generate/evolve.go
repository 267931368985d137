// SPDX-License-Identifier: Apache-2.0

package generate

// deleted stands in Descendant.sites for a base that was lost.
const deleted = '-'

// maxIndel bounds the length of one insertion or deletion.
const maxIndel = 50

// A Descendant is a sequence derived from an ancestor, with the true alignment
// of the two.
type Descendant struct {
	Seq        []byte
	sites      []byte         // what each base of the ancestor has become
	insertions map[int][]byte // behind a base of the ancestor, bases that none of it has become
}

// Evolve derives a sequence from an ancestor by substitutions at different
// places, which are exactly as many as asked, and by insertions and deletions
// (equally likely; the length is geometric with mean 3, at most 50), which may
// overlap the substitutions and each other.
func (r *Rand) Evolve(ancestor []byte, substitutions, indels int) Descendant {
	d := Descendant{sites: append([]byte(nil), ancestor...), insertions: map[int][]byte{}}
	for _, p := range r.Choose(len(ancestor), substitutions) {
		d.sites[p] = r.other(ancestor[p])
	}
	for range indels {
		p, n := r.IntN(len(ancestor)), r.indelLength()
		if r.IntN(2) == 0 {
			for i := p; i < min(p+n, len(ancestor)); i++ {
				d.sites[i] = deleted
			}
		} else {
			d.insertions[p] = append(d.insertions[p], r.DNA(n)...)
		}
	}
	for p, b := range d.sites {
		if b != deleted {
			d.Seq = append(d.Seq, b)
		}
		d.Seq = append(d.Seq, d.insertions[p]...)
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
// inserted base is a gap of the other. Openings are the runs of gaps: insertions, and
// what is deleted on one side alone.
type Alignment struct{ Matches, Mismatches, Gaps, Openings int }

// Identity is matches / (matches + mismatches), which leaves gaps out; 0 for
// sequences without a common base.
func (a Alignment) Identity() float64 { return a.share(a.Mismatches) }

// EventIdentity is matches / (matches + mismatches + openings): every insertion or
// deletion is one difference, of whatever length. It is what k-mers can tell, since
// an indel hits as many of them as a substitution does.
func (a Alignment) EventIdentity() float64 { return a.share(a.Mismatches + a.Openings) }

func (a Alignment) share(differences int) float64 {
	if a.Matches == 0 {
		return 0
	}
	return float64(a.Matches) / float64(a.Matches+differences)
}

// Align returns the true alignment of two descendants of one ancestor.
func Align(x, y Descendant) Alignment {
	var a Alignment
	for _, d := range []Descendant{x, y} {
		for _, inserted := range d.insertions {
			a.Gaps += len(inserted)
			a.Openings++
		}
	}
	const neither, first, second = 0, 1, 2
	before := neither // the side that has a gap in the column before
	for i, b := range x.sites {
		c, gap := y.sites[i], neither
		switch {
		case b == deleted && c == deleted:
			continue // no column
		case b == deleted:
			gap = first
		case c == deleted:
			gap = second
		case b == c:
			a.Matches++
		default:
			a.Mismatches++
		}
		if gap != neither {
			a.Gaps++
			if gap != before {
				a.Openings++
			}
		}
		before = gap
	}
	return a
}
