// SPDX-License-Identifier: Apache-2.0

//go:build js

// Command wasm is the laboratory for a page: the numbers of package lab, as
// JSON, for JavaScript to show.
package main

import (
	"encoding/json"
	"syscall/js"

	"github.com/gsketch/gsketch/lab"
	"github.com/gsketch/gsketch/lsh"
)

func main() {
	js.Global().Set("gsketchLab", js.FuncOf(func(_ js.Value, args []js.Value) any { return answer(experiment(args)) }))
	js.Global().Set("gsketchClassroom", js.FuncOf(func(js.Value, []js.Value) any { return answer(lab.NewClassroom()) }))
	select {} // the functions stay
}

// answer is a value or an error as JSON.
func answer(v any, err error) string {
	if err != nil {
		v = map[string]string{"error": err.Error()}
	}
	b, err := json.Marshal(v)
	if err != nil {
		return `{"error":"no answer"}`
	}
	return string(b)
}

// experiment runs the laboratory with the settings that come as JSON, none for
// the defaults.
func experiment(args []js.Value) (any, error) {
	s := lab.Defaults()
	if len(args) > 0 {
		if err := json.Unmarshal([]byte(args[0].String()), &s); err != nil {
			return nil, err
		}
	}
	x, err := lab.Run(s)
	if err != nil {
		return nil, err
	}
	curve := make([][2]float64, 101)
	for i := range curve {
		j := float64(i) / 100
		curve[i] = [2]float64{j, lsh.Probability(j, s.Bands, s.Rows)}
	}
	near, background := x.Rows()
	return struct {
		lab.Result
		Curve          [][2]float64  `json:"curve"`
		NearRows       []bool        `json:"near_rows"`
		BackgroundRows []bool        `json:"background_rows"`
		Audit          []lab.Verdict `json:"audit"`
	}{x.Result, curve, near, background, lab.Audit(x)}, nil
}
