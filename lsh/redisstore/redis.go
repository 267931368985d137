// SPDX-License-Identifier: Apache-2.0

package redisstore

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"

	"github.com/redis/rueidis"

	"github.com/gsketch/gsketch/index/bands"
	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/sketch"
)

const (
	format = "1"
	maxID  = 1<<31 - 1
)

// errLost says that the server is not the one that it was.
var errLost = errors.New("it has lost what it had acknowledged (was it restarted without its data?)")

// A Redis is a bands.Backend on a server.
type Redis struct {
	*connection
	config bands.Config
	base   string
	floor  atomic.Int64 // ids below it were given out, as the server has said
}

var _ bands.Backend = (*Redis)(nil)

func newRedis(ctx context.Context, o Options) (*Redis, error) {
	c, err := dial(ctx, o)
	if err != nil {
		return nil, err
	}
	return &Redis{connection: c, base: "{" + o.Prefix + "}:"}, nil
}

var create = rueidis.NewLuaScriptNoSha(`
if redis.call('EXISTS', KEYS[1]) == 1 then return redis.call('HGETALL', KEYS[1]) end
redis.call('HSET', KEYS[1], unpack(ARGV))
redis.call('SET', KEYS[2], 0)
return {}`)

// Create makes a new index; one under the prefix is an error, os.ErrExist. ctx
// is that of all calls.
func Create(ctx context.Context, o Options, c bands.Config) (*Redis, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	r, err := newRedis(ctx, o)
	if err != nil {
		return nil, err
	}
	r.config = c
	args := []string{"format", format, "params", c.Params.String(), "bands", strconv.Itoa(c.Bands), "rows", strconv.Itoa(c.Rows)}
	there, err := create.Exec(ctx, r.client, []string{r.base + "m", r.base + "n"}, args).AsStrSlice()
	if err != nil {
		r.Close()
		return nil, r.failed(err)
	}
	if len(there) > 0 {
		r.Close()
		return nil, fmt.Errorf("%s, prefix %s: %w", o.Address, o.Prefix, os.ErrExist)
	}
	return r, nil
}

// Open opens an index. That there is none is an *sketch.InputError.
func Open(ctx context.Context, o Options) (*Redis, error) {
	r, err := newRedis(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := r.open(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func (r *Redis) open() error {
	var meta map[string]string
	err := r.again(func() (err error) {
		meta, err = r.client.Do(r.ctx, r.client.B().Hgetall().Key(r.base+"m").Build()).AsStrMap()
		return err
	})
	if err != nil {
		return err
	}
	bad := func(err error) error { return sketch.BadInput(r.o.Address+"/"+r.o.Prefix, err) }
	if len(meta) == 0 {
		return bad(errors.New("no index under this prefix; gsketch index build makes one"))
	}
	if meta["format"] != format {
		return bad(fmt.Errorf("an index of format %q; this program knows format %s", meta["format"], format))
	}
	if r.config.Params, err = sketch.ParseParams(meta["params"]); err != nil {
		return bad(err)
	}
	r.config.Bands, err = strconv.Atoi(meta["bands"])
	if err == nil {
		r.config.Rows, err = strconv.Atoi(meta["rows"])
	}
	if err == nil {
		err = r.config.Validate()
	}
	if err != nil {
		return bad(err)
	}
	return r.again(func() error {
		n, err := r.client.Do(r.ctx, r.next()).AsInt64()
		if rueidis.IsRedisNil(err) {
			return errLost
		}
		r.raise(n)
		return err
	})
}

// Config is what the index was made with.
func (r *Redis) Config() bands.Config { return r.config }

// Close ends the connection.
func (r *Redis) Close() error {
	r.client.Close()
	return nil
}

// bucket is the name of a bucket.
func (r *Redis) bucket(k lsh.Key) string {
	name := make([]byte, 0, len(r.base)+13)
	name = append(append(name, r.base...), 'b')
	name = binary.LittleEndian.AppendUint32(name, k.Band)
	return string(binary.LittleEndian.AppendUint64(name, k.Hash))
}

// next asks for the number of ids.
func (r *Redis) next() rueidis.Completed { return r.client.B().Get().Key(r.base + "n").Build() }

func (r *Redis) raise(n int64) {
	for {
		old := r.floor.Load()
		if n <= old || r.floor.CompareAndSwap(old, n) {
			return
		}
	}
}

// all sends commands at once, behind them the question for the number of ids,
// which tells whether the server still has what it had. The commands are built
// anew for each try.
func (r *Redis) all(build func() []rueidis.Completed, use func(i int, answer rueidis.RedisResult) error) error {
	return r.again(func() error {
		floor := r.floor.Load()
		answers := r.client.DoMulti(r.ctx, append(build(), r.next())...)
		last := len(answers) - 1
		n, err := answers[last].AsInt64()
		switch {
		case rueidis.IsRedisNil(err) || err == nil && n < floor:
			return errLost
		case err != nil:
			return err
		}
		r.raise(n)
		for i, answer := range answers[:last] {
			if err := use(i, answer); err != nil && !rueidis.IsRedisNil(err) {
				return err
			}
		}
		return nil
	})
}

func failure(_ int, answer rueidis.RedisResult) error { return answer.Error() }

// Put adds ids to buckets.
func (r *Redis) Put(keys []lsh.Key, ids []uint32) error {
	for _, id := range ids {
		if id > maxID {
			return fmt.Errorf("id %d is above %d", id, maxID)
		}
	}
	return r.all(func() (commands []rueidis.Completed) {
		for i, k := range keys {
			commands = append(commands, r.client.B().Sadd().Key(r.bucket(k)).Member(decimal(ids[i])).Build())
		}
		return commands
	}, failure)
}

// Delete removes ids from buckets.
func (r *Redis) Delete(keys []lsh.Key, ids []uint32) error {
	return r.all(func() (commands []rueidis.Completed) {
		for i, k := range keys {
			commands = append(commands, r.client.B().Srem().Key(r.bucket(k)).Member(decimal(ids[i])).Build())
		}
		return commands
	}, failure)
}

// Drop removes documents, first from their buckets.
func (r *Redis) Drop(docs []bands.Document) error {
	for _, d := range docs {
		err := r.all(func() (commands []rueidis.Completed) {
			for _, k := range d.Keys {
				commands = append(commands, r.client.B().Srem().Key(r.bucket(k)).Member(decimal(d.ID)).Build())
			}
			return append(commands, r.client.B().Hdel().Key(r.base+"d").Field(decimal(d.ID)).Build())
		}, failure)
		if err != nil {
			return err
		}
	}
	return nil
}

func decimal(id uint32) string { return strconv.FormatUint(uint64(id), 10) }

func parseID(s string) (uint32, error) {
	id, err := strconv.ParseUint(s, 10, 31)
	if err != nil {
		return 0, fmt.Errorf("%q is no id", s)
	}
	return uint32(id), nil
}

// Get appends the ids of the bucket of each key.
func (r *Redis) Get(dst []uint32, keys []lsh.Key) ([]uint32, error) {
	from := len(dst)
	err := r.all(func() (commands []rueidis.Completed) {
		dst = dst[:from]
		for _, k := range keys {
			commands = append(commands, r.client.B().Smembers().Key(r.bucket(k)).Build())
		}
		return commands
	}, func(_ int, answer rueidis.RedisResult) error {
		members, err := answer.AsStrSlice()
		for _, m := range members {
			id, err := parseID(m)
			if err != nil {
				return err
			}
			dst = append(dst, id)
		}
		return err
	})
	return dst, err
}

// Records returns the record of each id.
func (r *Redis) Records(ids []uint32) ([][]byte, error) {
	out := make([][]byte, len(ids))
	const part = 1000
	for from := 0; from < len(ids); from += part {
		some := ids[from:min(from+part, len(ids))]
		fields := make([]string, len(some))
		for i, id := range some {
			fields[i] = decimal(id)
		}
		err := r.all(func() []rueidis.Completed {
			return []rueidis.Completed{r.client.B().Hmget().Key(r.base + "d").Field(fields...).Build()}
		}, func(_ int, answer rueidis.RedisResult) error {
			values, err := answer.ToArray()
			if err != nil || len(values) != len(some) {
				return errors.Join(err, fmt.Errorf("%d records for %d ids", len(values), len(some)))
			}
			for i, v := range values {
				text, err := v.ToString()
				if rueidis.IsRedisNil(err) {
					continue
				} else if err != nil {
					return err
				}
				out[from+i] = []byte(text)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Each calls yield for each document, in no order.
func (r *Redis) Each(yield func(id uint32, record []byte) error) error {
	seen := map[uint32]bool{} // a scan may give a document twice
	for cursor := uint64(0); ; {
		var part rueidis.ScanEntry
		err := r.all(func() []rueidis.Completed {
			return []rueidis.Completed{r.client.B().Hscan().Key(r.base + "d").Cursor(cursor).Count(1000).Build()}
		}, func(_ int, answer rueidis.RedisResult) (err error) {
			part, err = answer.AsScanEntry()
			return err
		})
		if err != nil {
			return err
		}
		for i := 0; i+1 < len(part.Elements); i += 2 {
			id, err := parseID(part.Elements[i])
			if err != nil {
				return r.failed(err)
			}
			if seen[id] {
				continue
			}
			seen[id] = true
			if err := yield(id, []byte(part.Elements[i+1])); err != nil {
				return err
			}
		}
		if cursor = part.Cursor; cursor == 0 {
			return nil
		}
	}
}

// Len is the number of documents.
func (r *Redis) Len() (n int, err error) {
	err = r.all(func() []rueidis.Completed {
		return []rueidis.Completed{r.client.B().Hlen().Key(r.base + "d").Build()}
	}, func(_ int, answer rueidis.RedisResult) error {
		v, err := answer.AsInt64()
		n = int(v)
		return err
	})
	return n, err
}
