// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/spf13/cobra"
)

// version is set by the build.
var version = "0.1.0-dev"

// common are the flags that every command has.
type common struct {
	threads int
	quiet   bool
	force   bool
}

// Main runs the command line and returns its exit code.
func Main(args []string) int {
	ignoreFileLimit()
	ctx, caught, stop := interruptible()
	defer stop()
	root := newRoot()
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	err = advice(cmd, plainUsage(cmd, err))
	if sig := caught(); sig != 0 && err != nil {
		fmt.Fprintln(os.Stderr, "gsketch: interrupted")
		return 128 + int(sig)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gsketch: "+err.Error())
	}
	return exitCode(err)
}

// interruptible returns a context that ends at the first interrupt or
// termination signal, and a function that tells which one came. A second
// signal ends the process at once, and so does the first after a while.
func interruptible() (context.Context, func() syscall.Signal, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	ch := make(chan os.Signal, 1)
	got := make(chan syscall.Signal, 1)
	signal.Notify(ch, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case s := <-ch:
			got <- s.(syscall.Signal)
			signal.Stop(ch)
			cancel()
			time.Sleep(grace)
			removeUnfinished()
			fmt.Fprintln(os.Stderr, "gsketch: interrupted")
			os.Exit(128 + int(s.(syscall.Signal)))
		case <-ctx.Done():
		}
	}()
	return ctx, func() syscall.Signal {
		select {
		case s := <-got:
			return s
		default:
			return 0
		}
	}, cancel
}

func newRoot() *cobra.Command {
	var c common
	root := &cobra.Command{
		Use:           "gsketch",
		Short:         "Small sketches of large sets: genomes compared without reading them again",
		Version:       version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noSuchCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return showFirstUse(cmd.OutOrStdout()) },
		PersistentPreRunE: func(*cobra.Command, []string) error {
			if c.threads < 0 {
				return usagef("--threads %d: at least 1", c.threads)
			}
			if c.threads == 0 {
				c.threads = runtime.GOMAXPROCS(0)
			}
			// One process-wide limit keeps every goroutine, those of libraries
			// included, to the number of threads asked for.
			runtime.GOMAXPROCS(c.threads)
			return nil
		},
	}
	root.SetVersionTemplate("gsketch {{.Version}}\n")
	root.SetFlagErrorFunc(noSuchFlag)
	root.SuggestionsMinimumDistance = 2
	f := root.PersistentFlags()
	f.IntVarP(&c.threads, "threads", "t", 0, "threads; 0 is all cores the process may use")
	f.BoolVarP(&c.quiet, "quiet", "q", false, "no progress and no summary on standard error; warnings and errors stay")
	f.BoolVar(&c.force, "force", false, "overwrite an existing output")
	root.AddCommand(
		newSketch(&c),
		newDist(&c),
		newContain(&c),
		newGather(&c),
		newSearch(&c),
		newCluster(&c),
		newDedup(&c),
		newIndex(&c),
		newServe(&c),
		newSet(&c),
		newInfo(&c),
		newConvert(&c),
		newPlot(&c),
		newTax(&c),
		newCalibrate(&c),
		newMan(),
	)
	arrange(root)
	return root
}

// warner prints one line per warning.
func warner(w io.Writer) func(string) {
	return func(text string) { fmt.Fprintln(w, "gsketch: warning: "+text) }
}

// note prints a line of summary unless the user wants quiet.
func (c *common) note(w io.Writer, format string, args ...any) {
	if !c.quiet {
		fmt.Fprintf(w, "gsketch: "+format+"\n", args...)
	}
}
