#!/usr/bin/env python3
"""Writes the .parquet files beside it, by pyarrow 26.0.1, polars 2.1.0 and
duckdb 2.0.1. Each holds the same 300 rows: name "d<i>", text, and number i."""
import os, pyarrow as pa, pyarrow.parquet as pq, polars as pl, duckdb

os.chdir(os.path.dirname(os.path.abspath(__file__)))
N = 300
names = [f'd{i}' for i in range(N)]
texts = [None if i % 9 == 4 else f'text {i % 13} é中 ' * (i % 7) for i in range(N)]
plain = ['' if t is None else t for t in texts]
table = pa.table({'id': names, 'text': texts, 'n': pa.array(range(N), pa.int32()), 'm': pa.array([i * 10**10 for i in range(N)], pa.int64())})
required = pa.table({'id': names, 'text': plain}, schema=pa.schema([pa.field('id', pa.string(), False), pa.field('text', pa.string(), False)]))

for codec in ['none', 'snappy', 'gzip', 'zstd', 'lz4', 'brotli']:
    pq.write_table(table, f'arrow_{codec}.parquet', compression=codec, row_group_size=128, store_schema=False)
pq.write_table(table, 'arrow_v2.parquet', data_page_version='2.0', compression='zstd', row_group_size=200, store_schema=False, write_page_checksum=True)
pq.write_table(table, 'arrow_plain.parquet', use_dictionary=False, data_page_size=2000, compression='snappy', store_schema=False)
pq.write_table(table, 'arrow_delta.parquet', use_dictionary=False, column_encoding={'id': 'DELTA_LENGTH_BYTE_ARRAY', 'text': 'DELTA_LENGTH_BYTE_ARRAY'}, compression='zstd', store_schema=False)
pq.write_table(required, 'arrow_required.parquet', compression='snappy', store_schema=False)
pq.write_table(pa.table({'doc': pa.StructArray.from_arrays([pa.array(names), pa.array(texts)], ['id', 'text'])}), 'arrow_nested.parquet', compression='zstd', store_schema=False)
# Refused: an encoding that is not read, and lists.
pq.write_table(table, 'refused_prefix.parquet', use_dictionary=False, column_encoding={'id': 'PLAIN', 'text': 'DELTA_BYTE_ARRAY'}, compression='zstd', store_schema=False)
pq.write_table(pa.table({'id': names[:3], 'text': [['a'], ['b', 'c'], []]}), 'refused_list.parquet', store_schema=False)

pl.DataFrame({'id': names, 'text': texts, 'n': list(range(N))}).write_parquet('polars.parquet', row_group_size=100)
pl.DataFrame({'id': names[:20], 'text': ['the same'] * 20}).write_parquet('polars_same.parquet')
duckdb.sql(f"copy (select 'd' || i as id, case when i % 9 = 4 then null else repeat('text ' || (i % 13) || ' é中 ', (i % 7)::int) end as text, i::int as n from range({N}) t(i)) to 'duckdb.parquet' (format parquet)")
