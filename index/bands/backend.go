// SPDX-License-Identifier: Apache-2.0

package bands

import (
	"errors"
	"fmt"

	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/sketch"
)

// ErrUnavailable is what errors of a backend elsewhere are that cannot be
// reached or does not answer rightly.
var ErrUnavailable = errors.New("the backend of the index failed")

// A Config says how signatures are cut. It is stored with an index.
type Config struct {
	Params sketch.Params // of all signatures
	Bands  int
	Rows   int // slots of a band
}

// Validate says whether signatures made with Params can be cut so.
func (c Config) Validate() error {
	if err := c.Params.Validate(); err != nil {
		return err
	}
	_, err := lsh.NewBanding(c.Params, c.Bands, c.Rows, nil)
	return err
}

// String is the parameters and the cut, as in "kperm;...;size=128, 25 bands of 5".
func (c Config) String() string {
	return fmt.Sprintf("%s, %d bands of %d", c.Params, c.Bands, c.Rows)
}

// A Document is a record with the buckets that it belongs to. What is in the
// record is known to Index; a Backend returns it as it was given.
type Document struct {
	ID     uint32
	Keys   []lsh.Key
	Record []byte // not empty
}

// A Backend keeps the buckets and documents of an Index. It is safe for
// concurrent use, and what a call has changed is durable, as far as the backend
// makes anything so, when it returns.
type Backend interface {
	lsh.Store

	// Config is what the backend was made with.
	Config() Config

	// Insert adds documents under new ids, which it sets; they ascend.
	Insert(docs []Document) error

	// InsertUnless adds one document under a new id, unless its buckets hold ids
	// that are not known; these it returns, each once, ascending, and adds
	// nothing. No other call divides looking and adding.
	InsertUnless(doc *Document, known []uint32) (others []uint32, err error)

	// Drop removes documents, by ID, from the buckets of their Keys and from Records.
	Drop(docs []Document) error

	// Records returns the record of each id; nil for one that is not there.
	Records(ids []uint32) ([][]byte, error)

	// Each calls yield for each document, in no order that is promised.
	Each(yield func(id uint32, record []byte) error) error

	// Len is the number of documents.
	Len() (int, error)

	Close() error
}
