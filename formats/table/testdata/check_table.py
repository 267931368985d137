#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks sketch tables without gsketch, from docs/formats.md alone.

    check_table.py example            digest of the worked example of docs/formats.md
    check_table.py TABLE              recompute every digest of TABLE
    check_table.py TABLE EXPECTED     and compare its values, as pyarrow and as DuckDB
                                      read them, with the JSON rows in EXPECTED

Needs xxhash; for tables also pyarrow and duckdb.
"""
import json
import struct
import sys

import xxhash

COLUMNS = ["row", "id", "source", "comment", "per_record", "length_estimated", "params",
           "length", "records", "count", "hashes", "signature", "abundances", "part", "digest"]


def encode(v):
    if v is None:
        return b"\xff"
    if isinstance(v, (bool, int)):
        return struct.pack("<Q", int(v) & 0xFFFFFFFFFFFFFFFF)
    if isinstance(v, str):
        v = v.encode()
    if isinstance(v, bytes):
        return struct.pack("<Q", len(v)) + v
    return struct.pack("<Q", len(v)) + b"".join(map(encode, v))


def digest(row):
    """Of a dict of columns, parts joined, part None."""
    return xxhash.xxh3_128(b"".join(encode(row[c]) for c in COLUMNS[:-1])).digest()


def example():
    row = dict(row=7, id="phi", source="phi.fa", comment="", per_record=False, length_estimated=False,
               params="bottomk;dna/k=21/canonical;murmur3x64/bits=64/seed=42;size=3;weighted",
               length=5386, records=1, count=5366, hashes=[1, 2**63, 2**64 - 1], signature=None,
               abundances=[1, 2, 300], part=None)
    print(digest(row).hex())


def joined(rows):
    """Sketches: rows with the parts of one sketch put together."""
    out = []
    for r in rows:
        r = dict(r)
        if r["part"]:
            for c in ("hashes", "abundances"):
                if r[c] is not None:
                    out[-1][c] = out[-1][c] + r[c]
            continue
        r["part"] = None
        out.append(r)
    return out


def check_digests(path, rows, meta):
    for r in joined(rows):
        assert digest(r) == r["digest"], f"digest of row {r['row']}"
    chain = xxhash.xxh3_128(b"".join(r["digest"] for r in rows)).hexdigest()
    assert chain == meta[b"gsketch.digest"].decode(), "gsketch.digest"
    assert int(meta[b"gsketch.rows"]) == len(rows), "gsketch.rows"


def check_metadata(path, groups):
    with open(path, "rb") as f:
        b = f.read()
    tail = b[tail_start(groups):]
    mark = b"gsketch.metadata_digest\x18\x20"
    place = tail.rindex(mark) + len(mark)
    want = tail[place:place + 32].decode()
    got = xxhash.xxh3_128(tail[:place] + b"0" * 32 + tail[place + 32:]).hexdigest()
    assert got == want, "gsketch.metadata_digest"


def tail_start(meta):
    if meta.num_row_groups == 0:
        return 4
    g = meta.row_group(meta.num_row_groups - 1)
    c = g.column(g.num_columns - 1)
    return c.data_page_offset + c.total_compressed_size


def compare(name, got, want):
    assert len(got) == len(want), f"{name}: {len(got)} rows, {len(want)} expected"
    for i, (g, w) in enumerate(zip(got, want)):
        for c in COLUMNS:
            x = g[c].hex() if isinstance(g[c], bytes) else g[c]
            assert x == w[c], f"{name}: row {i}, {c}: {str(x)[:80]}, expected {str(w[c])[:80]}"


def main():
    if sys.argv[1] == "example":
        return example()
    import pyarrow.parquet as pq
    path = sys.argv[1]
    file = pq.ParquetFile(path, page_checksum_verification=True)
    rows = file.read().to_pylist()
    check_digests(path, rows, file.metadata.metadata)
    check_metadata(path, file.metadata)
    print(f"{len(rows)} rows: all digests hold")
    if len(sys.argv) == 2:
        return
    import duckdb
    with open(sys.argv[2]) as f:
        want = json.load(f)
    compare("pyarrow", rows, want)
    db = duckdb.connect()
    types = dict(r[:2] for r in db.execute("describe select * from read_parquet(?)", [path]).fetchall())
    assert types["hashes"] == types["abundances"] == "BIGINT[]", types
    cur = db.execute("select * from read_parquet(?)", [path])
    names = [d[0] for d in cur.description]
    compare("duckdb", [dict(zip(names, r)) for r in cur.fetchall()], want)
    n = db.execute("select count(*) from read_parquet(?) where row = ?", [path, want[-1]["row"]]).fetchone()[0]
    assert n == sum(r["row"] == want[-1]["row"] for r in want), "duckdb: rows of the last sketch"
    print("pyarrow and duckdb read the values written")


main()
