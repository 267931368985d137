// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gsketch/gsketch/sketch"
)

// seeded says whether a seed was given.
func (o *paramOptions) seeded(f *pflag.FlagSet) bool { return f.Changed("seed") || o.seedFile != "" }

// readSeed takes the seed from --seed-file, if that is given. The seed is in no
// message.
func (o *paramOptions) readSeed(f *pflag.FlagSet) error {
	if o.seedFile == "" {
		return nil
	}
	if f.Changed("seed") {
		return usagef("--seed and --seed-file exclude each other")
	}
	file, err := os.Open(o.seedFile)
	if err != nil {
		return sketch.BadInput(o.seedFile, reason(err))
	}
	defer file.Close()
	first, err := bufio.NewReader(io.LimitReader(file, 64)).ReadString('\n')
	if err != nil && err != io.EOF {
		return sketch.BadInput(o.seedFile, reason(err))
	}
	if o.seed, err = strconv.ParseUint(strings.TrimSpace(first), 10, 64); err != nil {
		return sketch.BadInput(o.seedFile, errors.New("its first line is no seed: a number from 0 to 18446744073709551615"))
	}
	return nil
}
