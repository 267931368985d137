// SPDX-License-Identifier: Apache-2.0

package main

import (
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// newMan returns the hidden command that `make man` calls.
func newMan() *cobra.Command {
	return &cobra.Command{
		Use:    "man DIRECTORY",
		Short:  "Write man pages into a directory",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			// A fixed date: the same source gives the same pages.
			date := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
			head := &doc.GenManHeader{Section: "1", Source: "gsketch " + version, Date: &date}
			if err := doc.GenManTree(cmd.Root(), head, args[0]); err != nil {
				return &outputError{args[0], err}
			}
			return nil
		},
	}
}
