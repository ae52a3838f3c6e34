# @name noted
# @sql connection=notes write=true
# @cache forever
CREATE TABLE IF NOT EXISTS fieldwork (year INTEGER, days INTEGER);
DELETE FROM fieldwork;
INSERT INTO fieldwork VALUES (2007, 41), (2008, 55), (2009, 62)
