// SPDX-License-Identifier: Apache-2.0

package sig

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/gsketch/gsketch/sketch"
)

// Digest is the md5sum of sourmash: hexadecimal MD5 of the decimal digits of
// the stored ksize (3k for amino acids) and of all hashes in ascending order,
// nothing in between. Molecule, num, scaled, seed, abundances and name do not
// enter, so different sketches can share one; all empty ones with the same
// ksize do. It fails for parameters that a signature cannot hold.
func Digest(s sketch.HashSet) (string, error) {
	if err := Holds(s.Params()); err != nil {
		return "", fmt.Errorf("no md5sum: %w", err)
	}
	return digest(ksizeOf(s.Params().Elements), s.Hashes()), nil
}

func digest(ksize uint64, hashes []uint64) string {
	h := md5.New()
	buf := make([]byte, 0, 8<<10)
	buf = strconv.AppendUint(buf, ksize, 10)
	for _, x := range hashes {
		if len(buf) > cap(buf)-20 {
			h.Write(buf)
			buf = buf[:0]
		}
		buf = strconv.AppendUint(buf, x, 10)
	}
	h.Write(buf)
	return hex.EncodeToString(h.Sum(nil))
}
