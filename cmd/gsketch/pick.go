// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gsketch/gsketch/sketch"
)

// pickOptions choose sketches by what they are called.
type pickOptions struct {
	lists      []string
	requireAll bool
	include    string
	exclude    string
	name       string // part of the name, else of the source
	md5        string // part of the md5
}

func (o *pickOptions) addFlags(f *pflag.FlagSet, of string) {
	f.StringArrayVar(&o.lists, "picklist", nil, "of the "+of+", take sketches that a CSV names: FILE:COLUMN:TYPE[:include|:exclude], TYPE being name, ident, identprefix, md5, md5short; or FILE::manifest, gather, prefetch, search (repeatable: all must agree)")
	f.BoolVar(&o.requireAll, "picklist-require-all", false, "fail if a value of a picklist is that of no sketch")
	f.StringVar(&o.include, "include", "", "of the "+of+", take sketches whose name, source or md5 matches this regular expression, whatever the case")
	f.StringVar(&o.exclude, "exclude", "", "of the "+of+", leave out sketches whose name, source or md5 matches this regular expression")
}

// A picker is pickOptions with the files read.
type picker struct {
	o                *pickOptions
	lists            []*picklist
	include, exclude *regexp.Regexp
}

// given says whether anything is chosen at all.
func (o *pickOptions) given() bool {
	return len(o.lists) > 0 || o.include != "" || o.exclude != "" || o.name != "" || o.md5 != ""
}

// picker reads the picklists; nil if everything is taken.
func (o *pickOptions) picker() (*picker, error) {
	if !o.given() {
		if o.requireAll {
			return nil, usagef("--picklist-require-all has no effect without --picklist")
		}
		return nil, nil
	}
	p := &picker{o: o}
	for _, arg := range o.lists {
		list, err := readPicklist(arg)
		if err != nil {
			return nil, err
		}
		p.lists = append(p.lists, list)
	}
	var err error
	if p.include, err = pattern("include", o.include); err != nil {
		return nil, err
	}
	p.exclude, err = pattern("exclude", o.exclude)
	return p, err
}

// pattern compiles a regular expression of a flag; nil if it is not given.
func pattern(flag, expression string) (*regexp.Regexp, error) {
	if expression == "" {
		return nil, nil
	}
	re, err := regexp.Compile("(?i:" + expression + ")")
	if err != nil {
		return nil, usagef("--%s %q: %v", flag, expression, err)
	}
	return re, nil
}

// takes says whether a sketch is wanted.
func (p *picker) takes(it sketch.Item) (bool, error) {
	md5, err := digestOf(it.Sketch)
	for _, l := range p.lists {
		if err != nil && pickKinds[l.kind].digest {
			return false, usagef("--picklist %s: %s: %v; choose by name", l.path, it.Meta.Label(), err)
		}
		if !l.takes(it.Meta.ID, md5) {
			return false, nil
		}
	}
	matches := func(re *regexp.Regexp) bool {
		return re.MatchString(it.Meta.ID) || re.MatchString(it.Meta.Source) || re.MatchString(md5)
	}
	if p.o.name+p.o.md5 != "" && !(p.o.name != "" && strings.Contains(it.Meta.Label(), p.o.name)) && !(p.o.md5 != "" && strings.Contains(md5, p.o.md5)) {
		return false, nil
	}
	return (p.include == nil || matches(p.include)) && (p.exclude == nil || !matches(p.exclude)), nil
}

// choose leaves in collections of one file what is wanted.
func (p *picker) choose(collections []sketch.Collection) ([]sketch.Collection, error) {
	if p == nil {
		return collections, nil
	}
	var chosen []sketch.Collection
	for _, c := range collections {
		var items []sketch.Item
		for i := range c.Len() {
			it := sketch.Item{Meta: c.Meta(i), Sketch: c.At(i)}
			ok, err := p.takes(it)
			if err != nil {
				return nil, err
			}
			if ok {
				items = append(items, it)
			}
		}
		if len(items) == 0 {
			continue
		}
		list, err := sketch.NewList(c.Params(), items)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, list)
	}
	return chosen, nil
}

// finish tells what the picklists name that was not there.
func (p *picker) finish(warn func(string)) error {
	if p == nil {
		return nil
	}
	for _, l := range p.lists {
		left := l.missing()
		if len(left) == 0 || l.exclude {
			continue
		}
		text := fmt.Sprintf("%d of %d values are those of no sketch, as %s", len(left), len(l.values), left[0])
		if p.o.requireAll {
			return sketch.BadInput(l.path, fmt.Errorf("%s", text))
		}
		warn(l.path + ": " + text)
	}
	return nil
}

// from leaves in sources what is wanted. Sources of which nothing is wanted go.
func (p *picker) from(sources []source, warn func(string)) ([]source, error) {
	if p == nil {
		return sources, nil
	}
	var left []source
	for _, s := range sources {
		if s.raw() {
			return nil, usagef("%s is no sketch file: %s chooses among sketches", s.path, p)
		}
		var err error
		if s.collections, err = p.choose(s.collections); err != nil {
			return nil, s.wrap(err)
		}
		if len(s.collections) > 0 {
			left = append(left, s)
		}
	}
	if err := p.finish(warn); err != nil {
		return nil, err
	}
	if len(left) == 0 {
		return nil, usagef("%s: none of the sketches is chosen", p)
	}
	return left, nil
}

// String tells the flags that choose.
func (p *picker) String() string {
	var flags []string
	for _, l := range p.o.lists {
		flags = append(flags, "--picklist "+l)
	}
	if p.o.include != "" {
		flags = append(flags, "--include "+p.o.include)
	}
	if p.o.exclude != "" {
		flags = append(flags, "--exclude "+p.o.exclude)
	}
	if p.o.name != "" {
		flags = append(flags, "--name "+p.o.name)
	}
	if p.o.md5 != "" {
		flags = append(flags, "--md5 "+p.o.md5)
	}
	return strings.Join(flags, " ")
}
