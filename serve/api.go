// SPDX-License-Identifier: Apache-2.0

package serve

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/ingest"
	"github.com/gsketch/gsketch/sketch"
)

// A collection is what is searched.
type collection interface {
	// describe tells how it was made.
	describe() description

	// check refuses what cannot be asked of it.
	check(ask) error

	// search returns what is like a query, best first, and how many that are.
	search(query sketch.Item, a ask) (hits []hit, found int, err error)

	// insert adds an item unless something in it is like it, which is returned.
	insert(it sketch.Item, a ask) (hits []hit, found int, err error)
}

// A description is the answer to GET /v1/index.
type description struct {
	Kind   string `json:"kind"` // bands, postings
	Params string `json:"params"`
	Bands  int    `json:"bands,omitempty"`
	Rows   int    `json:"rows,omitempty"`
	Insert bool   `json:"insert"`
}

// An answer is that to a search or an insertion.
type answer struct {
	Results []result `json:"results"`
}

// A result is what came of one input.
type result struct {
	Query string `json:"query"`
	Added *bool  `json:"added,omitempty"` // of an insertion
	Empty bool   `json:"empty,omitempty"` // it has no elements and is like nothing
	Found int    `json:"found"`           // are like it
	Hits  []hit  `json:"hits"`            // the best of them

	Warnings []string `json:"warnings,omitempty"` // about the input
}

// A hit is something that is like a query, in the words of gsketch search.
type hit struct {
	Reference      string  `json:"reference"`
	Source         string  `json:"source,omitempty"`
	Similarity     number  `json:"similarity"`
	SimilarityLow  *number `json:"similarity_low,omitempty"`
	SimilarityHigh *number `json:"similarity_high,omitempty"`
	ANI            *number `json:"ani,omitempty"`
	ANILow         *number `json:"ani_low,omitempty"`
	ANIHigh        *number `json:"ani_high,omitempty"`
	Shared         uint64  `json:"shared"`
	Of             uint64  `json:"of"`
}

// A number is null where there is none.
type number float64

// MarshalJSON writes the shortest decimal that gives the same double back.
func (n number) MarshalJSON() ([]byte, error) {
	if v := float64(n); math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(n)+0, 'g', -1, 64), nil // +0: never -0
}

func (s *Server) health(context.Context, http.ResponseWriter, *http.Request) (any, error) {
	return map[string]string{"status": "ok"}, nil
}

func (s *Server) describe(context.Context, http.ResponseWriter, *http.Request) (any, error) {
	d := s.of.describe()
	d.Insert = s.o.Insert
	return d, nil
}

// An ask is what the parameters of a URL say.
type ask struct {
	id        string // of sequence
	threshold float64
	top       int
	measure   string
}

// The most hits of an input that an answer lists, and how many unless the
// request says.
const (
	mostHits = 1000
	someHits = 10
)

// parse reads the parameters of a URL; others than the named ones are refused.
func parse(r *http.Request, threshold float64, similar string, more ...string) (ask, error) {
	a := ask{threshold: threshold, top: someHits}
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return a, refuse(http.StatusBadRequest, "the parameters of the URL are broken")
	}
	for name := range values {
		if name != similar && name != "top" && !slices.Contains(more, name) {
			return a, refuse(http.StatusBadRequest, "there is no parameter %q", name)
		}
	}
	a.id, a.measure = values.Get("id"), values.Get("measure")
	if v := values.Get(similar); v != "" {
		if a.threshold, err = strconv.ParseFloat(v, 64); err != nil || !(a.threshold >= 0 && a.threshold <= 1) {
			return a, refuse(http.StatusBadRequest, "%s=%s: 0 to 1", similar, v)
		}
	}
	if v := values.Get("top"); v != "" {
		if a.top, err = strconv.Atoi(v); err != nil || a.top < 1 || a.top > mostHits {
			return a, refuse(http.StatusBadRequest, "top=%s: 1 to %d", v, mostHits)
		}
	}
	return a, nil
}

// defaultThreshold is that of gsketch search.
const defaultThreshold = 0.08

func (s *Server) search(ctx context.Context, w http.ResponseWriter, r *http.Request) (any, error) {
	a, err := parse(r, defaultThreshold, "threshold", "id", "measure")
	if err != nil {
		return nil, err
	}
	return s.each(ctx, w, r, a, func(out *result, it sketch.Item) (err error) {
		out.Hits, out.Found, err = s.of.search(it, a)
		return err
	})
}

func (s *Server) insert(ctx context.Context, w http.ResponseWriter, r *http.Request) (any, error) {
	if !s.o.Insert {
		return nil, refuse(http.StatusForbidden, "the server was started without --insert")
	}
	a, err := parse(r, s.o.Unless, "unless", "id")
	if err != nil {
		return nil, err
	}
	if a.threshold == 0 {
		return nil, refuse(http.StatusBadRequest, "unless=0: above 0, to 1")
	}
	return s.each(ctx, w, r, a, func(out *result, it sketch.Item) (err error) {
		out.Hits, out.Found, err = s.of.insert(it, a)
		added := err == nil && out.Found == 0 && !out.Empty
		out.Added = &added
		return err
	})
}

// each reads the inputs of a request and does something for each.
func (s *Server) each(ctx context.Context, w http.ResponseWriter, r *http.Request, a ask, do func(*result, sketch.Item) error) (any, error) {
	if err := s.of.check(a); err != nil {
		return nil, err
	}
	if err := s.contentType(r); err != nil {
		return nil, err
	}
	data, err := s.body(w, r)
	if err != nil {
		return nil, err
	}
	out := answer{Results: []result{}}
	err = s.work(ctx, func(ctx context.Context) error {
		items, warnings, err := s.items(ctx, a, data)
		if err != nil {
			return badInput(err)
		}
		for _, it := range items {
			if err := ctx.Err(); err != nil {
				return err
			}
			one := result{Query: it.Meta.ID, Hits: []hit{}, Warnings: warnings}
			if e, ok := it.Sketch.(sketch.Estimable); ok && e.Empty() {
				one.Empty = true
			}
			if err := do(&one, it); err != nil {
				return err
			}
			out.Results = append(out.Results, one)
		}
		return nil
	})
	return out, err
}

// contentType demands the kind of body that the index takes. That it is none
// which a form in a page may have is one more hindrance for pages.
func (s *Server) contentType(r *http.Request) error {
	want := []string{"text/x-fasta", "text/x-fastq", "application/octet-stream"}
	if s.params.Elements.Molecule == sketch.Text {
		want = []string{"application/json", "application/x-ndjson", "application/jsonl"}
	}
	got, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if !slices.Contains(want, got) || r.Header.Get("Content-Encoding") != "" {
		return refuse(http.StatusUnsupportedMediaType, "the index takes bodies of Content-Type %s, not compressed", want[0])
	}
	return nil
}

// longestID is the most bytes that a name may have.
const longestID = 1024

// items sketches the documents, or the sequence, of a body.
func (s *Server) items(ctx context.Context, a ask, data []byte) ([]sketch.Item, []string, error) {
	maker := s.makers.Get().(*ingest.Maker)
	defer s.makers.Put(maker)
	if s.params.Elements.Molecule == sketch.Text {
		items, err := s.documents(ctx, maker, data)
		return items, nil, err
	}
	if a.id == "" || len(a.id) > longestID {
		return nil, nil, refuse(http.StatusBadRequest, "name the sequence, in up to %d bytes: ?id=NAME", longestID)
	}
	it, warnings, err := maker.Sequence(ctx, a.id, "body", bytes.NewReader(data))
	if err != nil {
		return nil, nil, err
	}
	it.Meta.Source = ""
	if fracminhash.IsSmall(it.Sketch) {
		warnings = append(warnings, fmt.Sprintf("%d hashes are few: what is found is uncertain; an index of a finer scaled than %d would tell more", it.Sketch.Len(), it.Sketch.Params().Scaled))
	}
	return []sketch.Item{it}, warnings, nil
}

// documents sketches the documents of a body.
func (s *Server) documents(ctx context.Context, maker *ingest.Maker, data []byte) ([]sketch.Item, error) {
	var items []sketch.Item
	err := corpus.Objects(data, "body", corpus.Options{ID: "id", Text: "text"}, func(d *corpus.Document) error {
		if len(items) == s.o.Inputs {
			return refuse(http.StatusRequestEntityTooLarge, "more than %d documents in a body", s.o.Inputs)
		}
		if d.ID == "" || len(d.ID) > longestID {
			return refuse(http.StatusBadRequest, "document %d: a name has 1 to %d bytes", d.Record, longestID)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		it, err := maker.Text(d)
		it.Meta.Source = ""
		items = append(items, it)
		return err
	})
	if err == nil && len(items) == 0 {
		return nil, refuse(http.StatusBadRequest, "the body holds no document; one is {\"id\": \"...\", \"text\": \"...\"}")
	}
	return items, err
}
