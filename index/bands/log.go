// SPDX-License-Identifier: Apache-2.0

package bands

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/zeebo/xxh3"

	"github.com/gsketch/gsketch/sketch"
)

// A log is "GSKBLOG1" and entries, each the changes of one call or of several
// that came at once, written and synced as one: length (4), xxh3-64 of the length
// and of the place of the entry in the file (4, the low half), xxh3-64 of the
// changes (8), and the changes. Of an entry that was being written when the power
// or the process failed, any part may be there; it was not acknowledged and is
// dropped. It is always the last.
const (
	logMagic = "GSKBLOG1"
	logHead  = 16
)

var errLog = errors.New("damaged log")

// entryHead is what stands before the changes of an entry at a place of the file.
func entryHead(at int64, changes []byte) []byte {
	head := binary.LittleEndian.AppendUint32(nil, uint32(len(changes)))
	head = binary.LittleEndian.AppendUint32(head, lengthSum(at, head))
	return binary.LittleEndian.AppendUint64(head, xxh3.Hash(changes))
}

func lengthSum(at int64, length []byte) uint32 { return uint32(xxh3.HashSeed(length, uint64(at))) }

// replay calls yield for each change of a log in the order of writing and
// returns where the next entry goes. An entry that is not whole ends the log.
func replay(r io.Reader, size int64, yield func(change)) (end int64, err error) {
	in := bufio.NewReaderSize(r, 1<<20)
	var head [logHead]byte
	if _, err := io.ReadFull(in, head[:8]); err != nil || string(head[:8]) != logMagic {
		return 0, errLog
	}
	end = 8
	for {
		if _, err := io.ReadFull(in, head[:]); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return end, nil
		} else if err != nil {
			return end, err
		}
		n := int64(binary.LittleEndian.Uint32(head[:]))
		if lengthSum(end, head[:4]) != binary.LittleEndian.Uint32(head[4:]) {
			return end, torn(in, head[:])
		}
		if n > size-end-logHead {
			return end, nil
		}
		changes := make([]byte, n)
		if _, err := io.ReadFull(in, changes); err != nil {
			return end, err
		}
		if xxh3.Hash(changes) != binary.LittleEndian.Uint64(head[8:]) {
			if end+logHead+n == size {
				return end, nil
			}
			return end, fmt.Errorf("%w: entry at byte %d", errLog, end)
		}
		for len(changes) > 0 {
			var c change
			if c, changes, err = parseChange(changes); err != nil {
				return end, fmt.Errorf("%w: entry at byte %d: %w", errLog, end, err)
			}
			yield(c)
		}
		end += logHead + n
	}
}

// torn says whether what is left is that of an entry whose bytes had not
// reached the disk, which are zero; anything else is damage.
func torn(in io.Reader, head []byte) error {
	rest, err := io.ReadAll(io.LimitReader(in, 1<<30))
	if err != nil {
		return err
	}
	for _, b := range append(head, rest...) {
		if b != 0 {
			return errLog
		}
	}
	return nil
}

// A logFile is a log that is written.
type logFile struct {
	f  *os.File
	at int64
}

// createLog makes a log. It counts once a manifest names it.
func createLog(path string) (*logFile, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	if _, err = f.WriteString(logMagic); err == nil {
		err = f.Sync()
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &logFile{f, int64(len(logMagic))}, nil
}

// append writes an entry; it is durable when append returns. After an error
// the log must not be used again: what is on the disk is not known.
func (l *logFile) append(changes []byte) error {
	if int64(len(changes)) > 1<<32-1 {
		return errors.New("a change of 4 GiB and more")
	}
	entry := append(entryHead(l.at, changes), changes...)
	if _, err := l.f.Write(entry); err != nil {
		return err
	}
	if err := l.f.Sync(); err != nil {
		return err
	}
	l.at += int64(len(entry))
	return nil
}

// replayFile replays the log at a path.
func replayFile(path string, yield func(change)) error {
	f, err := os.Open(path)
	if err != nil {
		return sketch.BadInput(path, err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return sketch.BadInput(path, err)
	}
	if _, err := replay(io.LimitReader(f, st.Size()), st.Size(), yield); err != nil {
		return sketch.BadInput(path, err)
	}
	return nil
}
