// SPDX-License-Identifier: Apache-2.0

// Package schema is the code generated from mash.capnp.
package schema

//go:generate sh -c "go build -o capnpc-go.tmp capnproto.org/go/capnp/v3/capnpc-go && capnp compile -I\"$(go list -m -f '{{.Dir}}' capnproto.org/go/capnp/v3)/std\" --src-prefix=../.. -o./capnpc-go.tmp:. ../../mash.capnp; rm -f capnpc-go.tmp"
