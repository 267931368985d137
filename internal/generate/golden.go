// SPDX-License-Identifier: Apache-2.0

package generate

import (
	"bytes"
	"fmt"
	"strings"
)

// goldenSeed is fixed for good: the peers' answers in testdata were made from
// these very bytes.
const goldenSeed = 23

// Golden returns the small inputs of the golden tests by file name. Together
// they show what real files do: relatives at known distance, a genome on the
// other strand, runs of N, IUPAC letters, soft masking, carriage returns, blank
// lines, records shorter than k, palindromes, duplicate reads.
func Golden() map[string][]byte {
	r := NewRand(goldenSeed)
	base := r.DNA(9000)
	near := r.Evolve(base, 180, 20).Seq
	half := append(ReverseComplement(base[:4500]), r.DNA(4500)...)
	files := map[string][]byte{
		"base.fa":  fasta("base a genome", base, 70),
		"near.fa":  fasta("near its relative, 200 mutations away", near, 60),
		"half.fa":  fasta("half shared, on the other strand", half, 80),
		"far.fa":   fasta("far", r.DNA(6000), 6000),
		"list.txt": []byte("base.fa\nnear.fa\nfar.fa\n"),
	}
	files["odd.fa"] = r.odd(base)
	files["crlf.fa"] = bytes.ReplaceAll(r.records("crlf", 400, 350), []byte("\n"), []byte("\r\n"))
	files["blank.fa"] = bytes.ReplaceAll(r.records("blank", 300, 250), []byte("\n>"), []byte("\n\n\n>"))
	files["short.fa"] = r.records("short", 21, 20, 22, 30, 31, 32)
	files["palindrome.fa"] = r.palindromes()
	files["reads.fq"] = r.goldenReads("read", base, 120, 80)
	files["reads_1.fq"] = r.goldenReads("pair", base, 40, 60)
	files["reads_2.fq"] = r.goldenReads("pair", ReverseComplement(base), 40, 60)
	files["proteins.faa"], files["codons.fa"] = r.proteins()
	return files
}

// proteins makes records of amino acids, with letters that are none, and DNA
// that codes for the first of them, with codons that are not sure.
func (r *Rand) proteins() (residues, dna []byte) {
	const letters = "ACDEFGHIKLMNPQRSTVWY"
	code := map[byte]string{'A': "GCN", 'C': "TGT", 'D': "GAC", 'E': "GAA", 'F': "TTT", 'G': "GGA", 'H': "CAC", 'I': "ATA", 'K': "AAG", 'L': "CTN",
		'M': "ATG", 'N': "AAC", 'P': "CCT", 'Q': "CAG", 'R': "AGR", 'S': "TCN", 'T': "ACG", 'V': "gtt", 'W': "TGG", 'Y': "TAT"}
	for i, n := range []int{400, 300, 8, 9, 10, 120} {
		seq := make([]byte, n)
		for j := range seq {
			seq[j] = letters[r.IntN(len(letters))]
		}
		if i == 0 {
			var coding []byte
			for _, aa := range seq[:200] {
				coding = append(coding, code[aa]...)
			}
			back := ReverseComplement(r.DNA(301))
			dna = append(fasta("coding codons with N and R", append(coding, "TAAGGNNNNACNUGA"...), 70), fasta("back", back, 70)...)
			dna = append(dna, fasta("short", back[:20], 70)...)
		}
		if i == 1 {
			for j, c := range []byte("XBZJUO*-.xy") {
				seq[20+23*j] = c
			}
			copy(seq[280:], bytes.ToLower(seq[280:]))
		}
		residues = append(residues, fasta(fmt.Sprintf("p%d protein of %d", i+1, n), seq, 60)...)
	}
	return residues, dna
}

// records makes one record of random bases for each length; every second one
// has a description.
func (r *Rand) records(name string, lengths ...int) []byte {
	var out []byte
	for i, n := range lengths {
		header := fmt.Sprintf("%s%d", name, i+1)
		if i%2 == 0 {
			header += fmt.Sprintf(" %d bases", n)
		}
		out = append(out, fasta(header, r.DNA(n), 50)...)
	}
	return out
}

// odd makes records with letters that are no base, in both cases.
func (r *Rand) odd(base []byte) []byte {
	gaps := bytes.Clone(base[1000:2500])
	for _, run := range [][2]int{{100, 1}, {300, 20}, {600, 21}, {900, 150}, {1479, 21}} {
		copy(gaps[run[0]:run[0]+run[1]], strings.Repeat("N", run[1]))
	}
	iupac := bytes.Clone(base[2500:3300])
	for i, letter := range []byte("RYSWKMBDHVN-UX") {
		iupac[25+50*i] = letter
	}
	masked := bytes.Clone(base[4000:5200])
	copy(masked[200:500], bytes.ToLower(masked[200:500]))
	copy(masked[700:], bytes.ToLower(masked[700:]))
	var out []byte
	out = append(out, fasta("gaps runs of N", gaps, 70)...)
	out = append(out, fasta("iupac", iupac, 61)...)
	out = append(out, fasta("tiny", []byte("ACGTTGCA"), 70)...)
	out = append(out, fasta("masked\tsoft, with a tab", masked, 70)...)
	out = append(out, fasta("unknown all N", bytes.Repeat([]byte("N"), 60), 70)...)
	return append(out, fasta("again part of base", base[4000:4600], 70)...)
}

// palindromes makes sequences that are their own reverse complement or hold
// pieces that are, and repeats.
func (r *Rand) palindromes() []byte {
	stem := r.DNA(150)
	var out []byte
	out = append(out, fasta("hairpin", append(bytes.Clone(stem), ReverseComplement(stem)...), 70)...)
	out = append(out, fasta("alternating", bytes.Repeat([]byte("AT"), 40), 70)...)
	out = append(out, fasta("homopolymer", bytes.Repeat([]byte("G"), 60), 70)...)
	return append(out, fasta("tandem", bytes.Repeat(r.DNA(37), 6), 70)...)
}

// goldenReads makes reads of a genome on both strands; each tenth is a copy of
// the one before it, each seventh has an error, each ninth an N. Qualities
// begin with every printable letter in turn, '@' and '+' among them.
func (r *Rand) goldenReads(name string, genome []byte, n, length int) []byte {
	var out bytes.Buffer
	var seq []byte
	for i := range n {
		if i%10 != 9 {
			at := r.IntN(len(genome) - length + 1)
			seq = bytes.Clone(genome[at : at+length])
			if r.IntN(2) == 0 {
				seq = ReverseComplement(seq)
			}
			if i%7 == 3 {
				p := r.IntN(length)
				seq[p] = r.other(seq[p])
			}
			if i%9 == 4 {
				seq[r.IntN(length)] = 'N'
			}
		}
		quality := make([]byte, length)
		for j := range quality {
			quality[j] = byte('!' + (i+j)%('J'-'!'+1))
		}
		fmt.Fprintf(&out, "@%s%d\n%s\n+\n%s\n", name, i+1, seq, quality)
	}
	return out.Bytes()
}
