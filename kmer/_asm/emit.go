// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
)

// A value is a vector that has no register yet; a program is free to use as
// many as it likes.
type value int

// A half stands for the lower 128 bits of a value's register.
type half value

// An instruction in the operand order of Go's assembler: sources, then
// destination. Operands are values, or strings that stand as they are.
type instruction struct {
	name  string
	args  []any
	glued bool // directly behind the instruction before it
}

// A strand of instructions works on one vector of windows. Several of them are
// woven together, so that the waiting time of one is the working time of others.
type strand struct {
	code []instruction
	next *int // numbers values of all strands
}

// do appends an instruction that makes a new value.
func (s *strand) do(name string, sources ...any) value {
	v := value(*s.next)
	*s.next++
	s.code = append(s.code, instruction{name: name, args: append(sources, v)})
	return v
}

// doHalf is do for an instruction that writes 128 bits.
func (s *strand) doHalf(name string, sources ...any) value {
	v := s.do(name, sources...)
	args := s.code[len(s.code)-1].args
	args[len(args)-1] = half(v)
	return v
}

// update appends an instruction that reads its destination as well.
func (s *strand) update(name string, v value, sources ...any) {
	s.code = append(s.code, instruction{name: name, args: append(sources, v)})
}

// raw appends an instruction without a value for its destination.
func (s *strand) raw(name string, args ...any) {
	s.code = append(s.code, instruction{name: name, args: args})
}

// glued is raw for an instruction that nothing comes between and the one before.
func (s *strand) glued(name string, args ...any) {
	s.code = append(s.code, instruction{name: name, args: args, glued: true})
}

// weave takes one instruction of each strand in turn, each strand one behind
// the strand before it: in step, all of them would want the same pipe at once.
func weave(strands []*strand) (code []instruction) {
	next := make([]int, len(strands))
	for turn := 0; ; turn++ {
		more := false
		for behind, s := range strands {
			i := &next[behind]
			if *i < len(s.code) {
				more = true
			}
			for first := true; turn >= behind && *i < len(s.code) && (first || s.code[*i].glued); first = false {
				code = append(code, s.code[*i])
				*i++
			}
		}
		if !more {
			return code
		}
	}
}

// assign gives every value a register of the pool from its first to its last
// mention and returns the lines.
func assign(code []instruction, pool []string) []string {
	last := map[value]int{}
	for i, in := range code {
		for _, a := range in.args {
			if v, _, ok := mentioned(a); ok {
				last[v] = i
			}
		}
	}
	free := append([]string(nil), pool...)
	home := map[value]string{}
	var lines []string
	for i, in := range code {
		operands := make([]string, len(in.args))
		var done []string
		for j, a := range in.args {
			v, isHalf, ok := mentioned(a)
			if !ok {
				operands[j] = fmt.Sprint(a)
				continue
			}
			if _, ok := home[v]; !ok {
				// The destination, written for the first time, may take a
				// register whose value is read here for the last time.
				free = append(free, done...)
				done = nil
				if len(free) == 0 {
					panic(fmt.Sprintf("no register left for %v", in))
				}
				home[v], free = free[0], free[1:]
			}
			operands[j] = home[v]
			if isHalf {
				operands[j] = "X" + home[v][1:]
			}
			if last[v] == i && !contains(done, home[v]) {
				done = append(done, home[v])
			}
		}
		free = append(free, done...)
		lines = append(lines, in.name+" "+strings.Join(operands, ", "))
	}
	return lines
}

// mentioned returns the value that an operand stands for.
func mentioned(operand any) (v value, isHalf, ok bool) {
	switch a := operand.(type) {
	case value:
		return a, false, true
	case half:
		return value(a), true, true
	}
	return 0, false, false
}

func contains(list []string, s string) bool {
	for _, t := range list {
		if t == s {
			return true
		}
	}
	return false
}
