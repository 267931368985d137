// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/index"
	"github.com/gsketch/gsketch/index/bands"
	"github.com/gsketch/gsketch/serve"
)

type serveOptions struct {
	*common
	reference string
	listen    string
	tokenFile string
	body      string
	server    serve.Options
}

func newServe(c *common) *cobra.Command {
	o := serveOptions{common: c}
	cmd := &cobra.Command{
		Use:   "serve [flags] -r INDEX",
		Short: "Answer searches over HTTP, and insert what is not there yet",
		Long: `Answer searches in an index (gsketch index build) over HTTP, as JSON; with
--insert, requests also add to an index of slot sketches what nothing in it is
like: looking and adding is one step, and what an answer says to be added is
durable. The index is shown as it was when the server started, unless it is in
Redis or --insert makes the server its one writer.

The server listens on this machine alone unless --listen says otherwise, for
which it demands a token: what GSKETCH_TOKEN or --token-file holds, of at least
16 bytes. It speaks no TLS: put it behind what does. An interrupt or SIGTERM
lets the requests under way be answered and ends it with 0; a second one ends it
at once. Requests and answers are described in docs/serve.md.`,
		Example: `  gsketch serve -r db
  gsketch serve --insert --unless 0.9 -r near`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context(), cmd.ErrOrStderr()) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.reference, "reference", "r", "", "the index: a directory, or redis://HOST:PORT/PREFIX")
	f.StringVar(&o.listen, "listen", "127.0.0.1:7737", "address and port; port 0 is any that is free")
	f.StringVar(&o.tokenFile, "token-file", "", "file with the token that requests must show (default: GSKETCH_TOKEN of the environment)")
	f.BoolVar(&o.server.Insert, "insert", false, "allow requests to add to the index")
	f.Float64Var(&o.server.Unless, "unless", 0.8, "--insert: leave out what is at least so similar to something in the index, where a request does not say (above 0 to 1)")
	f.StringVar(&o.body, "max-body", "4M", "the largest body of a request; more is 413")
	f.IntVar(&o.server.Inputs, "max-documents", 1000, "the most documents in a body; more is 413")
	f.IntVar(&o.server.Requests, "max-requests", 256, "the most requests that are held at once; one more is 503")
	f.DurationVar(&o.server.Timeout, "timeout", 30*time.Second, "for a request to come in (else 408), to be worked on (else 503), and for its answer to go out; each")
	return cmd
}

func (o *serveOptions) run(ctx context.Context, messages io.Writer) error {
	if err := o.check(); err != nil {
		return err
	}
	s, closeIndex, err := o.open(context.WithoutCancel(ctx)) // requests under way are finished
	if err != nil {
		return err
	}
	defer closeIndex()
	l, err := net.Listen("tcp", o.listen)
	if err != nil {
		return usagef("--listen %s: %v", o.listen, listenError(err))
	}
	if a, ok := l.Addr().(*net.TCPAddr); o.server.Token == "" && !(ok && a.IP.IsLoopback()) {
		l.Close()
		return usagef("--listen %s: others can reach it: put a token into GSKETCH_TOKEN or --token-file, of at least %d bytes", o.listen, shortestToken)
	}
	o.note(messages, "%s is served on http://%s", field(o.reference), l.Addr())
	if err := s.Serve(ctx, l); err != nil {
		return err
	}
	return closeIndex()
}

// listenError is the reason alone: the address is named already.
func listenError(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}

// shortestToken is the fewest bytes of a token that is not soon guessed.
const shortestToken = 16

func (o *serveOptions) check() error {
	if o.reference == "" {
		return usagef("say which index is served: -r INDEX")
	}
	size, err := parseSize(o.body, bytesUnit)
	if err != nil || size == 0 || size > 1<<30 {
		return usagef("--max-body %s: above 0, to 1G", o.body)
	}
	o.server.Body = int64(size)
	for _, limit := range []struct {
		flag string
		n    int
	}{{"max-documents", o.server.Inputs}, {"max-requests", o.server.Requests}} {
		if limit.n < 1 || limit.n > 1<<20 {
			return usagef("--%s %d: 1 to %d", limit.flag, limit.n, 1<<20)
		}
	}
	if o.server.Timeout <= 0 {
		return usagef("--timeout %v: above 0", o.server.Timeout)
	}
	if u := o.server.Unless; !(u > 0 && u <= 1) {
		return usagef("--unless %v: above 0, to 1", u)
	}
	o.server.Threads = o.threads
	o.server.Log = warner(os.Stderr)
	return o.readToken()
}

func (o *serveOptions) readToken() error {
	token := os.Getenv("GSKETCH_TOKEN")
	from := "GSKETCH_TOKEN"
	if o.tokenFile != "" {
		data, err := os.ReadFile(o.tokenFile)
		if err != nil {
			return fmt.Errorf("--token-file: %w", err)
		}
		token, from = string(bytes.TrimRight(data, "\r\n")), o.tokenFile
	}
	if token == "" && o.tokenFile == "" {
		return nil
	}
	if len(token) < shortestToken {
		return usagef("%s: a token of %d bytes is soon guessed; take at least %d", from, len(token), shortestToken)
	}
	o.server.Token = token
	return nil
}

// open opens the index and returns how to close it, once.
func (o *serveOptions) open(ctx context.Context) (*serve.Server, func() error, error) {
	var s *serve.Server
	var closer io.Closer
	var err error
	switch {
	case isDatasketch(o.reference):
		return nil, nil, usagef("%s: the layout of datasketch keeps no signatures to compare", o.reference)
	case isBands(o.reference):
		s, closer, err = o.openBands(ctx)
	default:
		x, failed := index.Open(o.reference)
		if failed != nil {
			return nil, nil, failed
		}
		closer = x
		s, err = serve.Postings(x, o.server)
	}
	if err != nil {
		if closer != nil {
			closer.Close()
		}
		return nil, nil, err
	}
	return s, sync.OnceValue(closer.Close), nil
}

func (o *serveOptions) openBands(ctx context.Context) (*serve.Server, io.Closer, error) {
	open := openBands
	if o.server.Insert {
		open = func(ctx context.Context, ref string) (*bands.Index, error) { return changeBands(ctx, ref, o.threads) }
	}
	x, err := open(ctx, o.reference)
	if err != nil {
		return nil, nil, err
	}
	s, err := serve.Bands(x, o.server)
	return s, x, err
}
