// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 || noasm || purego

package kmer

var vectorPaths []path
