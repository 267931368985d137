// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/formats/sig"
)

// advice adds to an error of a library the flag of the command that helps,
// which the library does not know.
func advice(cmd *cobra.Command, err error) error {
	var field *corpus.MissingFieldError
	has := func(flag string) bool { return cmd.Flags().Lookup(flag) != nil }
	switch {
	case errors.As(err, &field) && field.Of == "text" && has("text-field"):
		return fmt.Errorf("%w; --text-field names another", err)
	case errors.As(err, &field) && field.Of == "name" && has("id-field"):
		return fmt.Errorf(`%w; --id-field names another, --id-field "" takes file and line`, err)
	case errors.Is(err, sig.ErrNoSignatures) && has("recursive"):
		return fmt.Errorf("%w; --recursive takes the FASTA and FASTQ files in it", err)
	}
	return err
}
