// SPDX-License-Identifier: Apache-2.0

package redisstore

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"sync/atomic"

	"github.com/redis/rueidis"

	"github.com/gsketch/gsketch/index/bands"
	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/sketch"
)

// A Datasketch is an index in the layout of MinHashLSH of datasketch 2.0 with
// storage type redis and this prefix as its basename:
//
//	PREFIX_keys                    hash: name (pickled) to the key of its list
//	PREFIX_keys NAME               list of the band keys of a name
//	PREFIX_bucket_ BAND            hash: band key to the key of its set; BAND is 2 bytes, big endian
//	PREFIX_bucket_ BAND BANDKEY    set of names (pickled)
//
// A band key is the slots of the band, each big endian: 4 bytes of affine32, 8
// of affine64 and legacy. Nothing in it says how the signatures were made or how
// many bands there are: Config must be what the other side has. Signatures are
// not kept, so what is found are candidates that nobody can compare any more.
//
// Nor does it count what was ever there, so of a server that came back without
// its data it is noticed alone that all names are gone.
type Datasketch struct {
	*connection
	config bands.Config
	filled atomic.Bool // names were seen
}

// OpenDatasketch connects to an index in the layout of datasketch, which need
// not be there yet.
func OpenDatasketch(ctx context.Context, o Options, c bands.Config) (*Datasketch, error) {
	if c.Params.Family != sketch.KPerm || c.Params.Hash.Permutation == sketch.Milvus {
		return nil, fmt.Errorf("%w: the layout of datasketch holds kperm sketches with permutations %s, %s or %s, not %s",
			sketch.ErrIncompatible, sketch.Affine32, sketch.Affine64, sketch.Legacy, c.Params)
	}
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if c.Bands > 1<<16 {
		return nil, fmt.Errorf("%d bands; the layout of datasketch has up to %d", c.Bands, 1<<16)
	}
	conn, err := dial(ctx, o)
	if err != nil {
		return nil, err
	}
	d := &Datasketch{connection: conn, config: c}
	err = d.again(func() error { return d.there(d.client.Do(ctx, d.any())) })
	if err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// any asks whether there are names.
func (d *Datasketch) any() rueidis.Completed { return d.client.B().Exists().Key(d.names()).Build() }

// there reads the answer.
func (d *Datasketch) there(answer rueidis.RedisResult) error {
	n, err := answer.AsInt64()
	switch {
	case err != nil:
		return err
	case n > 0:
		d.filled.Store(true)
	case d.filled.Load():
		return errLost
	}
	return nil
}

// Close ends the connection.
func (d *Datasketch) Close() error {
	d.client.Close()
	return nil
}

// bandKeys are those of datasketch.
func (d *Datasketch) bandKeys(s sketch.Signature) ([]string, error) {
	if s.Params() != d.config.Params {
		return nil, fmt.Errorf("%w: index of %s, signature of %s", sketch.ErrIncompatible, d.config.Params, s.Params())
	}
	if e, ok := s.(sketch.Estimable); ok && e.Empty() {
		return nil, lsh.ErrEmpty
	}
	slots := s.AppendSlots(nil)
	keys := make([]string, d.config.Bands)
	for i := range keys {
		var key []byte
		for _, v := range slots[i*d.config.Rows : (i+1)*d.config.Rows] {
			if d.config.Params.Hash.Permutation == sketch.Affine32 {
				key = binary.BigEndian.AppendUint32(key, uint32(v))
			} else {
				key = binary.BigEndian.AppendUint64(key, v)
			}
		}
		keys[i] = string(key)
	}
	return keys, nil
}

func (d *Datasketch) table(band int) string {
	return d.o.Prefix + "_bucket_" + string(binary.BigEndian.AppendUint16(nil, uint16(band)))
}

func (d *Datasketch) names() string { return d.o.Prefix + "_keys" }

// stored finds the pickle under which a name is stored.
func (d *Datasketch) stored(name string) (string, error) {
	var found string
	err := d.again(func() error {
		found = ""
		for _, protocol := range []byte{4, 5} {
			p, err := pickle(name, protocol)
			if err != nil {
				return err
			}
			there, err := d.client.Do(d.ctx, d.client.B().Hexists().Key(d.names()).Field(string(p)).Build()).AsBool()
			if err != nil {
				return err
			}
			if there {
				found = string(p)
			}
		}
		return nil
	})
	return found, err
}

// Insert adds a signature under a name, which must be new (os.ErrExist).
func (d *Datasketch) Insert(name string, s sketch.Signature) error {
	keys, err := d.bandKeys(s)
	if err != nil {
		return err
	}
	p, err := pickle(name, 4)
	if err != nil {
		return err
	}
	if there, err := d.stored(name); err != nil {
		return err
	} else if there != "" {
		return fmt.Errorf("%s: %w", name, os.ErrExist)
	}
	return d.again(func() error {
		b, value := d.client.B, string(p)
		list := d.names() + value
		commands := []rueidis.Completed{
			b().Multi().Build(),
			b().Hset().Key(d.names()).FieldValue().FieldValue(value, list).Build(),
			b().Del().Key(list).Build(), // of a try whose answer was lost
			b().Rpush().Key(list).Element(keys...).Build(),
		}
		for i, key := range keys {
			commands = append(commands,
				b().Hset().Key(d.table(i)).FieldValue().FieldValue(key, d.table(i)+key).Build(),
				b().Sadd().Key(d.table(i)+key).Member(value).Build())
		}
		err := firstError(d.client.DoMulti(d.ctx, append(commands, b().Exec().Build())...))
		if err == nil {
			d.filled.Store(true)
		}
		return err
	})
}

func firstError(answers []rueidis.RedisResult) error {
	for _, a := range answers {
		if err := a.Error(); err != nil {
			return err
		}
	}
	return nil
}

// Query returns the names of signatures that share a band with s, sorted.
func (d *Datasketch) Query(s sketch.Signature) ([]string, error) {
	keys, err := d.bandKeys(s)
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	if err := d.again(func() error {
		clear(found)
		commands := make([]rueidis.Completed, len(keys), len(keys)+1)
		for i, key := range keys {
			commands[i] = d.client.B().Smembers().Key(d.table(i) + key).Build()
		}
		answers := d.client.DoMulti(d.ctx, append(commands, d.any())...)
		if err := d.there(answers[len(keys)]); err != nil {
			return err
		}
		for _, a := range answers[:len(keys)] {
			members, err := a.AsStrSlice()
			if err != nil {
				return err
			}
			for _, m := range members {
				found[m] = true
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	var names []string
	for p := range found {
		name, err := unpickle([]byte(p))
		if err != nil {
			return nil, sketch.BadInput(d.o.Address+"/"+d.o.Prefix, err)
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names, nil
}

// Remove removes a name and says whether it was there.
func (d *Datasketch) Remove(name string) (bool, error) {
	value, err := d.stored(name)
	if err != nil || value == "" {
		return false, err
	}
	list := d.names() + value
	err = d.again(func() error {
		b := d.client.B
		keys, err := d.client.Do(d.ctx, b().Lrange().Key(list).Start(0).Stop(-1).Build()).AsStrSlice()
		if err != nil {
			return err
		}
		commands := []rueidis.Completed{b().Multi().Build()}
		for i, key := range keys {
			commands = append(commands, b().Srem().Key(d.table(i)+key).Member(value).Build())
		}
		commands = append(commands, b().Hdel().Key(d.names()).Field(value).Build(), b().Del().Key(list).Build(), b().Exec().Build())
		return firstError(d.client.DoMulti(d.ctx, commands...))
	})
	d.filled.Store(false) // it may have been the last
	return true, err
}

// Names lists all names, sorted.
func (d *Datasketch) Names() ([]string, error) {
	var stored []string
	if err := d.again(func() (err error) {
		stored, err = d.client.Do(d.ctx, d.client.B().Hkeys().Key(d.names()).Build()).AsStrSlice()
		return err
	}); err != nil {
		return nil, err
	}
	names := make([]string, len(stored))
	for i, p := range stored {
		var err error
		if names[i], err = unpickle([]byte(p)); err != nil {
			return nil, sketch.BadInput(d.o.Address+"/"+d.o.Prefix, err)
		}
	}
	slices.Sort(names)
	return names, nil
}
