# SPDX-License-Identifier: Apache-2.0
"""Reads sketches of gsketch without gsketch: the table with DuckDB, LeanMinHash
bytes with datasketch, and compares all pairs. Made by
    gsketch sketch --hash sha1 -o docs.parquet docs.jsonl
    gsketch convert docs.parquet -o docs.lean
and run as: read_sketches.py docs.parquet docs.lean"""
import sys

import duckdb
import numpy
from datasketch import LeanMinHash

table, lean = sys.argv[1:]
rows = duckdb.execute("SELECT id, signature FROM read_parquet(?) ORDER BY row", [table]).fetchall()
slots = [numpy.frombuffer(signature, "<u4") for _, signature in rows]

data = memoryview(open(lean, "rb").read())
sketches = []
while data:  # one behind the other, in the order of the table
    sketch = LeanMinHash.deserialize(data)
    sketches.append(sketch)
    data = data[sketch.bytesize():]

assert len(sketches) == len(rows)
for i, (name, _) in enumerate(rows):
    assert (sketches[i].hashvalues == slots[i]).all()
    for j in range(i):
        print(name, rows[j][0], sketches[i].jaccard(sketches[j]), sep="\t")
