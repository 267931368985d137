-- small_star: each row and its smaller neighbours are joined to the smallest of them.
-- Rows of many neighbours are sent to the edges and not the edges to them.
CREATE TABLE small_star USING parquet LOCATION '{out}' AS
WITH edges AS (SELECT a, b FROM parquet.`{dir}/large-{round}`),
least AS (SELECT b AS u, min(a) AS m, count(*) AS neighbours FROM edges GROUP BY b),
hubs AS (SELECT u, m FROM least WHERE neighbours > {cap})
SELECT m AS a, u AS b FROM least
UNION
SELECT /*+ BROADCAST(hubs) */ m, a FROM edges JOIN hubs ON u = b WHERE a > m
UNION
SELECT m, a FROM (SELECT /*+ BROADCAST(hubs) */ a, b FROM edges LEFT ANTI JOIN hubs ON u = b) JOIN least ON u = b WHERE a > m;
