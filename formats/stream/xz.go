// SPDX-License-Identifier: Apache-2.0

package stream

import (
	"io"

	"github.com/ulikunitz/xz"
)

func newXZ(in io.Reader) (io.Reader, error) {
	return xz.NewReader(in)
}
