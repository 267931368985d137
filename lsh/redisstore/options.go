// SPDX-License-Identifier: Apache-2.0

package redisstore

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/redis/rueidis"

	"github.com/gsketch/gsketch/index/bands"
)

// Options say where an index is.
type Options struct {
	Address  string // host:port
	Prefix   string // of all keys
	Database int
	User     string
	Password string
	TLS      *tls.Config // nil: none
	Query    url.Values  // what a URL says besides

	// Patience is how long a command is tried again while the server cannot be
	// reached.
	Patience time.Duration
}

// The variables of the environment that ParseURL reads.
const (
	UserVariable     = "GSKETCH_REDIS_USER"
	PasswordVariable = "GSKETCH_REDIS_PASSWORD"
	CAVariable       = "GSKETCH_REDIS_CA" // file with PEM certificates; those of the system otherwise
)

// ParseURL reads redis://HOST:PORT/PREFIX?db=N&patience=20s, or rediss:// for TLS, and
// the environment. A password in the URL, where others see it, is refused.
func ParseURL(s string) (Options, error) {
	o := Options{Patience: 20 * time.Second, User: os.Getenv(UserVariable), Password: os.Getenv(PasswordVariable)}
	u, err := url.Parse(s)
	if err != nil {
		return o, errors.New("not a URL as redis://HOST:PORT/PREFIX")
	}
	if u.User != nil {
		return o, fmt.Errorf("put user and password into %s and %s, not into the URL", UserVariable, PasswordVariable)
	}
	o.Prefix = strings.TrimPrefix(u.Path, "/")
	if u.Hostname() == "" || o.Prefix == "" || strings.ContainsAny(o.Prefix, "{}") {
		return o, errors.New("not a URL as redis://HOST:PORT/PREFIX; a prefix has no braces")
	}
	port := u.Port()
	if port == "" {
		port = "6379"
	}
	o.Address = net.JoinHostPort(u.Hostname(), port)
	o.Query = u.Query()
	if db := o.Query.Get("db"); db != "" {
		if o.Database, err = strconv.Atoi(db); err != nil || o.Database < 0 {
			return o, fmt.Errorf("db=%s: the number of a database", db)
		}
	}
	if patience := o.Query.Get("patience"); patience != "" {
		if o.Patience, err = time.ParseDuration(patience); err != nil || o.Patience < 0 {
			return o, fmt.Errorf("patience=%s: how long to wait for the server, as 20s", patience)
		}
	}
	o.Query.Del("db")
	o.Query.Del("patience")
	switch u.Scheme {
	case "redis":
	case "rediss":
		o.TLS = &tls.Config{MinVersion: tls.VersionTLS12, ServerName: u.Hostname()}
		if file := os.Getenv(CAVariable); file != "" {
			pem, err := os.ReadFile(file)
			if err != nil {
				return o, fmt.Errorf("%s: %w", CAVariable, err)
			}
			o.TLS.RootCAs = x509.NewCertPool()
			if !o.TLS.RootCAs.AppendCertsFromPEM(pem) {
				return o, fmt.Errorf("%s: %s holds no certificate", CAVariable, file)
			}
		}
	default:
		return o, fmt.Errorf("scheme %q: redis or rediss", u.Scheme)
	}
	return o, nil
}

// ErrBackend is what errors of the server and of the way to it are; it is a
// bands.ErrUnavailable.
var ErrBackend error = backendError{}

type backendError struct{}

func (backendError) Error() string { return "the Redis server failed" }
func (backendError) Unwrap() error { return bands.ErrUnavailable }

// A connection sends commands, again where it must.
type connection struct {
	ctx    context.Context
	o      Options
	client rueidis.Client
}

func dial(ctx context.Context, o Options) (*connection, error) {
	c := &connection{ctx: ctx, o: o}
	until := time.Now().Add(o.Patience)
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		var err error
		c.client, err = rueidis.NewClient(rueidis.ClientOption{
			InitAddress: []string{o.Address}, Username: o.User, Password: o.Password, SelectDB: o.Database, TLSConfig: o.TLS,
			ForceSingleClient: true, DisableCache: true, DisableRetry: true, ConnWriteTimeout: 30 * time.Second,
		})
		if err == nil {
			return c, nil
		}
		if !passing(err) || time.Now().After(until) {
			return nil, c.failed(err)
		}
		if err := pause(ctx, wait); err != nil {
			return nil, err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *connection) failed(err error) error {
	if c.ctx.Err() != nil {
		return c.ctx.Err()
	}
	return fmt.Errorf("%s: %w: %w", c.o.Address, ErrBackend, err)
}

// passing says whether an error may be gone at the next try: the way to the
// server, or a server that has just been started.
func passing(err error) bool {
	answer, ok := rueidis.IsRedisErr(err)
	if !ok {
		return !errors.Is(err, errLost) && !strings.Contains(err.Error(), "tls: ")
	}
	return answer.IsLoading() || answer.IsNoScript() || answer.IsTryAgain() || answer.IsClusterDown() ||
		strings.HasPrefix(answer.Error(), "MASTERDOWN") || strings.HasPrefix(answer.Error(), "BUSY ")
}

// again does something that may be repeated until it does not fail for a
// passing reason.
func (c *connection) again(do func() error) error {
	until := time.Now().Add(c.o.Patience)
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		err := do()
		if err == nil {
			return nil
		}
		if !passing(err) || c.ctx.Err() != nil || time.Now().After(until) {
			return c.failed(err)
		}
		if err := pause(c.ctx, wait); err != nil {
			return err
		}
	}
}
