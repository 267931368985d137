// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// A served is a gsketch serve that a script has started.
type served struct {
	cmd      *exec.Cmd
	messages *bytes.Buffer
}

var servers sync.Map // of served, by script and name

// startServer is the script command
//
//	serve NAME VARIABLE ARGUMENT...
//
// It runs gsketch serve on a free port, whose address the variable gets, and
// waits until it answers.
func startServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: serve NAME VARIABLE ARGUMENT...")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	address := l.Addr().String()
	l.Close()
	program, err := exec.LookPath("gsketch")
	ts.Check(err)
	s := served{exec.Command(program, append([]string{"serve", "--listen", address}, args[2:]...)...), &bytes.Buffer{}}
	s.cmd.Dir = ts.MkAbs(".")
	s.cmd.Env = append(s.cmd.Environ(), "GSKETCH_TOKEN="+ts.Getenv("GSKETCH_TOKEN"))
	s.cmd.Stderr = s.messages
	ts.Check(s.cmd.Start())
	servers.Store(ts.Name()+" "+args[0], s)
	ts.Defer(func() { _ = s.cmd.Process.Kill() })
	ts.Setenv(args[1], address)
	for range 200 {
		if res, err := http.Get("http://" + address + "/v1/health"); err == nil {
			res.Body.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	ts.Fatalf("the server does not answer")
}

// stopServer is the script command "stop NAME": it tells a server to end, which
// it must do with 0, and has what it said on standard error.
func stopServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: stop NAME")
	}
	found, ok := servers.LoadAndDelete(ts.Name() + " " + args[0])
	if !ok {
		ts.Fatalf("no server %s", args[0])
	}
	s := found.(served)
	ts.Check(s.cmd.Process.Signal(syscall.SIGTERM))
	err := s.cmd.Wait()
	_, _ = ts.Stderr().Write(s.messages.Bytes())
	ts.Check(err)
}

// fetch is the script command
//
//	get URL [FILE CONTENT-TYPE]
//
// It prints the answer to a request; with a file that is posted. $HEADER is a
// further line of the head.
func fetch(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 && len(args) != 3 {
		ts.Fatalf("usage: get URL [FILE CONTENT-TYPE]")
	}
	method, body := http.MethodGet, ""
	if len(args) == 3 {
		method, body = http.MethodPost, ts.ReadFile(args[1])
	}
	req, err := http.NewRequest(method, args[0], strings.NewReader(body))
	ts.Check(err)
	if len(args) == 3 {
		req.Header.Set("Content-Type", args[2])
	}
	if name, value, ok := strings.Cut(ts.Getenv("HEADER"), ": "); ok {
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	ts.Check(err)
	defer res.Body.Close()
	_, err = io.Copy(ts.Stdout(), res.Body)
	ts.Check(err)
}
