// SPDX-License-Identifier: Apache-2.0

package serve

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gsketch/gsketch/index/bands"
)

// BenchmarkRequests is of requests of one document of 100 words, from 32 clients
// on the same machine, over connections that are kept.
func BenchmarkRequests(b *testing.B) {
	dir := b.TempDir()
	d, err := bands.Create(dir+"/db", bands.Config{Params: textParams(b), Bands: 13, Rows: 7}, 2)
	if err != nil {
		b.Fatal(err)
	}
	x, err := bands.New(d)
	if err != nil {
		b.Fatal(err)
	}
	defer x.Close()
	o := limits()
	o.Timeout = time.Minute
	r := startText(b, x, o)
	var id atomic.Int64
	for _, path := range []string{"/v1/insert", "/v1/search"} {
		b.Run(strings.TrimPrefix(path, "/v1/"), func(b *testing.B) {
			id.Store(0)
			var left atomic.Int64
			left.Store(int64(b.N))
			var wg sync.WaitGroup
			for range 32 {
				wg.Go(func() {
					for left.Add(-1) >= 0 {
						n := int(id.Add(1))
						body, _ := json.Marshal(map[string]string{"id": fmt.Sprint(n), "text": words(n, 100)})
						res, err := r.client.Post(r.url+path, jsonType, strings.NewReader(string(body)))
						if err != nil {
							b.Error(err)
							return
						}
						if _, err = io.Copy(io.Discard, res.Body); err != nil || res.StatusCode != http.StatusOK {
							b.Error(res.StatusCode, err)
						}
						res.Body.Close()
					}
				})
			}
			wg.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
		})
	}
	r.end()
}
