-- manifest: of each cluster its first row is kept.
CREATE TABLE manifest USING parquet LOCATION '{out}' AS
SELECT s.row, s.id, coalesce(c.cluster, s.row) = s.row AS keep, coalesce(c.cluster, s.row) AS kept_row, coalesce(c.cluster, s.row) AS cluster
FROM parquet.`{dir}/sketches` s LEFT JOIN parquet.`{dir}/clusters` c ON c.row = s.row;
