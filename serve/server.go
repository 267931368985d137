// SPDX-License-Identifier: Apache-2.0

package serve

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gsketch/gsketch/index"
	"github.com/gsketch/gsketch/index/bands"
	"github.com/gsketch/gsketch/ingest"
	"github.com/gsketch/gsketch/sketch"
)

// Options are what does not follow from the index. All numbers must be above 0.
type Options struct {
	Insert   bool          // allow requests to add to the index
	Unless   float64       // the similarity from which on a document is not added, if a request does not say: 0..1
	Token    string        // that requests must show; empty: none
	Body     int64         // bytes of a body, at most
	Inputs   int           // documents of a body, at most
	Requests int           // that are held at once; one more is refused
	Threads  int           // that search and insert
	Timeout  time.Duration // for a request to come in, to be worked on, and for the answer to go out; each
	Log      func(string)  // takes a line about what is wrong here, not at the client
}

// A Server answers requests about one index.
type Server struct {
	o        Options
	params   sketch.Params
	of       collection
	makers   sync.Pool     // of *ingest.Maker
	requests chan struct{} // held
	working  chan struct{} // of these, worked on
}

// Bands returns a server of an index of bands, which it does not close.
func Bands(x *bands.Index, o Options) (*Server, error) {
	return newServer(x.Params(), buckets{x}, o)
}

// Postings returns a server of an index of postings, which it does not close.
// Requests cannot add to it.
func Postings(x *index.Index, o Options) (*Server, error) {
	if o.Insert {
		return nil, fmt.Errorf("%w: requests add to an index of slots (kperm, oph, bbit, icws, simhash) alone, not of %s", sketch.ErrIncompatible, x.Params().Family)
	}
	return newServer(x.Params(), postings{x}, o)
}

func newServer(p sketch.Params, of collection, o Options) (*Server, error) {
	made := p
	if p.Family == sketch.FracMinHash || p.Family == sketch.BottomK {
		made.Weighted = false // queries are compared as sets
	}
	if _, err := ingest.NewMaker(made); err != nil {
		return nil, fmt.Errorf("%w: %w", sketch.ErrIncompatible, err)
	}
	s := &Server{o: o, params: p, of: of, requests: make(chan struct{}, o.Requests), working: make(chan struct{}, o.Threads)}
	s.makers.New = func() any {
		m, _ := ingest.NewMaker(made) // did not fail above
		return m
	}
	return s, nil
}

// headerTime is the most that a client may take for the head of a request,
// idleTime that a connection may wait for another one.
const (
	headerTime = 10 * time.Second
	idleTime   = time.Minute
	headerSize = 16 << 10
)

// Serve answers requests until ctx ends. Then no more are taken; those that are
// held are finished, for up to Timeout, and Serve returns when none is left.
// It closes l. The error is nil if all held requests were answered.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	h := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: min(headerTime, s.o.Timeout),
		ReadTimeout:       s.o.Timeout,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    headerSize,
		ErrorLog:          log.New(lines(s.o.Log), "", 0),
	}
	served := make(chan error, 1)
	go func() { served <- h.Serve(l) }()
	var failed error
	select {
	case failed = <-served:
	case <-ctx.Done():
		patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.o.Timeout)
		defer cancel()
		if err := h.Shutdown(patience); err != nil {
			failed = errors.New("stopped before all requests were answered")
		}
	}
	h.Close()
	for range cap(s.requests) { // nobody uses the index any more
		s.requests <- struct{}{}
	}
	return failed
}

// lines hands what is written to it on, line by line.
type lines func(string)

func (l lines) Write(b []byte) (int, error) {
	for line := range strings.Lines(string(b)) {
		l(strings.TrimSpace(line))
	}
	return len(b), nil
}
