// SPDX-License-Identifier: Apache-2.0

package sig

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"

	"github.com/klauspost/compress/flate"

	"github.com/gsketch/gsketch/sketch"
)

// A ZipWriter writes a collection (.zip): each sketch in a stored member
// signatures/MD5.sig.gz, and at the end the manifest. Sketches with one md5sum
// get members of their own, MD5.sig.gz_0, MD5.sig.gz_1, ..., also where they
// are equal, so that manifest and members always count the same. The same
// items give the same bytes: all times are 1980-01-01. Close completes the
// file; it does not close what lies below.
type ZipWriter struct {
	z      *zip.Writer
	packer packer
	rows   [][]string
	copies map[string]int // members with this md5sum so far
}

// NewZipWriter returns a ZipWriter.
func NewZipWriter(w io.Writer) *ZipWriter {
	return &ZipWriter{z: zip.NewWriter(w), copies: map[string]int{}}
}

// Add writes one sketch. What a signature cannot hold is an error, as for
// Writer.Add.
func (w *ZipWriter) Add(item sketch.Item) error {
	content, md5sum, err := w.packer.file(item)
	if err != nil {
		return fmt.Errorf("sketch %d (%s): %w", len(w.rows)+1, item.Meta.Label(), err)
	}
	name := "signatures/" + md5sum + ".sig.gz"
	if n := w.copies[md5sum]; n > 0 {
		name += "_" + strconv.Itoa(n-1)
	}
	w.copies[md5sum]++
	w.rows = append(w.rows, manifestRow(name, md5sum, item))
	return w.member(name, zip.Store, content, content)
}

// Close writes the manifest and the directory of the file.
func (w *ZipWriter) Close() error {
	var text, deflated bytes.Buffer
	if err := writeManifest(&text, w.rows); err != nil {
		return err
	}
	fw, err := flate.NewWriter(&deflated, flate.DefaultCompression)
	if err != nil {
		return err
	}
	if _, err := fw.Write(text.Bytes()); err != nil {
		return err
	}
	if err := fw.Close(); err != nil {
		return err
	}
	if err := w.member(manifestName, zip.Deflate, text.Bytes(), deflated.Bytes()); err != nil {
		return err
	}
	return w.z.Close()
}

// member writes sizes and checksum before the content, not behind it: readers
// that go by the local header cannot find the end of a stored member
// otherwise.
func (w *ZipWriter) member(name string, method uint16, content, packed []byte) error {
	out, err := w.z.CreateRaw(&zip.FileHeader{
		Name:               name,
		Method:             method,
		ReaderVersion:      20,
		ModifiedDate:       1<<5 | 1, // 1980-01-01, the zero of DOS
		CRC32:              crc32.ChecksumIEEE(content),
		CompressedSize64:   uint64(len(packed)),
		UncompressedSize64: uint64(len(content)),
	})
	if err != nil {
		return err
	}
	_, err = out.Write(packed)
	return err
}
