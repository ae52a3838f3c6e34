# @name islands
# @sql connection=islands
# @after charted
SELECT island, lat::float8 AS lat, lon::float8 AS lon
FROM cellar_islands
WHERE since <= :since
ORDER BY island
