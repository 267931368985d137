// SPDX-License-Identifier: Apache-2.0

// Package msh reads and writes the sketch files of Mash (.msh): one Cap'n
// Proto message, neither packed nor compressed, that holds bottom-k sketches
// with one set of parameters. The schema is mash.capnp; Mash is Ondov et al.
// 2016, doi:10.1186/s13059-016-0997-x.
//
// What the format says only by implication:
//
//   - Hashes are 32 bits wide if and only if |alphabet|^k <= 2^32, else 64
//     (sketch.Elements.MashBits); no field says which.
//   - The sketches lie in referenceListOld if the seed is 42, else in
//     referenceList.
//   - The flag counts32Sorted, younger than Mash 2.3, says that counts are
//     parallel to the hashes. Mash 2.3 itself stores them in the order of a
//     hash table: which hash a count belongs to is lost.
package msh
