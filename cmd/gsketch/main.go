// SPDX-License-Identifier: Apache-2.0

// Command gsketch sketches genomes and compares the sketches.
package main

import "os"

func main() { os.Exit(Main(os.Args[1:])) }
