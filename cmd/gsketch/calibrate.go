// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/spf13/cobra"

func newCalibrate(c *common) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "calibrate",
		Short: "Choose sketch sizes, widths and bands, by what they find",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newLab(c), newBounds(c))
	return cmd
}
