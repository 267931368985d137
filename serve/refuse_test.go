// SPDX-License-Identifier: Apache-2.0

package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// refused demands a status and one line that says why.
func (r *running) refused(status int, why string, got int, text string) {
	r.t.Helper()
	var f failure
	if err := json.Unmarshal([]byte(text), &f); err != nil || got != status || !strings.Contains(f.Error, why) || strings.Contains(f.Error, "\n") {
		r.t.Errorf("%d %s; want %d and %q", got, text, status, why)
	}
}

func TestRefused(t *testing.T) {
	x, _ := textIndex(t)
	defer x.Close()
	o := limits()
	o.Body, o.Inputs = 2000, 3
	r := startText(t, x, o)
	doc := document("a", "some words that are enough for it")
	for _, c := range []struct {
		path, kind, body string
		status           int
		why              string
	}{
		{"/v1/search", jsonType, "", 400, "no document"},
		{"/v1/search", jsonType, "{", 400, "byte 1: broken JSON"},
		{"/v1/search", jsonType, doc + "[]", 400, "record 2, byte 53: not a JSON object"},
		{"/v1/search", jsonType, doc + doc[:20], 400, "broken JSON"},
		{"/v1/search", jsonType, `{"id":"a","text":"\ud800"}`, 400, "broken JSON"},
		{"/v1/search", jsonType, "{\"id\":\"a\",\"text\":\"\xff\"}", 400, "UTF-8"},
		{"/v1/search", jsonType, `{"id":"a","id":"b","text":""}`, 400, "duplicate"},
		{"/v1/search", jsonType, `{"id":"a"}`, 400, `no field "text"`},
		{"/v1/search", jsonType, `{"text":"a"}`, 400, `no field "id"`},
		{"/v1/search", jsonType, `{"id":"","text":"a"}`, 400, "a name has"},
		{"/v1/search", jsonType, `{"id":"` + strings.Repeat("x", 1025) + `","text":"a"}`, 400, "a name has"},
		{"/v1/search", jsonType, `{"id":["a"],"text":"a"}`, 400, "neither a string nor a number"},
		{"/v1/search", jsonType, strings.Repeat("[", 1500), 400, "JSON"},
		{"/v1/search", jsonType, strings.Repeat(`{"id":1,"text":""}`, 4), 413, "more than 3 documents"},
		{"/v1/search", jsonType, strings.Repeat(" ", 2001), 413, "more than 2000 bytes"},
		{"/v1/search", "text/plain", doc, 415, "application/json"},
		{"/v1/search", "", doc, 415, "application/json"},
		{"/v1/search", "text/x-fasta", ">a\nACGT\n", 415, "application/json"},
		{"/v1/search?threshold=2", jsonType, doc, 400, "threshold=2"},
		{"/v1/search?threshold=NaN", jsonType, doc, 400, "threshold=NaN"},
		{"/v1/search?top=0", jsonType, doc, 400, "top=0"},
		{"/v1/search?top=1001", jsonType, doc, 400, "1 to 1000"},
		{"/v1/search?unless=0.5", jsonType, doc, 400, `no parameter "unless"`},
		{"/v1/search?measure=containment", jsonType, doc, 400, "one measure"},
		{"/v1/search?%zz", jsonType, doc, 400, "parameters"},
		{"/v1/insert?unless=0", jsonType, doc, 400, "above 0"},
		{"/v1/insert?threshold=1", jsonType, doc, 400, `no parameter "threshold"`},
		{"/v1/index", jsonType, "", 405, "GET"},
		{"/v1/health", jsonType, "", 405, "GET"},
		{"/", jsonType, doc, 404, "/v1/search"},
		{"/v1/search/", jsonType, doc, 404, "/v1/search"},
	} {
		t.Run(fmt.Sprintf("%.60s %.20q", c.path, c.body), func(t *testing.T) {
			r.t = t
			status, text := r.post(c.path, c.kind, c.body)
			r.refused(c.status, c.why, status, text)
		})
	}
	r.t = t
	status, text := r.post("/v1/search", jsonType, doc, "Content-Encoding", "gzip")
	r.refused(415, "not compressed", status, text)
	status, text = r.post("/v1/search", jsonType, doc, "Sec-Fetch-Site", "cross-site")
	r.refused(403, "web pages", status, text)
	status, text = r.post("/v1/search", jsonType, doc, "Origin", "https://example.org")
	r.refused(403, "web pages", status, text)
	status, text = r.post("/v1/search", jsonType, doc, "Host", "rebound.example.org")
	r.refused(421, "rebound.example.org", status, text)
	if got := r.ask("/v1/search", doc); len(got) != 1 || got[0].Found != 0 {
		t.Errorf("%+v: something was inserted", got)
	}
	r.end()
}

func TestToken(t *testing.T) {
	x, _ := textIndex(t)
	defer x.Close()
	o := limits()
	o.Insert, o.Token = false, "0123456789abcdef"
	r := startText(t, x, o)
	doc := document("a", words(1, 20))
	for _, wrong := range []string{"", "0123456789abcdef", "Bearer ", "Bearer 0123456789abcde", "Bearer 0123456789abcdef0", "Basic 0123456789abcdef"} {
		status, text := r.post("/v1/search", jsonType, doc, "Authorization", wrong)
		r.refused(401, "Bearer TOKEN", status, text)
	}
	right := []string{"Authorization", "Bearer 0123456789abcdef", "Host", "gsketch.example.org"}
	if status, text := r.post("/v1/search", jsonType, doc, right...); status != 200 {
		t.Errorf("%d %s", status, text)
	}
	status, text := r.post("/v1/insert", jsonType, doc, right...)
	r.refused(403, "without --insert", status, text)
	res, err := r.client.Get(r.url + "/v1/health")
	if err != nil || res.StatusCode != 200 {
		t.Errorf("health asks for a token: %v, %v", res, err)
	}
	res.Body.Close()
	r.end()
}

// Where all places are taken, or no thread is free in time, the answer is 503
// at once, or after that time.
func TestFull(t *testing.T) {
	x, _ := textIndex(t)
	defer x.Close()
	o := limits()
	o.Requests, o.Threads, o.Timeout, o.Log = 2, 1, 50*time.Millisecond, func(line string) { t.Error(line) }
	s, err := Bands(x, o)
	if err != nil {
		t.Fatal(err)
	}
	ask := func() *httptest.ResponseRecorder {
		req := httptest.NewRequest(http.MethodPost, "http://localhost/v1/search", strings.NewReader(document("a", words(1, 9))))
		req.Header.Set("Content-Type", jsonType)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, req)
		return w
	}
	if w := ask(); w.Code != 200 {
		t.Fatal(w.Code, w.Body)
	}
	s.working <- struct{}{}
	if w := ask(); w.Code != 503 || !strings.Contains(w.Body.String(), "not done within 50ms") || w.Header().Get("Retry-After") == "" {
		t.Error(w.Code, w.Body)
	}
	<-s.working
	s.requests <- struct{}{}
	s.requests <- struct{}{}
	if w := ask(); w.Code != 503 || !strings.Contains(w.Body.String(), "2 requests") {
		t.Error(w.Code, w.Body)
	}
	<-s.requests
	if w := ask(); w.Code != 200 {
		t.Error(w.Code, w.Body)
	}
}

// Whatever a body is, the answer is one of those that are documented, in JSON.
func FuzzBody(f *testing.F) {
	x, _ := textIndex(f)
	defer x.Close()
	o := limits()
	o.Log = func(line string) { f.Error(line) }
	s, err := Bands(x, o)
	if err != nil {
		f.Fatal(err)
	}
	f.Add("/v1/insert", "unless=0.5&top=3", document("a", words(1, 9))+document("b", "x"))
	f.Add("/v1/search", "threshold=1e-3", `{"id":1,"text":null,"more":[{}]}`)
	f.Fuzz(func(t *testing.T, path, query, body string) {
		req := httptest.NewRequest(http.MethodPost, "http://localhost/v1/search", strings.NewReader(body))
		req.URL.Path, req.URL.RawQuery = path, query
		req.Header.Set("Content-Type", jsonType)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, req)
		if !json.Valid(w.Body.Bytes()) || w.Code != 200 && (w.Code < 400 || w.Code >= 500) {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}
