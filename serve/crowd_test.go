// SPDX-License-Identifier: Apache-2.0

package serve

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// 200 clients at once, of which a tenth are malformed: the others are all
// answered rightly or told to come again, nobody meets another error of the
// server, what was added is there once, and no goroutine is left behind.
func TestCrowd(t *testing.T) {
	before := runtime.NumGoroutine()
	x, _ := textIndex(t)
	o := limits()
	o.Timeout, o.Requests = 4*time.Second, 16
	r := startText(t, x, o)
	const clients, requests = 200, 12
	var added, answered, full atomic.Int64
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() {
			if c%10 == 0 {
				r.misbehave(c / 10)
				return
			}
			for n := range requests {
				path, id := "/v1/search", n*clients+c
				if n%2 == 0 {
					path, id = "/v1/insert", n // the same text from all of them
				}
				status, text := r.patient(path, document(fmt.Sprint(c, ".", n), words(id, 40)), &full)
				var a answer
				if err := json.Unmarshal([]byte(text), &a); status != 200 || err != nil || len(a.Results) != 1 {
					t.Errorf("%s: %d %s", path, status, text)
					continue
				}
				answered.Add(1)
				if one := a.Results[0]; one.Added != nil && *one.Added {
					added.Add(1)
				} else if one.Added != nil && one.Found == 0 || one.Added == nil && one.Found > 0 {
					t.Errorf("%s: %+v", path, one)
				}
			}
		})
	}
	wg.Wait()
	r.end()
	if want := int64(clients*9/10) * requests; answered.Load() != want {
		t.Errorf("%d requests were answered, want %d", answered.Load(), want)
	}
	if added.Load() != requests/2 {
		t.Errorf("%d documents were added, want %d", added.Load(), requests/2)
	}
	if n, err := x.Len(); n != requests/2 || err != nil {
		t.Errorf("%d documents in the index; %v", n, err)
	}
	if err := x.Close(); err != nil {
		t.Error(err)
	}
	t.Logf("%d answers 503", full.Load())
	for range 50 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	stacks := make([]byte, 1<<20)
	t.Errorf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
}

// patient asks again as long as the server is full.
func (r *running) patient(path, body string, full *atomic.Int64) (status int, text string) {
	for {
		if status, text = r.post(path, jsonType, body); status != http.StatusServiceUnavailable {
			return status, text
		}
		full.Add(1)
		time.Sleep(20 * time.Millisecond)
	}
}

// misbehave does something that no client should, some times.
func (r *running) misbehave(how int) {
	const head = "POST /v1/insert HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
	good := document("x", words(7, 40))
	kinds := []struct {
		name string
		do   func(net.Conn)
	}{
		{"slow body", func(c net.Conn) {
			fmt.Fprintf(c, "%sContent-Length: %d\r\n\r\n", head, len(good))
			for i := range good {
				if _, err := c.Write([]byte{good[i]}); err != nil {
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
		}},
		{"slow head", func(c net.Conn) {
			for _, b := range []byte(head) {
				if _, err := c.Write([]byte{b}); err != nil {
					return
				}
				time.Sleep(50 * time.Millisecond)
			}
		}},
		{"huge body", func(c net.Conn) {
			fmt.Fprintf(c, "%sTransfer-Encoding: chunked\r\n\r\n", head)
			chunk := fmt.Sprintf("%x\r\n%s\r\n", 1<<16, strings.Repeat("[", 1<<16))
			for range 64 {
				if _, err := io.WriteString(c, chunk); err != nil {
					return
				}
			}
		}},
		{"huge promise", func(c net.Conn) { fmt.Fprintf(c, "%sContent-Length: 99999999999999\r\n\r\n{", head) }},
		{"bad JSON", func(c net.Conn) { fmt.Fprintf(c, "%sContent-Length: 9\r\n\r\n{\"id\":1,,", head) }},
		{"dropped", func(c net.Conn) { fmt.Fprintf(c, "%sContent-Length: 1000\r\n\r\n{\"id\"", head); c.Close() }},
		{"dropped before the answer", func(c net.Conn) {
			fmt.Fprintf(c, "%sContent-Length: %d\r\n\r\n%s", strings.Replace(head, "insert", "search", 1), len(good), good)
			c.Close()
		}},
		{"no HTTP", func(c net.Conn) { fmt.Fprint(c, "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n") }},
		{"huge head", func(c net.Conn) { fmt.Fprintf(c, "%sX: %s\r\n\r\n", head, strings.Repeat("x", 1<<20)) }},
		{"never reads", func(c net.Conn) {
			for range 200 {
				if _, err := fmt.Fprintf(c, "%sContent-Length: %d\r\n\r\n%s", strings.Replace(head, "insert", "search", 1), len(good), good); err != nil {
					return
				}
			}
		}},
	}
	kind := kinds[how%len(kinds)]
	for range 2 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
		if err != nil {
			r.t.Errorf("%s: %v", kind.name, err)
			return
		}
		_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
		kind.do(conn)
		answer, _ := io.ReadAll(conn) // where the connection is still there
		conn.Close()
		if s := string(answer); strings.HasPrefix(s, "HTTP/1.1 5") && !strings.HasPrefix(s, "HTTP/1.1 503") {
			r.t.Errorf("%s: %.200s", kind.name, s)
		}
	}
}
