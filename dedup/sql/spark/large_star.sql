-- large_star: each row's larger neighbours are joined to the smallest of it and all its neighbours.
-- Rows of many neighbours are sent to the edges and not the edges to them.
CREATE TABLE large_star USING parquet LOCATION '{out}' AS
WITH edges AS (SELECT a, b FROM parquet.`{previous}`),
least AS (
  SELECT u, least(u, min(v)) AS m, count(*) AS neighbours
  FROM (SELECT a AS u, b AS v FROM edges UNION ALL SELECT b, a FROM edges)
  GROUP BY u
),
hubs AS (SELECT u, m FROM least WHERE neighbours > {cap})
SELECT /*+ BROADCAST(hubs) */ m AS a, b FROM edges JOIN hubs ON u = a
UNION
SELECT m, b FROM (SELECT /*+ BROADCAST(hubs) */ a, b FROM edges LEFT ANTI JOIN hubs ON u = a) JOIN least ON u = a;
