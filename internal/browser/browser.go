// SPDX-License-Identifier: Apache-2.0

// Package browser drives a headless Chromium for tests, through chromedriver and
// the WebDriver protocol (w3.org/TR/webdriver2).
package browser

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// A Page is a browser with one window.
type Page struct {
	t    testing.TB
	base string // address of the session
}

// Open starts a browser for the test, which is skipped aloud where there is
// none; it ends with the test.
func Open(t testing.TB) *Page {
	t.Helper()
	driver, err := exec.LookPath("chromedriver")
	if err != nil {
		t.Skip("SKIPPED: no chromedriver: pages are not tried in a browser (Debian: chromium-driver)")
	}
	cmd := exec.Command(driver, "--port=0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	p := &Page{t: t, base: "http://127.0.0.1:" + port(t, out)}
	var session struct {
		SessionID string `json:"sessionId"`
	}
	p.call("POST", "/session", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"browserName":        "chrome",
		"goog:loggingPrefs":  map[string]string{"browser": "ALL"},
		"goog:chromeOptions": map[string]any{"args": []string{"--headless", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1200,900", "--user-data-dir=" + t.TempDir()}},
	}}}, &session)
	p.base += "/session/" + session.SessionID
	t.Cleanup(func() { p.call("DELETE", "", nil, nil) })
	return p
}

// port reads the port that the driver chose from what it prints.
func port(t testing.TB, out io.Reader) string {
	t.Helper()
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, after, ok := strings.Cut(lines.Text(), "started successfully on port "); ok {
			go io.Copy(io.Discard, out)
			return strings.TrimSuffix(strings.TrimSpace(after), ".")
		}
	}
	t.Fatal("chromedriver did not start")
	return ""
}

// Go opens an address.
func (p *Page) Go(url string) {
	p.t.Helper()
	p.call("POST", "/url", map[string]string{"url": url}, nil)
}

// Eval runs the body of a function in the page; what it returns goes to result.
func (p *Page) Eval(result any, body string, args ...any) {
	p.t.Helper()
	if args == nil {
		args = []any{}
	}
	p.call("POST", "/execute/sync", map[string]any{"script": body, "args": args}, result)
}

// Wait evaluates an expression until it is true, for ten seconds.
func (p *Page) Wait(expression string) {
	p.t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		var ok bool
		if p.Eval(&ok, "return !!("+expression+")"); ok {
			return
		}
	}
	p.t.Fatalf("never true: %s", expression)
}

// Console is what the page has written to the console, errors included.
func (p *Page) Console() []string {
	p.t.Helper()
	var entries []struct{ Level, Message string }
	p.call("POST", "/se/log", map[string]string{"type": "browser"}, &entries)
	var all []string
	for _, e := range entries {
		all = append(all, e.Level+": "+e.Message)
	}
	return all
}

// call asks the driver and puts the value of its answer into result.
func (p *Page) call(method, path string, body, result any) {
	p.t.Helper()
	var send io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			p.t.Fatal(err)
		}
		send = bytes.NewReader(b)
	}
	req, err := http.NewRequest(method, p.base+path, send)
	if err != nil {
		p.t.Fatal(err)
	}
	res, err := (&http.Client{Timeout: time.Minute}).Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	var answer struct{ Value json.RawMessage }
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		p.t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK {
		p.t.Fatal(fmt.Errorf("%s %s: %s", method, path, answer.Value))
	}
	if result != nil {
		if err := json.Unmarshal(answer.Value, result); err != nil {
			p.t.Fatal(err)
		}
	}
}
