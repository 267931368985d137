// SPDX-License-Identifier: Apache-2.0

package table

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/internal/parquetcheck"
	"github.com/gsketch/gsketch/sketch"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// message is the error of Open.
func message(t *testing.T, b []byte) string {
	t.Helper()
	_, err := decode(b, ReadOptions{})
	var in *sketch.InputError
	if !errors.As(err, &in) {
		t.Fatalf("%T: %v", err, err)
	}
	return err.Error()
}

func TestRefused(t *testing.T) {
	good := small(t)
	type other struct{ A int64 }
	var foreign bytes.Buffer
	if err := parquet.Write(&foreign, []other{{1}}); err != nil {
		t.Fatal(err)
	}
	var empty bytes.Buffer
	if err := parquet.Write(&empty, []other{{1}}, parquet.KeyValueMetadata(keyFormat, "1")); err != nil {
		t.Fatal(err)
	}
	newer := bytes.Replace(good, []byte(keyFormat+"\x18\x011"), []byte(keyFormat+"\x18\x012"), 1)
	zero := bytes.Replace(good, []byte(keyFormat+"\x18\x011"), []byte(keyFormat+"\x18\x010"), 1)
	for _, c := range []struct {
		b    []byte
		want string
	}{
		{nil, "unexpected EOF"},
		{[]byte("PAR1"), "unexpected EOF"},
		{[]byte("PAR1PAR1"), "unexpected EOF"},
		{[]byte(">a\nACGTACGTACGT\n"), "not a Parquet file"},
		{[]byte("PAR1\xff\xff\xff\x7fPAR1"), "a footer of 2147483647 bytes in a file of 12"},
		{foreign.Bytes(), "a Parquet file, but not a sketch table: its metadata has no gsketch.format"},
		{empty.Bytes(), "2 elements in the schema, 20 expected"},
		{newer, "sketch table of format 2; this gsketch reads up to 1: a newer gsketch is needed"},
		{zero, `gsketch.format is "0", not a version`},
	} {
		if got := message(t, c.b); !strings.Contains(got, c.want) || !strings.HasPrefix(got, "x.parquet: ") {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// reseal writes a footer and its digest anew after change: what a hostile
// writer can do, and a damaged disk cannot.
func reseal(t testing.TB, b []byte, change func(m *format.FileMetaData)) []byte {
	t.Helper()
	meta, end, err := readMetadata(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	tail := len(magic)
	for _, g := range meta.RowGroups {
		c := g.Columns[numColumns-1].MetaData
		tail = int(c.DataPageOffset + c.TotalCompressedSize)
	}
	change(meta)
	footer, err := thrift.Marshal(new(thrift.CompactProtocol), meta)
	if err != nil {
		t.Fatal(err)
	}
	b = append(slices.Clone(b[:end]), footer...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(footer)))
	b = append(b, magic...)
	return resum(b, tail)
}

// resum computes the digest of the tail at offset from anew.
func resum(b []byte, from int) []byte {
	if place := tailPlace(b[from:]); place >= 0 {
		copy(b[from+place:], tailDigest(b[from:], place))
	}
	return b
}

// TestHostileFooter: footers whose digest holds and that lie.
func TestHostileFooter(t *testing.T) {
	good := small(t)
	if b := reseal(t, good, func(*format.FileMetaData) {}); !bytes.Equal(b, good) {
		t.Fatal("an unchanged footer is written otherwise")
	}
	set := func(key, value string) func(m *format.FileMetaData) {
		return func(m *format.FileMetaData) {
			for i := range m.KeyValueMetadata {
				if m.KeyValueMetadata[i].Key == key {
					m.KeyValueMetadata[i].Value = value
				}
			}
		}
	}
	chunk := func(col int, change func(c *format.ColumnMetaData)) func(m *format.FileMetaData) {
		return func(m *format.FileMetaData) { change(&m.RowGroups[0].Columns[col].MetaData) }
	}
	for name, change := range map[string]func(m *format.FileMetaData){
		"rows":             func(m *format.FileMetaData) { m.RowGroups[0].NumRows = 1 << 40; m.NumRows = 1 << 40 },
		"no rows":          func(m *format.FileMetaData) { m.RowGroups[0].NumRows = 0 },
		"fewer rows":       func(m *format.FileMetaData) { m.NumRows-- },
		"negative rows":    func(m *format.FileMetaData) { m.RowGroups[0].NumRows = -1 },
		"columns":          func(m *format.FileMetaData) { m.RowGroups[0].Columns = m.RowGroups[0].Columns[:14] },
		"schema":           func(m *format.FileMetaData) { m.Schema = m.Schema[:19] },
		"added column":     func(m *format.FileMetaData) { m.Schema = append(m.Schema, format.SchemaElement{Name: "more"}) },
		"column name":      func(m *format.FileMetaData) { m.Schema[3].Name = "sauce" },
		"column type":      func(m *format.FileMetaData) { m.Schema[1].Type.V = format.Int32 },
		"column optional":  func(m *format.FileMetaData) { m.Schema[1].RepetitionType.V = format.Optional },
		"digest length":    func(m *format.FileMetaData) { m.Schema[19].TypeLength.V = 15 },
		"rows key":         set(keyRows, "3"),
		"rows spelling":    set(keyRows, "04"),
		"row base":         set(keyRowBase, "1"),
		"negative base":    set(keyRowBase, "-1"),
		"overflowing base": set(keyRowBase, "9223372036854775807"),
		"no base":          set(keyRowBase, ""),
		"digest":           set(keyDigest, hex.EncodeToString(make([]byte, 16))),
		"short digest":     set(keyDigest, "00"),
		"key twice": func(m *format.FileMetaData) {
			m.KeyValueMetadata = append(m.KeyValueMetadata, m.KeyValueMetadata[0])
		},
		"values":          chunk(colHashes, func(c *format.ColumnMetaData) { c.NumValues = 1 << 40 }),
		"more values":     chunk(colHashes, func(c *format.ColumnMetaData) { c.NumValues++ }),
		"fewer values":    chunk(colHashes, func(c *format.ColumnMetaData) { c.NumValues-- }),
		"negative values": chunk(colID, func(c *format.ColumnMetaData) { c.NumValues = -1 }),
		"size":            chunk(colID, func(c *format.ColumnMetaData) { c.TotalCompressedSize, c.TotalUncompressedSize = 1<<40, 1<<40 }),
		"negative size":   chunk(colID, func(c *format.ColumnMetaData) { c.TotalCompressedSize, c.TotalUncompressedSize = -1, -1 }),
		"uncompressed":    chunk(colID, func(c *format.ColumnMetaData) { c.TotalUncompressedSize++ }),
		"offset":          chunk(colHashes, func(c *format.ColumnMetaData) { c.DataPageOffset = 4 }),
		"codec":           chunk(colID, func(c *format.ColumnMetaData) { c.Codec = format.Zstd }),
		"dictionary":      chunk(colID, func(c *format.ColumnMetaData) { c.DictionaryPageOffset = 4 }),
		"chunk type":      chunk(colHashes, func(c *format.ColumnMetaData) { c.Type = format.Double }),
		"group twice": func(m *format.FileMetaData) {
			m.RowGroups = append(m.RowGroups, m.RowGroups[0])
			m.NumRows *= 2
		},
		"other file": func(m *format.FileMetaData) { m.RowGroups[0].Columns[0].FilePath = "/etc/passwd" },
	} {
		if !refused(t, reseal(t, good, change), ReadOptions{}) {
			t.Errorf("%s: loads", name)
		}
	}
}

// TestThriftMemory: the most memory that a footer which passes can make the
// decoder take: chunks that take a byte each, paid for by a long string.
func TestThriftMemory(t *testing.T) {
	const chunks = 50_000
	b := []byte{0x49, 0x1C} // field 4: one row group
	b = append(b, 0x19, 0xFC)
	b = binary.AppendUvarint(b, chunks)
	b = append(b, make([]byte, chunks+1)...)
	b = append(b, 0x28) // field 6
	b = binary.AppendUvarint(b, chunks*parquetcheck.StructBytes)
	b = append(b, make([]byte, chunks*parquetcheck.StructBytes+1)...)
	if n, err := parquetcheck.Thrift(b); err != nil || n != len(b) {
		t.Fatal(n, len(b), err)
	}
	var m format.FileMetaData
	used := allocated(func() {
		_ = recovered(func() error { return thrift.Unmarshal(new(thrift.CompactProtocol), b, &m) })
	})
	if used > allocationLimit(len(b)) {
		t.Errorf("%d bytes allocated for %d", used, len(b))
	}
	t.Logf("%.1f bytes allocated for each of the footer", float64(used)/float64(len(b)))
}

func TestLevels(t *testing.T) {
	for _, most := range []uint8{1, 2} {
		for _, n := range []int{1, 2, 7, 8, 9, 64, 1000} {
			want := make([]byte, n)
			for i := range want {
				want[i] = byte(i*i/3) % (most + 1)
				if i > 20 && i < 500 {
					want[i] = most // a run
				}
			}
			enc := rle.Encoding{BitWidth: int(most)} // 1 bit for 0..1, 2 for 0..2
			b, err := enc.EncodeLevels(nil, want)
			if err != nil {
				t.Fatal(err)
			}
			got, err := levels(nil, b, most, n)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d levels up to %d: %v", n, most, err)
			}
			if _, err := levels(nil, b, most, n+8); err == nil {
				t.Errorf("%d levels of %d", n+8, n)
			}
		}
	}
	for name, b := range map[string][]byte{
		"nothing":   {},
		"a bomb":    binary.AppendUvarint(nil, 1<<31),
		"two bombs": append(binary.AppendUvarint(nil, 1<<62|1), 1),
		"cut run":   {200},
		"bad head":  bytes.Repeat([]byte{0xff}, 11),
		"too many":  {200, 1, 1, 2 * 8, 1}, // 100 ones, 8 ones
	} {
		if _, err := levels(nil, b, 1, 100); err == nil {
			t.Errorf("%s: levels", name)
		}
	}
	if _, err := levels(nil, []byte{2, 0}, 0, 1); err == nil {
		t.Error("levels where there can be none")
	}
}

func TestParallel(t *testing.T) {
	for _, threads := range []int{1, 3} {
		err := parallel(threads, 1000, func(_, i int) error {
			switch i {
			case 500:
				panic("at 500")
			case 501, 700:
				return fmt.Errorf("at %d", i)
			}
			return nil
		})
		if err == nil || err.Error() != "malformed: at 500" {
			t.Errorf("%d threads: %v", threads, err)
		}
	}
}

// allocated is the number of bytes that do allocates.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// allocationLimit bounds what reading n hostile bytes may allocate.
func allocationLimit(n int) uint64 { return 1<<20 + 64*uint64(n) }
