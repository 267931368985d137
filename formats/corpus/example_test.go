// SPDX-License-Identifier: Apache-2.0

package corpus_test

import (
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"github.com/gsketch/gsketch/formats/corpus"
)

func ExampleReader() {
	dir, err := os.MkdirTemp("", "corpus")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "docs.jsonl")
	if err := os.WriteFile(path, []byte("{\"id\": \"a\", \"text\": \"one\"}\n{\"id\": \"b\", \"text\": \"two\"}\n"), 0o666); err != nil {
		log.Fatal(err)
	}
	r, err := corpus.NewReader([]string{path}, corpus.Options{Kind: corpus.JSONL, ID: "id", Text: "text"})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	for {
		batch, err := r.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			log.Fatal(err)
		}
		if err := batch(func(d *corpus.Document) error {
			fmt.Printf("line %d, %s: %s\n", d.Record, d.ID, d.Text)
			return nil
		}); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// line 1, a: one
	// line 2, b: two
}
