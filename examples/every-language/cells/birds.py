# @name birds
# @sql connection=files
WITH weighed AS (
  -- NA in the file is no number.
  SELECT species, island, year,
    try_cast(flipper_length_mm AS INTEGER) AS flipper_mm,
    try_cast(body_mass_g AS INTEGER) AS mass_g
  FROM penguins
)
SELECT species, island, year, flipper_mm, mass_g
FROM weighed
WHERE year >= :since AND mass_g >= :lightest AND flipper_mm IS NOT NULL
ORDER BY species, mass_g, flipper_mm, year, island
