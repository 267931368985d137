// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/gsketch/gsketch/internal/generate"
)

// A sparkTask is what the event log of Spark says of a task that ended.
type sparkTask struct {
	Event   string
	Stage   int `json:"Stage ID"`
	Metrics struct {
		PeakMemory int64 `json:"Peak Execution Memory"`
		Spilled    int64 `json:"Disk Bytes Spilled"`
		Shuffle    struct {
			Records int64 `json:"Total Records Read"`
		} `json:"Shuffle Read Metrics"`
		Written struct {
			Records int64 `json:"Shuffle Records Written"`
		} `json:"Shuffle Write Metrics"`
	} `json:"Task Metrics"`
}

// sparkStages are the tasks of each stage in an event log.
func sparkStages(t *testing.T, path string) map[int][]sparkTask {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	stages := map[int][]sparkTask{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e sparkTask
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		if e.Event == "SparkListenerTaskEnd" {
			stages[e.Stage] = append(stages[e.Stage], e)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return stages
}

// TestPeerSparkSkew: where one page is a tenth of the documents no task reads
// more than its share, half of it more for chance and what one bucket below the
// cap may add, and none writes more records than a file has band rows, as
// Spark's own metrics say; and the clusters are those of one process. Without stars each
// of the 13 hot buckets would be 2 million pairs.
func TestPeerSparkSkew(t *testing.T) {
	const documents, parts, bucketCap, bandRows = 20_000, 4, 200, 13 * 20_000
	e := newSpark(t)
	var text bytes.Buffer
	if err := (generate.Documents{Number: documents, Words: 60, Page: 0.1, Seed: 5}).Write(&text); err != nil {
		t.Fatal(err)
	}
	events := filepath.Join(e.dir, "events")
	if err := os.Mkdir(events, 0o777); err != nil {
		t.Fatal(err)
	}
	args := e.shards(text.Bytes(), 2)
	for _, c := range []string{"spark.eventLog.enabled=true", "spark.eventLog.dir=file://" + filepath.ToSlash(events), "spark.eventLog.compress=false",
		"spark.eventLog.rolling.enabled=false", "spark.sql.adaptive.coalescePartitions.enabled=false"} {
		args = append(args, "--conf", c)
	}
	e.deduplicate(0, append(args, "--partitions", "8")...)
	e.checkEqual()
	checked, worst, peak, written := 0, 0.0, int64(0), int64(0)
	for stage, tasks := range sparkStages(t, e.glob("events/*")[0]) {
		sum, most, reading := int64(0), int64(0), 0
		for _, task := range tasks {
			if task.Metrics.Shuffle.Records > 0 { // others read files
				reading++
			}
			sum += task.Metrics.Shuffle.Records
			most = max(most, task.Metrics.Shuffle.Records)
			peak = max(peak, task.Metrics.PeakMemory)
			written = max(written, task.Metrics.Written.Records)
		}
		if len(tasks) < parts || sum < documents/10 {
			continue // of files, of a broadcast, or of sums
		}
		checked++
		share := float64(sum) / float64(reading)
		worst = max(worst, float64(most)/share)
		if float64(most) > 1.5*share+bucketCap {
			t.Errorf("stage %d: a task reads %d of %d records, %d tasks", stage, most, sum, len(tasks))
		}
	}
	t.Logf("%d stages; the largest task reads %.2f times its share and writes %d records; peak memory of a task %d bytes", checked, worst, written, peak)
	if written > bandRows/2 { // there are two files of band rows
		t.Errorf("a task writes %d records for a shuffle", written)
	}
	if checked < 5 {
		t.Errorf("only %d stages have shuffled", checked)
	}
}
