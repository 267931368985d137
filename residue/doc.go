// SPDX-License-Identifier: Apache-2.0

// Package residue turns letters that are not two-bit bases into hashes of
// their k-mers: amino acids, reduced to the Dayhoff or the
// hydrophobic-polar alphabet if wanted, read as they are or translated from
// DNA in six frames, and the letters of any alphabet, as Mash takes them. The
// hashes are those of sourmash and Mash bit for bit: the first word of
// MurmurHash3 x64_128 of the k letters.
//
// Letters go into a Block; a Hasher is the sketch.Source of a Block.
package residue
