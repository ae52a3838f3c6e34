# @name heavy
# @sql connection=files
WITH weighed AS (
  -- NA in the file is no number.
  SELECT species, island, try_cast(body_mass_g AS INTEGER) AS mass FROM penguins
)
SELECT species, count(*) AS birds, round(avg(mass), 1) AS mean_mass
FROM weighed
WHERE mass >= :min_mass AND island = :island
GROUP BY species
ORDER BY species
