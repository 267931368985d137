-- manifest: of each cluster its first row is kept.
COPY (
  SELECT s.row, s.id, coalesce(c.cluster, s.row) = s.row AS keep, coalesce(c.cluster, s.row) AS kept_row, coalesce(c.cluster, s.row) AS cluster
  FROM read_parquet('{dir}/sketches/*.parquet') s LEFT JOIN read_parquet('{dir}/clusters/*.parquet') c ON c.row = s.row
) TO '{out}' (FORMAT parquet, PER_THREAD_OUTPUT);
