# @name noted
# @sql connection=notes write=true
# @cache forever
CREATE TABLE IF NOT EXISTS visits (island TEXT, day TEXT, people INTEGER);
DELETE FROM visits;
INSERT INTO visits VALUES
  ('Biscoe', '2026-01-10', 4),
  ('Biscoe', '2026-01-24', 3),
  ('Dream', '2026-01-17', 5)
