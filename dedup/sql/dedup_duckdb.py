#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Deduplicates shards of a corpus with gsketch and DuckDB (pip install duckdb).

    dedup_duckdb.py --work WORK shard-*.jsonl

gsketch sketches, bands and compares; DuckDB does the shuffle, on disk where
memory does not suffice. WORK/manifest has the columns row, id, keep, kept_row
and cluster. Stopped and run again, it does what is missing.
"""

import os

import duckdb

import dedup_steps


class DuckDB:
    name = "duckdb"
    errors = (duckdb.Error,)

    def __init__(self, options):
        self.options = options

    def __enter__(self):
        self.db = duckdb.connect(config={"preserve_insertion_order": "false", "threads": str(self.options.threads)})
        self.db.execute("SET enable_progress_bar = false")
        self.db.execute(f"SET memory_limit = '{self.options.memory}'")
        temporary = os.path.join(os.path.abspath(self.options.work), ".duckdb")
        self.db.execute(f"SET temp_directory = '{temporary}'")
        return self

    def __exit__(self, *_):
        self.db.close()

    def jobs(self, jobs):
        threads = ["-t", str(self.options.threads)]  # each job takes all processors
        return [dedup_steps.produce((program, words, args + threads, output)) for program, words, args, output in jobs]

    def run(self, statement):
        return self.db.execute(statement).fetchall()[0][0]

    def number(self, query):
        return self.db.execute(query).fetchall()[0][0]

    def empty(self, directory):
        os.makedirs(directory, exist_ok=True)
        self.db.execute(f"COPY (SELECT 0::BIGINT AS a, 0::BIGINT AS b WHERE false) TO '{directory}/none.parquet' (FORMAT parquet)")


if __name__ == "__main__":
    parser = dedup_steps.arguments(__doc__.split("\n")[0])
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--memory", default="4GB", help="of DuckDB")
    dedup_steps.main(parser.parse_args(), DuckDB)
