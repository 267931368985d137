// SPDX-License-Identifier: Apache-2.0

package lsh_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/lsh/storetest"
)

func TestMemStore(t *testing.T) {
	storetest.Run(t, func(*rapid.T) (lsh.Store, func() (lsh.Store, error)) { return lsh.NewMemStore(), nil })
}
