-- needed: the signatures that a part compares.
CREATE TABLE needed USING parquet PARTITIONED BY (part) LOCATION '{out}' AS
WITH candidates AS (SELECT part, a, b FROM parquet.`{dir}/candidates`),
needed AS (SELECT part, a AS row FROM candidates UNION SELECT part, b FROM candidates)
SELECT /*+ REPARTITION_BY_RANGE({parts}, part, row) */ row, params, signature, part
FROM (
  SELECT s.row, s.params, s.signature, needed.part
  FROM needed JOIN parquet.`{dir}/sketches` s ON s.row = needed.row
);
