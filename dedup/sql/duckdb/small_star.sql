-- small_star: each row and its smaller neighbours are joined to the smallest of them.
COPY (
  WITH edges AS (SELECT a, b FROM read_parquet('{dir}/large-{round}/*.parquet')),
  least AS (SELECT b AS u, min(a) AS m FROM edges GROUP BY b)
  SELECT m AS a, u AS b FROM least
  UNION
  SELECT m, a FROM edges JOIN least ON u = b WHERE a > m
) TO '{out}' (FORMAT parquet, PER_THREAD_OUTPUT);
