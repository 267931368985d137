// SPDX-License-Identifier: Apache-2.0

package stream

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/gsketch/gsketch/sketch"
)

// FuzzStream: any bytes give a text or an error with a place, the same with
// goroutines as without, and never more memory than the bounds allow.
func FuzzStream(f *testing.F) {
	for _, p := range packers {
		f.Add(p.pack(f, text(300)))
		f.Add(append(p.pack(f, text(300)), p.pack(f, nil)...))
		f.Add(append(p.pack(f, text(30)), "\x00\x00trailing"...))
	}
	f.Add(append(blocked(f, text(300)), packers[1].pack(f, text(30))...))
	f.Fuzz(func(t *testing.T, in []byte) {
		inline, inlineErr := bounded(t, in, 1)
		ahead, aheadErr := bounded(t, in, 2)
		if len(inline) == most || len(ahead) == most {
			return
		}
		// A corrupt bgzf block is refused as a whole where blocks are inflated
		// in parallel, so the bytes before an error may differ.
		if (inlineErr == nil) != (aheadErr == nil) || inlineErr == nil && !bytes.Equal(inline, ahead) {
			t.Fatalf("inline: %d bytes, %v; ahead: %d bytes, %v", len(inline), inlineErr, len(ahead), aheadErr)
		}
	})
}

// most is as much as is read of what may be a bomb.
const most = 1 << 20

func bounded(t *testing.T, in []byte, threads int) ([]byte, error) {
	s, err := newStream(bytes.NewReader(in), "x", Options{Threads: threads})
	var out []byte
	if err == nil {
		defer s.Close()
		out, err = io.ReadAll(io.LimitReader(s, most))
	}
	var e *sketch.InputError
	if err != nil && (!errors.As(err, &e) || e.Path != "x" || e.Offset != int64(len(out))) {
		t.Fatalf("%d bytes, then %v", len(out), err)
	}
	return out, err
}
