// SPDX-License-Identifier: Apache-2.0

package redisstore

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/redis/rueidis"

	"github.com/gsketch/gsketch/index/bands"
	"github.com/gsketch/gsketch/lsh"
)

// insert puts a document under an id that was given out before, so that it may
// be repeated. KEYS: number of ids, records, buckets; ARGV: id, record, whether
// to look first, ids that are known.
var insert = rueidis.NewLuaScriptRetryable(`
local call, id = redis.call, ARGV[1]
local next = call('GET', KEYS[1])
if not next or tonumber(next) <= tonumber(id) then return redis.error_reply('LOST') end
if ARGV[3] == '1' then
  local known, others = {[id] = true}, {}
  for i = 4, #ARGV do known[ARGV[i]] = true end
  for i = 3, #KEYS do
    for _, there in ipairs(call('SMEMBERS', KEYS[i])) do
      if not known[there] then known[there] = true; others[#others + 1] = there end
    end
  end
  if #others > 0 then return others end
end
call('HSET', KEYS[2], id, ARGV[2])
for i = 3, #KEYS do call('SADD', KEYS[i], id) end
return {}`)

// give gives out ids. KEYS: number of ids; ARGV: how many, the number of ids that
// there must be.
var give = rueidis.NewLuaScript(`
local next = redis.call('GET', KEYS[1])
if not next or tonumber(next) < tonumber(ARGV[2]) then return redis.error_reply('LOST') end
return redis.call('INCRBY', KEYS[1], ARGV[1])`)

// putIfAbsent: KEYS: buckets; ARGV: id.
var putIfAbsent = rueidis.NewLuaScript(`
local there, seen = {}, {}
for i = 1, #KEYS do
  for _, id in ipairs(redis.call('SMEMBERS', KEYS[i])) do
    if not seen[id] then seen[id] = true; there[#there + 1] = id end
  end
end
if #there > 0 then return there end
for i = 1, #KEYS do redis.call('SADD', KEYS[i], ARGV[1]) end
return {}`)

// Documents are sent atOnce before the first answer is awaited, and that as many
// times side by side as keeps the server busy while the next are made ready.
const (
	atOnce  = 200
	streams = 3
)

// number gives out ids. Where an answer is lost some ids are never used.
func (r *Redis) number(docs []bands.Document) error {
	var end int64
	if err := r.again(func() (err error) {
		args := []string{strconv.Itoa(len(docs)), strconv.FormatInt(r.floor.Load(), 10)}
		end, err = give.Exec(r.ctx, r.client, []string{r.base + "n"}, args).AsInt64()
		return lost(err)
	}); err != nil {
		return err
	}
	if end > maxID+1 {
		return fmt.Errorf("an index holds ids up to %d", maxID)
	}
	r.raise(end)
	for i := range docs {
		docs[i].ID = uint32(end) - uint32(len(docs)-i)
	}
	return nil
}

func (r *Redis) call(d bands.Document, unless bool, known []uint32) rueidis.LuaExec {
	keys := make([]string, 0, len(d.Keys)+2)
	keys = append(keys, r.base+"n", r.base+"d")
	for _, k := range d.Keys {
		keys = append(keys, r.bucket(k))
	}
	args := append(make([]string, 0, 3+len(known)), decimal(d.ID), string(d.Record), "0")
	if unless {
		args[2] = "1"
	}
	for _, id := range known {
		args = append(args, decimal(id))
	}
	return rueidis.LuaExec{Keys: keys, Args: args}
}

// lost is err, or what a script means by it.
func lost(err error) error {
	if e, ok := rueidis.IsRedisErr(err); ok && strings.HasPrefix(e.Error(), "LOST") {
		return errLost
	}
	return err
}

// others reads the answer of a script.
func others(answer rueidis.RedisResult) ([]uint32, error) {
	list, err := answer.AsStrSlice()
	if err != nil {
		return nil, lost(err)
	}
	var ids []uint32
	for _, s := range list {
		id, err := parseID(s)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids, nil
}

// Insert adds documents under new ids: each whole or not at all.
func (r *Redis) Insert(docs []bands.Document) error {
	if len(docs) == 0 {
		return nil
	}
	if err := r.number(docs); err != nil {
		return err
	}
	parts := make(chan []bands.Document)
	failed := make(chan error, streams)
	var wg sync.WaitGroup
	for range streams {
		wg.Go(func() {
			for part := range parts {
				if err := r.insert(part); err != nil {
					failed <- err
					for range parts { // are left
					}
				}
			}
		})
	}
	for part := range slices.Chunk(docs, atOnce) {
		if len(failed) > 0 {
			break
		}
		parts <- part
	}
	close(parts)
	wg.Wait()
	close(failed)
	return <-failed
}

// insert adds documents that have their ids.
func (r *Redis) insert(docs []bands.Document) error {
	calls := make([]rueidis.LuaExec, len(docs))
	for i, d := range docs {
		calls[i] = r.call(d, false, nil)
	}
	return r.again(func() error {
		for _, answer := range insert.ExecMulti(r.ctx, r.client, calls...) {
			if _, err := others(answer); err != nil {
				return err
			}
		}
		return nil
	})
}

// InsertUnless adds a document unless its buckets hold ids that are not known.
func (r *Redis) InsertUnless(doc *bands.Document, known []uint32) (there []uint32, err error) {
	one := []bands.Document{*doc}
	if err := r.number(one); err != nil {
		return nil, err
	}
	call := r.call(one[0], true, known)
	err = r.again(func() (err error) {
		there, err = others(insert.Exec(r.ctx, r.client, call.Keys, call.Args))
		return err
	})
	if err == nil && len(there) == 0 {
		doc.ID = one[0].ID
	}
	return there, err
}

// PutIfAbsent adds id to all buckets if all of them are empty. It is not sent
// again when an answer is lost, since it would find itself.
func (r *Redis) PutIfAbsent(keys []lsh.Key, id uint32) ([]uint32, error) {
	if id > maxID {
		return nil, errors.New("id above 2^31-1")
	}
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = r.bucket(k)
	}
	there, err := others(putIfAbsent.Exec(r.ctx, r.client, names, []string{decimal(id)}))
	if err != nil {
		return nil, r.failed(err)
	}
	return there, nil
}
