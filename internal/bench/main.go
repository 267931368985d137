// SPDX-License-Identifier: Apache-2.0

// Command bench times whole processes against each other and prints Markdown.
// It reads lines of task, tool and shell command, separated by tabs, from
// standard input. The tools of a task are run in turn, round by round, so that
// what else the machine does falls on all of them:
//
//	printf 'sketch\tgsketch\tgsketch sketch x.fa\nsketch\tmash\tmash sketch x.fa\n' | go run ./internal/bench
//
// The first tool of a task is what the others are compared with. Wall time and
// processor time are medians, peak memory is the largest; a ratio is the median
// of the ratios within the rounds. Outputs of a command should not exist before
// it: the directory $TMP is new for each run.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	rounds := flag.Int("rounds", 5, "runs of each command, after one to warm up")
	flag.Parse()
	tasks, err := readTasks(os.Stdin)
	if err == nil {
		err = bench(os.Stdout, tasks, *rounds)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// A task is done by several tools.
type task struct {
	name     string
	tools    []string
	commands []string
}

func readTasks(r io.Reader) ([]task, error) {
	var tasks []task
	in := bufio.NewScanner(r)
	for in.Scan() {
		f := strings.Split(in.Text(), "\t")
		if len(f) != 3 {
			return nil, fmt.Errorf("task, tool and command expected: %q", in.Text())
		}
		if len(tasks) == 0 || tasks[len(tasks)-1].name != f[0] {
			tasks = append(tasks, task{name: f[0]})
		}
		t := &tasks[len(tasks)-1]
		t.tools, t.commands = append(t.tools, f[1]), append(t.commands, f[2])
	}
	return tasks, in.Err()
}

// A cost is what one run took.
type cost struct {
	wall, cpu time.Duration
	peak      int64 // bytes
}

func bench(w io.Writer, tasks []task, rounds int) error {
	fmt.Fprintln(w, "| task | tool | wall s | CPU s | peak MB | wall ratio | CPU ratio |")
	fmt.Fprintln(w, "|---|---|---:|---:|---:|---:|---:|")
	for _, t := range tasks {
		costs := make([][]cost, len(t.tools))
		for round := -1; round < rounds; round++ {
			for i, command := range t.commands {
				c, err := run(command)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", t.name, t.tools[i], err)
				}
				if round >= 0 {
					costs[i] = append(costs[i], c)
				}
			}
		}
		for i, tool := range t.tools {
			fmt.Fprintln(w, row(t.name, tool, costs[i], costs[0]))
		}
	}
	return nil
}

// run has the shell run a command in an environment with a new $TMP.
func run(command string) (cost, error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return cost{}, err
	}
	defer os.RemoveAll(dir)
	cmd := exec.Command("sh", "-c", command)
	cmd.Env = append(os.Environ(), "TMP="+dir)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return cost{}, fmt.Errorf("%s: %w\n%s", command, err, stderr.String())
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return cost{time.Since(start), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), usage.Maxrss << 10}, nil
}

// row is a line of the table; base are the costs of the first tool in the same
// rounds.
func row(task, tool string, costs, base []cost) string {
	wall := func(c cost) float64 { return c.wall.Seconds() }
	cpu := func(c cost) float64 { return c.cpu.Seconds() }
	var peak int64
	for _, c := range costs {
		peak = max(peak, c.peak)
	}
	return fmt.Sprintf("| %s | %s | %.3f | %.3f | %d | %.2f | %.2f |", task, tool,
		median(costs, wall), median(costs, cpu), peak/1_000_000, ratio(costs, base, wall), ratio(costs, base, cpu))
}

func median(costs []cost, of func(cost) float64) float64 {
	values := make([]float64, len(costs))
	for i, c := range costs {
		values[i] = of(c)
	}
	return middle(values)
}

func ratio(costs, base []cost, of func(cost) float64) float64 {
	values := make([]float64, len(costs))
	for i, c := range costs {
		values[i] = of(c) / of(base[i])
	}
	return middle(values)
}

// middle is the median; the mean of the two in the middle of an even number.
func middle(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
