import { expect, it } from 'vitest';
import { DIALECTS, type DriverName } from '../../../src-shared/sql/dialect.ts';
import { type KnownTable, sqlOffers } from './sqlOffers.ts';
import { sqlPlaceAt } from './sqlPlace.ts';

const columns = (names: string) => names.split(' ').map((name) => ({ name, type: 'int' }));
const TABLES: readonly KnownTable[] = [
  { schema: 'main', name: 'trips', columns: columns('id price Rider order') },
  { schema: 'main', name: 'riders', columns: columns('id name') },
  { schema: 'old', name: 'trips_2019', columns: columns('id fare') },
  { catalog: 'lake', schema: 'ns', name: 'logs', columns: columns('line') },
];
const HEAD = '# @sql connection=db\n# FROM here\n';

/** The completions at `|`, in order, as inserted; null where there are none to offer. */
function offered(text: string, driver: DriverName = 'duckdb'): readonly string[] | null {
  const source = HEAD + text;
  const at = source.indexOf('|');
  const place = sqlPlaceAt(source.replace('|', ''), at, DIALECTS[driver]);
  if (place === null) return null;
  const database = { driver, tables: TABLES, home: new Set(['main']), attached: 'lake' };
  return sqlOffers(place, database).offers.map(({ text: own }) => own);
}

const ALL_TABLES = ['trips', 'riders', 'old.trips_2019', 'lake.ns.logs'];

it.each<[string, string, readonly string[] | null, DriverName?]>([
  ['tables behind FROM', 'SELECT * FROM |', ALL_TABLES],
  ['those that fit, the ones that begin so first', 'SELECT * FROM rid|', ['riders']],
  ['behind JOIN', 'SELECT * FROM trips t JOIN rid|', ['riders']],
  ['behind a comma of the list', 'SELECT * FROM trips, rid|', ['riders']],
  ['in brackets of the list', 'SELECT * FROM (trips JOIN rid|)', ['riders']],
  ['what WITH names', 'WITH rich AS (SELECT 1) SELECT * FROM ric|', ['rich']],
  ['to write to', 'INSERT INTO rid|', ['riders']],
  ['to update', 'UPDATE rid|', ['riders']],
  ['of a schema', 'SELECT * FROM old.|', ['trips_2019']],
  ['of a catalog its schemas', 'SELECT * FROM lake.|', ['ns']],
  ['of a catalog’s schema', 'SELECT * FROM lake.ns.|', ['logs']],
  ['columns of what is read, before it is', 'SELECT pri| FROM trips', ['price', 'primary']],
  ['columns of nothing else', 'SELECT fa| FROM trips', ['false']],
  ['columns of a table of another schema', 'SELECT far| FROM old.trips_2019', ['fare']],
  ['any column where nothing is read yet', 'SELECT far|', ['fare']],
  ['columns by a short name', 'SELECT t.| FROM trips AS t', ['id', 'price', 'Rider', '"order"']],
  ['a name still being written is none', 'SELECT * FROM trips tr|', ['trips', 'true', 'try_cast']],
  ['columns by a name without AS', 'SELECT r.n| FROM trips t JOIN riders r ON 1 = 1', ['name']],
  ['columns by the table’s name', 'SELECT trips.pr| FROM trips', ['price']],
  ['columns by schema and table', 'SELECT old.trips_2019.f|', ['fare']],
  ['nothing after an unknown qualifier', 'SELECT x.| FROM trips', []],
  ['short names themselves', 'SELECT tt| FROM trips ttt', ['ttt']],
  ['words in capitals', 'SEL|', ['SELECT']],
  ['words in small letters', 'sel|', ['select']],
  ['of one database alone', 'SELECT * FROM riders QUAL|', ['QUALIFY']],
  ['and not of another', 'SELECT * FROM riders QUAL|', [], 'sqlite'],
  ['no word that is written already', 'select|', []],
  [
    'the second statement has tables of its own',
    'SELECT 1 FROM riders; SELECT pri| FROM trips',
    ['price', 'primary'],
  ],
  ['a part of a date is no table', 'SELECT extract(year FROM pri|) FROM trips', ['price', 'primary']],
  ['quoted where capitals count', 'SELECT Rid| FROM trips', ['"Rider"'], 'postgresql'],
  ['quoted as BigQuery does', 'SELECT ord| FROM trips', ['`order`', 'order', 'ordinal'], 'bigquery'],
  ['not in a text', "SELECT 'tri|' FROM trips", null],
  ['not in a text that goes on', "SELECT 'tri|", null],
  ['not in a remark', 'SELECT 1 -- tri|', null],
  ['not in a remark over lines', 'SELECT /* tri| */ 1', null],
  ['not in a quoted name', 'SELECT "tri|"', null],
  ['not in a placeholder', 'SELECT :tri|', null],
  ['not behind its colon', 'SELECT :|', null],
  ['not in a number', 'SELECT 1e|', null],
])('[ED-64] %s: %s', (_what, text, wanted, driver) => {
  expect(offered(text, driver)).toEqual(wanted);
});

it('[ED-64] nothing in the lines before the statement', () => {
  expect(sqlPlaceAt(HEAD, 10, DIALECTS.duckdb)).toBeNull();
});

it('[ED-64] the list is limited, and marked incomplete when cut', () => {
  const tables = [
    { name: 'wide', columns: Array.from({ length: 5_000 }, (_, i) => ({ name: `c${i}`, type: 'int' })) },
  ];
  const text = 'SELECT c FROM wide';
  const place = sqlPlaceAt(text, 8, DIALECTS.duckdb);
  if (place === null) throw new Error('a place is expected');
  const { offers, whole } = sqlOffers(place, { driver: 'duckdb', tables, home: new Set(), attached: null });
  expect([offers.filter(({ kind }) => kind === 'column').length, whole]).toEqual([60, false]);
});
