# @name charted
# @sql connection=islands write=true
# @cache forever
CREATE TABLE IF NOT EXISTS cellar_islands (island text PRIMARY KEY, lat numeric(4, 1), lon numeric(4, 1), since int);
DELETE FROM cellar_islands;
INSERT INTO cellar_islands VALUES
  ('Biscoe', -65.4, -65.5, 2007),
  ('Dream', -64.7, -64.2, 2007),
  ('Torgersen', -64.8, -64.1, 2007)
