// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"fmt"
	"strings"
)

// A Verdict is what a person says of a pair.
type Verdict int

const (
	Unsure Verdict = iota // not labelled, or not decided
	Same
	Different
)

// ParseVerdict reads a label. Empty is Unsure.
func ParseVerdict(s string) (Verdict, error) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "same", "duplicate", "yes", "1", "true":
		return Same, nil
	case "different", "no", "0", "false":
		return Different, nil
	case "", "unsure", "?", "na":
		return Unsure, nil
	}
	return Unsure, fmt.Errorf("label %q: same, different or unsure", s)
}

// A Label is a verdict on a pair of documents, by their names.
type Label struct {
	A, B    string
	Kind    string // of pair, as the strata of Draw
	Verdict Verdict
}

// asked are the documents of labels.
func asked(labels []Label) map[string]bool {
	m := map[string]bool{}
	for _, l := range labels {
		if l.Verdict != Unsure {
			m[l.A], m[l.B] = true, true
		}
	}
	return m
}

// count says how many pairs have which label.
func count(labels []Label) Labelled {
	var n Labelled
	for _, l := range labels {
		switch l.Verdict {
		case Same:
			n.Same++
		case Different:
			n.Different++
		default:
			n.Left++
		}
	}
	return n
}
