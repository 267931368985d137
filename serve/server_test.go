// SPDX-License-Identifier: Apache-2.0

package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gsketch/gsketch/index/bands"
	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

func textParams(t testing.TB) sketch.Params {
	t.Helper()
	r, err := shingle.Parse("words=5/norm=1")
	if err != nil {
		t.Fatal(err)
	}
	return sketch.Params{Family: sketch.KPerm, Elements: r.Elements(), Size: 128,
		Hash: sketch.Hash{Algorithm: "xxh3-64", Bits: 64, Permutation: sketch.Affine32, Seed: 1}}
}

func textIndex(t testing.TB) (x *bands.Index, dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "db")
	d, err := bands.Create(dir, bands.Config{Params: textParams(t), Bands: 13, Rows: 7}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if x, err = bands.New(d); err != nil {
		t.Fatal(err)
	}
	return x, dir
}

func limits() Options {
	return Options{Insert: true, Unless: 0.8, Body: 1 << 20, Inputs: 100, Requests: 64, Threads: 2, Timeout: 5 * time.Second}
}

// A running is a server on the loopback interface.
type running struct {
	t      testing.TB
	url    string
	stop   context.CancelFunc
	done   chan error
	client *http.Client

	mu   sync.Mutex
	logs []string
}

func start(t testing.TB, build func(Options) (*Server, error), o Options) *running {
	t.Helper()
	r := &running{t: t, done: make(chan error, 1), client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 300}}}
	o.Log = func(line string) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.logs = append(r.logs, line)
	}
	s, err := build(o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r.url = "http://" + l.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	r.stop = cancel
	go func() { r.done <- s.Serve(ctx, l) }()
	return r
}

func startText(t testing.TB, x *bands.Index, o Options) *running {
	t.Helper()
	return start(t, func(o Options) (*Server, error) { return Bands(x, o) }, o)
}

// end stops the server, which must have nothing to complain of.
func (r *running) end() {
	r.t.Helper()
	r.stop()
	if err := <-r.done; err != nil {
		r.t.Error(err)
	}
	r.client.CloseIdleConnections()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, line := range r.logs {
		r.t.Error("logged: " + line)
	}
}

// post sends a body and returns the status and what it says.
func (r *running) post(path, kind, body string, headers ...string) (status int, text string) {
	r.t.Helper()
	req, err := http.NewRequest(http.MethodPost, r.url+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Content-Type", kind)
	for i := 0; i+1 < len(headers); i += 2 {
		if req.Header.Set(headers[i], headers[i+1]); headers[i] == "Host" {
			req.Host = headers[i+1]
		}
	}
	res, err := r.client.Do(req)
	if err != nil {
		r.t.Error(err)
		return 0, ""
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	if err != nil {
		r.t.Error(err)
	}
	return res.StatusCode, string(got)
}

const jsonType = "application/json"

// ask posts documents and demands an answer.
func (r *running) ask(path, body string) []result {
	r.t.Helper()
	status, text := r.post(path, jsonType, body)
	var a answer
	if err := json.Unmarshal([]byte(text), &a); err != nil || status != http.StatusOK {
		r.t.Errorf("%s %s: %d %s (%v)", path, body, status, text, err)
	}
	return a.Results
}

// UnmarshalJSON reads what MarshalJSON writes but null.
func (n *number) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, (*float64)(n)) }

// words makes a text that shares no five words in a row with that of another seed.
func words(seed, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "w%dx%d ", seed, i)
	}
	return b.String()
}

func document(id, text string) string {
	b, _ := json.Marshal(map[string]string{"id": id, "text": text})
	return string(b)
}

// What is inserted is found, once, and is in the index afterwards; what is like
// it is told of and left out.
func TestInsertAndSearch(t *testing.T) {
	x, dir := textIndex(t)
	r := startText(t, x, limits())
	if got := r.ask("/v1/insert", document("a", words(1, 60))+"\n"+document("b", words(2, 60))+document("blank", " ")); len(got) != 3 ||
		!*got[0].Added || !*got[1].Added || *got[2].Added || !got[2].Empty {
		t.Errorf("%+v", got)
	}
	near := strings.Replace(words(1, 60), "w1x59", "changed", 1) // 55 of 57 shingles: J is 0.96
	got := r.ask("/v1/insert", document("c", near))
	if len(got) != 1 || *got[0].Added || got[0].Found != 1 || got[0].Hits[0].Reference != "a" || got[0].Hits[0].Similarity < 0.9 {
		t.Errorf("%+v", got)
	}
	if got := r.ask("/v1/insert?unless=1", document("c", near)); !*got[0].Added {
		t.Errorf("%+v", got)
	}
	got = r.ask("/v1/search?threshold=0.5", document("q", words(1, 60))+document("r", words(3, 60)))
	if len(got) != 2 || got[0].Found != 2 || got[0].Hits[0].Reference != "a" || got[0].Hits[0].Similarity != 1 || got[0].Hits[0].Shared != 128 ||
		got[0].Hits[1].Reference != "c" || got[1].Found != 0 || got[0].Added != nil {
		t.Errorf("%+v", got)
	}
	if got := r.ask("/v1/search?top=1", document("q", words(1, 60))); got[0].Found != 2 || len(got[0].Hits) != 1 {
		t.Errorf("%+v", got)
	}
	r.end()
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	if err := bands.Check(dir); err != nil {
		t.Error(err)
	}
	d, err := bands.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if n, err := d.Len(); n != 3 || err != nil {
		t.Errorf("%d documents, want 3; %v", n, err)
	}
}

// Of the same text from many clients at once, one is added; each document is a
// race of its own.
func TestInsertIsAtomic(t *testing.T) {
	x, _ := textIndex(t)
	defer x.Close()
	r := startText(t, x, limits())
	const documents, clients = 20, 16
	var mu sync.Mutex
	added := map[string]int{}
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() {
			for d := range documents {
				for _, one := range r.ask("/v1/insert", document(fmt.Sprintf("%d.%d", d, c), words(d, 40))) {
					mu.Lock()
					if *one.Added {
						added[strings.Split(one.Query, ".")[0]]++
					} else if one.Found == 0 {
						t.Errorf("%s is neither added nor like anything", one.Query)
					}
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	r.end()
	if len(added) != documents {
		t.Errorf("%d documents were added, want %d", len(added), documents)
	}
	for d, n := range added {
		if n != 1 {
			t.Errorf("document %s was added %d times", d, n)
		}
	}
}

// A request that came before the end is answered after it; later ones are not
// taken.
func TestGracefulEnd(t *testing.T) {
	x, _ := textIndex(t)
	defer x.Close()
	r := startText(t, x, limits())
	body := document("a", words(1, 60))
	conn, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /v1/insert HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", len(body), body[:20])
	time.Sleep(100 * time.Millisecond) // it is being read
	r.stop()
	time.Sleep(100 * time.Millisecond)
	if _, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://")); err == nil {
		t.Error("a connection is taken after the end")
	}
	fmt.Fprint(conn, body[20:])
	_ = conn.SetReadDeadline(time.Now().Add(3 * time.Second))
	got, err := io.ReadAll(conn)
	if err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 200 ") || !strings.Contains(string(got), `"added":true`) {
		t.Errorf("%s; %v", got, err)
	}
	r.end()
}

// A body that does not come is waited for so long and no longer.
func TestSlowBody(t *testing.T) {
	x, _ := textIndex(t)
	defer x.Close()
	o := limits()
	o.Timeout = 300 * time.Millisecond
	r := startText(t, x, o)
	conn, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "POST /v1/insert HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
	got, err := io.ReadAll(conn)
	if err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 408 ") {
		t.Errorf("%s; %v", got, err)
	}
	r.end()
}
