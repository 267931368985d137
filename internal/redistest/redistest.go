// SPDX-License-Identifier: Apache-2.0

// Package redistest runs a Redis server on the loopback interface for tests.
package redistest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// A Server is a running redis-server whose files are in a directory of its own.
type Server struct {
	Address string
	CA      string // file of the certificate of a server with TLS
	t       testing.TB
	dir     string
	args    []string
	cmd     *exec.Cmd
}

// Start runs a server with further arguments until the test ends. Without
// redis-server the test is skipped, aloud.
func Start(t testing.TB, args ...string) *Server {
	t.Helper()
	s := prepare(t, args)
	s.Run()
	return s
}

// StartTLS runs a server that speaks TLS alone, with a certificate of its own
// for 127.0.0.1.
func StartTLS(t testing.TB, args ...string) *Server {
	t.Helper()
	s := prepare(t, args)
	key := filepath.Join(s.dir, "key.pem")
	s.CA = filepath.Join(s.dir, "cert.pem")
	if err := certificate(s.CA, key); err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(s.Address)
	s.args = append(s.args, "--port", "0", "--tls-port", port, "--tls-cert-file", s.CA, "--tls-key-file", key, "--tls-ca-cert-file", s.CA, "--tls-auth-clients", "no")
	s.Run()
	return s
}

func prepare(t testing.TB, args []string) *Server {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Skip("redis-server is not installed (scripts/peers installs it): what needs it is not tested")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{Address: l.Addr().String(), t: t, dir: t.TempDir(), args: args}
	l.Close()
	t.Cleanup(s.Stop)
	return s
}

// certificate makes a certificate that signs itself.
func certificate(certFile, keyFile string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	c := x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, &c, &c, &key.PublicKey, key)
	if err != nil {
		return err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	if err := os.WriteFile(certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		return err
	}
	return os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600)
}

// Run starts the server, again after Stop, and waits until it answers.
func (s *Server) Run() {
	s.t.Helper()
	_, port, _ := net.SplitHostPort(s.Address)
	s.cmd = exec.Command("redis-server", append([]string{"--port", port, "--bind", "127.0.0.1", "--dir", s.dir, "--save", ""}, s.args...)...)
	s.cmd.Stderr = os.Stderr
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	for range 100 {
		if c, err := net.Dial("tcp", s.Address); err == nil {
			fmt.Fprint(c, "PING\r\n")
			_ = c.SetReadDeadline(time.Now().Add(time.Second))
			var answer [1]byte
			_, err := c.Read(answer[:])
			c.Close()
			if err == nil || s.CA != "" && !errors.Is(err, os.ErrDeadlineExceeded) { // one that speaks TLS hangs up
				return
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.t.Fatal("redis-server does not answer")
}

// Stop kills the server.
func (s *Server) Stop() {
	if s.cmd != nil {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
		s.cmd = nil
	}
}
