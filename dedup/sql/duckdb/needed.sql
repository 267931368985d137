-- needed: the signatures that a part compares.
COPY (
  WITH candidates AS (SELECT part, a, b FROM read_parquet('{dir}/candidates/*/*.parquet', hive_partitioning = true)),
  needed AS (SELECT part, a AS row FROM candidates UNION SELECT part, b FROM candidates)
  SELECT needed.part, s.row, s.params, s.signature
  FROM needed JOIN read_parquet('{dir}/sketches/*.parquet') s ON s.row = needed.row
) TO '{out}' (FORMAT parquet, PARTITION_BY (part));
