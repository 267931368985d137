-- large_star: each row's larger neighbours are joined to the smallest of it and all its neighbours.
COPY (
  WITH edges AS (SELECT a, b FROM read_parquet('{previous}/*.parquet')),
  least AS (
    SELECT u, least(u, min(v)) AS m
    FROM (SELECT a AS u, b AS v FROM edges UNION ALL SELECT b, a FROM edges)
    GROUP BY u
  )
  SELECT DISTINCT m AS a, b FROM edges JOIN least ON u = a
) TO '{out}' (FORMAT parquet, PER_THREAD_OUTPUT);
