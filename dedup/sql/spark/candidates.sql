-- candidates: the distinct pairs of rows that share a bucket, a < b, in parts that gsketch compares one by one.
-- Hot buckets are sent to the rows and not the rows to them. Parts are by b: a hub is the a of all its pairs.
CREATE TABLE candidates USING parquet PARTITIONED BY (part) LOCATION '{out}' AS
WITH bands AS (SELECT band, key, row FROM parquet.`{dir}/bands`),
hot AS (SELECT band, key, hub FROM parquet.`{dir}/hot`),
cold AS (
  SELECT /*+ BROADCAST(hot) */ sort_array(collect_list(row)) AS members
  FROM bands LEFT ANTI JOIN hot USING (band, key)
  GROUP BY band, key
  HAVING count(*) > 1
),
pairs AS (
  SELECT a, explode(slice(members, i + 2, size(members) - i - 1)) AS b
  FROM (SELECT members, posexplode(members) AS (i, a) FROM cold)
  WHERE i + 1 < size(members)
  UNION ALL
  SELECT /*+ BROADCAST(hot) */ hub, row FROM bands JOIN hot USING (band, key) WHERE row > hub
)
SELECT /*+ REPARTITION_BY_RANGE({parts}, part, b) */ a, b, part
FROM (SELECT DISTINCT a, b, CAST(b % {parts} AS INT) AS part FROM pairs);
