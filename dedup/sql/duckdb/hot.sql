-- hot: buckets of more rows than the cap. Each becomes a star around its smallest row.
COPY (
  SELECT band, key, count(*) AS members, min(row) AS hub
  FROM read_parquet('{dir}/bands/*.parquet')
  GROUP BY band, key
  HAVING count(*) > {cap}
) TO '{out}' (FORMAT parquet, PER_THREAD_OUTPUT);
