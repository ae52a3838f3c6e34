# @name days
# @sql connection=notes
# @after noted
SELECT year, days FROM fieldwork WHERE year >= :since ORDER BY year
