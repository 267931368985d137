-- hot: buckets of more rows than the cap. Each becomes a star around its smallest row.
-- Rows are counted before they are shuffled, so that a hot bucket is no larger than others.
CREATE TABLE hot USING parquet LOCATION '{out}' AS
SELECT band, key, count(*) AS members, min(row) AS hub
FROM parquet.`{dir}/bands`
GROUP BY band, key
HAVING count(*) > {cap};
