-- candidates: the distinct pairs of rows that share a bucket, a < b, in parts that gsketch compares one by one.
COPY (
  WITH bands AS (SELECT band, key, row FROM read_parquet('{dir}/bands/*.parquet')),
  hot AS (SELECT band, key, hub FROM read_parquet('{dir}/hot/*.parquet')),
  cold AS (
    SELECT list(row ORDER BY row) AS members
    FROM bands ANTI JOIN hot USING (band, key)
    GROUP BY band, key
    HAVING count(*) > 1
  ),
  pairs AS (
    SELECT members[i] AS a, unnest(members[i + 1:]) AS b
    FROM (SELECT members, unnest(range(1, len(members))) AS i FROM cold)
    UNION ALL
    SELECT hub, row FROM bands JOIN hot USING (band, key) WHERE row > hub
  )
  SELECT DISTINCT a, b, b % {parts} AS part FROM pairs
) TO '{out}' (FORMAT parquet, PARTITION_BY (part));
