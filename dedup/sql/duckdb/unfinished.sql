-- unfinished: 0 once the edges are stars, each around the smallest row of its cluster; until then another round is due.
WITH edges AS (SELECT a, b FROM read_parquet('{dir}/small-{round}/*.parquet')),
leaves AS (SELECT b, count(*) AS hubs FROM edges GROUP BY b)
SELECT (SELECT count(*) FROM leaves WHERE hubs > 1)
  + (SELECT count(*) FROM (SELECT DISTINCT a FROM edges) hubs JOIN leaves ON leaves.b = hubs.a) AS unfinished;
