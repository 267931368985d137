// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"bytes"

	"github.com/zeebo/xxh3"

	"github.com/gsketch/gsketch/internal/radix"
)

// marksOf are hashes of what translators leave as it is, distinct and ascending:
// of runs of visible ASCII but brackets and quotes, links (with :// or www. in front)
// and addresses (with @), without punctuation behind; and in the other runs
// numbers of at least two digits, with the dots, commas, colons, slashes and
// hyphens in them.
func marksOf(text []byte) []uint64 {
	var all []uint64
	for len(text) > 0 {
		n := 0
		for n < len(text) && visible[text[n]] {
			n++
		}
		if n == 0 {
			text = text[1:]
			continue
		}
		run := text[:n]
		text = text[n:]
		if isLink(run) {
			all = append(all, xxh3.Hash(bytes.TrimRight(run, ".,:;/!?")))
			continue
		}
		all = appendNumbers(all, run)
	}
	return radix.SortUnique(all)
}

// visible are the characters of links, addresses and numbers.
var visible = func() (is [256]bool) {
	for c := '!'; c <= '~'; c++ {
		is[c] = !bytes.ContainsRune([]byte("<>\"'()[]{}`|"), c)
	}
	return is
}()

func isLink(run []byte) bool {
	at := bytes.IndexByte(run, '@')
	return at > 0 && at < len(run)-1 || bytes.HasPrefix(run, []byte("www.")) || bytes.Contains(run, []byte("://"))
}

func appendNumbers(dst []uint64, run []byte) []uint64 {
	digit := func(i int) bool { return i < len(run) && run[i] >= '0' && run[i] <= '9' }
	for i := 0; i < len(run); i++ {
		if !digit(i) {
			continue
		}
		end, digits := i, 0
		for digit(end) || end < len(run) && bytes.IndexByte([]byte(".,:/-"), run[end]) >= 0 && digit(end+1) {
			if digit(end) {
				digits++
			}
			end++
		}
		if digits > 1 {
			dst = append(dst, xxh3.Hash(run[i:end]))
		}
		i = end
	}
	return dst
}
