-- unfinished: 0 once the edges are stars, each around the smallest row of its cluster; until then another round is due.
WITH edges AS (SELECT a, b FROM parquet.`{dir}/small-{round}`),
leaves AS (SELECT b, count(*) AS hubs FROM edges GROUP BY b)
SELECT (SELECT count(*) FROM leaves WHERE hubs > 1)
  + (SELECT count(*) FROM (SELECT DISTINCT a FROM edges) JOIN leaves ON b = a) AS unfinished;
