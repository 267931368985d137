// SPDX-License-Identifier: Apache-2.0

package stream

import (
	"bytes"
	"fmt"
	"io"
	"testing"
)

// BenchmarkRead decompresses what a genome of 4 Mbp is; bytes are those that
// come out. With two threads the consumer is idle, so that what is shown is the
// price of handing over, not the gain.
func BenchmarkRead(b *testing.B) {
	data := text(4 << 20)
	buf := make([]byte, 256<<10)
	for _, p := range packers {
		in := p.pack(b, data)
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("codec=%s/threads=%d", p.name, threads), func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				b.ReportAllocs()
				for b.Loop() {
					s, err := newStream(bytes.NewReader(in), "x", Options{Threads: threads})
					if err != nil {
						b.Fatal(err)
					}
					for err == nil {
						_, err = s.Read(buf)
					}
					if err != io.EOF {
						b.Fatal(err)
					}
					s.Close()
				}
			})
		}
	}
}
