-- clusters: each row of a cluster of two or more, and the smallest row of its cluster. Other rows are alone.
COPY (
  WITH edges AS (SELECT a, b FROM read_parquet('{dir}/small-{round}/*.parquet'))
  SELECT b AS row, a AS cluster FROM edges
  UNION ALL
  SELECT DISTINCT a, a FROM edges
) TO '{out}' (FORMAT parquet, PER_THREAD_OUTPUT);
