// SPDX-License-Identifier: Apache-2.0

// Package redistest runs a Redis server on the loopback interface for tests.
package redistest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"
)

// A Server is a running redis-server whose files are in a directory of its own.
type Server struct {
	Address string
	t       testing.TB
	dir     string
	args    []string
	cmd     *exec.Cmd
}

// Start runs a server with further arguments until the test ends. Without
// redis-server the test is skipped, aloud.
func Start(t testing.TB, args ...string) *Server {
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
	s.Run()
	t.Cleanup(s.Stop)
	return s
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
			if err == nil {
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
