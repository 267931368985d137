// SPDX-License-Identifier: Apache-2.0

//go:build !race

package main

// underRace says that the race detector is on, which takes memory and time of its own.
const underRace = false
