// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"strings"

	"github.com/gsketch/gsketch/index/bands"
)

func isRedis(ref string) bool {
	return strings.HasPrefix(ref, "redis://") || strings.HasPrefix(ref, "rediss://")
}

func openRedis(context.Context, string) (bands.Backend, error) {
	return nil, usagef("an index in Redis cannot be used yet")
}
func createRedis(context.Context, string, bands.Config) (bands.Backend, error) {
	return nil, usagef("an index in Redis cannot be used yet")
}
