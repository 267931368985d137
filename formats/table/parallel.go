// SPDX-License-Identifier: Apache-2.0

package table

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// parallel calls do(worker, i) for i from 0 to n-1, in that order, on threads
// goroutines; workers are numbered from 0. No call begins after one failed. The
// error is that of the smallest i that failed, a panic counting as one: what
// parquet-go decodes is hostile.
func parallel(threads, n int, do func(worker, i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var failed atomic.Bool
	var wg sync.WaitGroup
	for worker := range min(threads, n) {
		wg.Go(func() {
			for !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if errs[i] = recovered(func() error { return do(worker, i) }); errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// recovered returns the error of do, or its panic as one.
func recovered(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("malformed: %v", p)
		}
	}()
	return do()
}
