// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 || noasm || purego

package minhash

var vectorPaths []path

func differing(a, b []uint64, width int) int { return differingGeneric(a, b, width) }
