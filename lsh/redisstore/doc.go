// SPDX-License-Identifier: Apache-2.0

// Package redisstore keeps an index of bands in Redis, so that many machines
// share it. Redis is a bands.Backend; Datasketch reads and writes the layout of
// the library datasketch.
//
// With a prefix P the keys are
//
//	{P}:m            hash: format, params, bands, rows; what the index was made with
//	{P}:n            number: above all ids
//	{P}:d            hash: id (decimal) to the record of the document
//	{P}:b BAND HASH  set of ids (decimal): a bucket; BAND is 4 bytes, HASH 8, little endian
//
// The braces let a Redis cluster keep all of an index in one place, without
// which looking and adding could not be one step.
//
// Every write is a Lua script or a command that may be repeated without changing
// the result, so what was sent when a connection broke is sent again, for up to
// Options.Patience. A server that came back without what it had acknowledged is
// noticed by its number of ids, and is an error. How durable an acknowledged
// write is the server's configuration says: appendonly yes and appendfsync
// always for all.
package redisstore
