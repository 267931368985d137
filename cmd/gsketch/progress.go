// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"os"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// A progress shows how many inputs are done, with the rate of bytes and the
// time left, where standard error is a terminal; elsewhere it does nothing.
type progress struct {
	p     *mpb.Progress
	files *mpb.Bar
	bytes *mpb.Bar
}

func (c *common) progress(stderr io.Writer, inputs []input) *progress {
	f, ok := stderr.(*os.File)
	if c.quiet || !ok || !term.IsTerminal(int(f.Fd())) {
		return &progress{}
	}
	p := mpb.New(mpb.WithOutput(stderr), mpb.WithWidth(40))
	return &progress{
		p: p,
		files: p.AddBar(int64(len(inputs)),
			mpb.PrependDecorators(decor.CountersNoUnit("%d of %d inputs")),
			mpb.AppendDecorators(decor.AverageETA(decor.ET_STYLE_GO, decor.WC{W: 6}))),
		bytes: p.New(0, mpb.NopStyle(),
			mpb.PrependDecorators(decor.CurrentKibiByte("% .1f read"), decor.AverageSpeed(decor.SizeB1024(0), " at % .1f"))),
	}
}

func (p *progress) add(bytes int) {
	if p.p != nil {
		p.bytes.IncrBy(bytes)
	}
}

func (p *progress) done() {
	if p.p != nil {
		p.files.Increment()
	}
}

// stop removes the bars, whether or not they are full.
func (p *progress) stop() {
	if p.p != nil {
		p.bytes.Abort(true)
		p.files.Abort(true)
		p.p.Wait()
	}
}
