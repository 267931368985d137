-- clusters: each row of a cluster of two or more, and the smallest row of its cluster. Other rows are alone.
CREATE TABLE clusters USING parquet LOCATION '{out}' AS
WITH edges AS (SELECT a, b FROM parquet.`{dir}/small-{round}`)
SELECT b AS row, a AS cluster FROM edges
UNION ALL
SELECT DISTINCT a, a FROM edges;
