# @name visits
# @sql connection=notes
# @after fieldnotes
SELECT island, count(*) AS visits, sum(people) AS people
FROM visits
WHERE island = :island
GROUP BY island
