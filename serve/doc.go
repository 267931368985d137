// SPDX-License-Identifier: Apache-2.0

// Package serve answers searches in an index over HTTP, and adds to an index of
// bands what nothing in it is like. Requests and answers are described in
// docs/serve.md.
//
// A request passes, in this order: the check of where it comes from (a page of
// a browser is refused), the token, the limit of requests at once, the limits
// of its body in bytes and time, and then waits for one of the threads that
// work. Whatever a client does, it holds one goroutine and its body, for a time
// that is bounded.
package serve
