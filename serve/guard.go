// SPDX-License-Identifier: Apache-2.0

package serve

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/gsketch/gsketch/index/bands"
	"github.com/gsketch/gsketch/sketch"
)

// A refusal is an error that is the client's, or that passes.
type refusal struct {
	status int
	text   string
}

func (r *refusal) Error() string { return r.text }

func refuse(status int, format string, args ...any) *refusal {
	return &refusal{status, fmt.Sprintf(format, args...)}
}

// routes are what is answered: the path, the method, whether the request is
// held against the limits, and by whom.
var routes = map[string]struct {
	method string
	open   bool // to everybody, always
	answer func(*Server, context.Context, http.ResponseWriter, *http.Request) (any, error)
}{
	"/v1/health": {http.MethodGet, true, (*Server).health},
	"/v1/index":  {http.MethodGet, false, (*Server).describe},
	"/v1/search": {http.MethodPost, false, (*Server).search},
	"/v1/insert": {http.MethodPost, false, (*Server).insert},
}

var crossOrigin = http.NewCrossOriginProtection()

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		if p := recover(); p != nil { // a mistake of ours
			s.o.Log(fmt.Sprintf("%s %s: panic: %v", r.Method, r.URL.Path, p))
			s.reply(w, http.StatusInternalServerError, errInternal)
		}
	}()
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Time{}) // none from the request before on this connection
	answer, err := s.route(w, r)
	switch refused := (*refusal)(nil); {
	case err == nil:
		s.reply(w, http.StatusOK, answer)
	case errors.As(err, &refused):
		if refused.status == http.StatusServiceUnavailable {
			w.Header().Set("Retry-After", "1")
		}
		s.reply(w, refused.status, failure{refused.text})
	case r.Context().Err() != nil: // the client has gone
	case errors.Is(err, bands.ErrUnavailable):
		s.o.Log(fmt.Sprintf("%s: %v", r.URL.Path, err))
		w.Header().Set("Retry-After", "1")
		s.reply(w, http.StatusServiceUnavailable, failure{"what keeps the index cannot be reached"})
	default:
		s.o.Log(fmt.Sprintf("%s: %v", r.URL.Path, err))
		s.reply(w, http.StatusInternalServerError, errInternal)
	}
}

// A failure is the body of an answer that is none.
type failure struct {
	Error string `json:"error"`
}

var errInternal = failure{"the index could not be used; the server has said why where it runs"}

// reply sends an answer.
func (s *Server) reply(w http.ResponseWriter, status int, answer any) {
	body, err := json.Marshal(answer)
	if err != nil {
		s.o.Log(err.Error())
		status, body = http.StatusInternalServerError, []byte(`{"error":"the answer could not be written"}`)
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.o.Timeout))
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // the client may have gone
}

// route finds who answers a request, if it may be answered.
func (s *Server) route(w http.ResponseWriter, r *http.Request) (any, error) {
	to, ok := routes[r.URL.Path]
	switch {
	case !ok:
		return nil, refuse(http.StatusNotFound, "there is no %q; there are GET /v1/health, GET /v1/index, POST /v1/search, POST /v1/insert", r.URL.Path)
	case r.Method != to.method:
		w.Header().Set("Allow", to.method)
		return nil, refuse(http.StatusMethodNotAllowed, "%s is to be asked by %s", r.URL.Path, to.method)
	case to.open:
		return to.answer(s, r.Context(), w, r)
	}
	if err := s.admit(w, r); err != nil {
		return nil, err
	}
	select {
	case s.requests <- struct{}{}:
	default:
		return nil, refuse(http.StatusServiceUnavailable, "%d requests are being answered; try again", cap(s.requests))
	}
	defer func() { <-s.requests }()
	return to.answer(s, r.Context(), w, r)
}

// admit refuses requests of pages in a browser, and those without the token.
// Where there is none, a page could still reach the server under a name that its
// owner has pointed here (DNS rebinding): the name asked for must be this
// machine's.
func (s *Server) admit(w http.ResponseWriter, r *http.Request) error {
	if err := crossOrigin.Check(r); err != nil {
		return refuse(http.StatusForbidden, "requests of web pages are not answered")
	}
	if s.o.Token == "" {
		if !isLocal(r.Host) {
			return refuse(http.StatusMisdirectedRequest, "without a token the server answers requests to localhost alone, not to %q", r.Host)
		}
		return nil
	}
	shown, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	a, b := sha256.Sum256([]byte(shown)), sha256.Sum256([]byte(s.o.Token))
	if subtle.ConstantTimeCompare(a[:], b[:]) != 1 || !ok {
		w.Header().Set("WWW-Authenticate", "Bearer")
		return refuse(http.StatusUnauthorized, "show the token: Authorization: Bearer TOKEN")
	}
	return nil
}

func isLocal(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// body reads the body of a request.
func (s *Server) body(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	large := refuse(http.StatusRequestEntityTooLarge, "a body of more than %d bytes", s.o.Body)
	if r.ContentLength > s.o.Body {
		return nil, large
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.o.Body))
	var above *http.MaxBytesError
	switch {
	case errors.As(err, &above):
		return nil, large
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, refuse(http.StatusRequestTimeout, "the body did not come within %v", s.o.Timeout)
	case err != nil:
		return nil, refuse(http.StatusBadRequest, "the body ends early or is none")
	}
	return data, nil
}

// work waits for a thread and does something that takes time.
func (s *Server) work(ctx context.Context, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, s.o.Timeout, errSlow)
	defer cancel()
	select {
	case s.working <- struct{}{}:
	case <-ctx.Done():
		return s.late(ctx)
	}
	defer func() { <-s.working }()
	err := do(ctx)
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return s.late(ctx)
	}
	return err
}

var errSlow = errors.New("too slow")

// late is why a context has ended.
func (s *Server) late(ctx context.Context) error {
	if context.Cause(ctx) == errSlow {
		return refuse(http.StatusServiceUnavailable, "not done within %v; try again, or ask for less at once", s.o.Timeout)
	}
	return ctx.Err()
}

// badInput is what the client sent wrong.
func badInput(err error) error {
	var in *sketch.InputError
	if errors.As(err, &in) || errors.Is(err, sketch.ErrIncompatible) {
		return refuse(http.StatusBadRequest, "%v", err)
	}
	return err
}
