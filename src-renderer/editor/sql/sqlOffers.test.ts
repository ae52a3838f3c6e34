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
  ['tables after FROM', 'SELECT * FROM |', ALL_TABLES],
  ['those that match, prefix matches first', 'SELECT * FROM rid|', ['riders']],
  ['after JOIN', 'SELECT * FROM trips t JOIN rid|', ['riders']],
  ['after a comma of the list', 'SELECT * FROM trips, rid|', ['riders']],
  ['in brackets of the list', 'SELECT * FROM (trips JOIN rid|)', ['riders']],
  ['names that WITH defines', 'WITH rich AS (SELECT 1) SELECT * FROM ric|', ['rich']],
  ['tables to write to', 'INSERT INTO rid|', ['riders']],
  ['tables to update', 'UPDATE rid|', ['riders']],
  ['of a schema', 'SELECT * FROM old.|', ['trips_2019']],
  ['the schemas of a catalog', 'SELECT * FROM lake.|', ['ns']],
  ['of a catalog’s schema', 'SELECT * FROM lake.ns.|', ['logs']],
  ['columns of a table that is named later in the statement', 'SELECT pri| FROM trips', ['price', 'primary']],
  ['no columns of other tables', 'SELECT fa| FROM trips', ['false']],
  ['columns of a table of another schema', 'SELECT far| FROM old.trips_2019', ['fare']],
  ['columns of all tables if no table is named yet', 'SELECT far|', ['fare']],
  ['columns by an alias', 'SELECT t.| FROM trips AS t', ['id', 'price', 'Rider', '"order"']],
  ['a name still being typed is not an alias', 'SELECT * FROM trips tr|', ['trips', 'true', 'try_cast']],
  ['columns by an alias without AS', 'SELECT r.n| FROM trips t JOIN riders r ON 1 = 1', ['name']],
  ['columns by the table’s name', 'SELECT trips.pr| FROM trips', ['price']],
  ['columns by schema and table', 'SELECT old.trips_2019.f|', ['fare']],
  ['nothing after an unknown qualifier', 'SELECT x.| FROM trips', []],
  ['the aliases themselves', 'SELECT tt| FROM trips ttt', ['ttt']],
  ['keywords in capitals', 'SEL|', ['SELECT']],
  ['keywords in small letters', 'sel|', ['select']],
  ['keywords of one database only', 'SELECT * FROM riders QUAL|', ['QUALIFY']],
  ['no keywords of another database', 'SELECT * FROM riders QUAL|', [], 'sqlite'],
  ['no keyword that is already complete', 'select|', []],
  [
    'the second statement has its own tables',
    'SELECT 1 FROM riders; SELECT pri| FROM trips',
    ['price', 'primary'],
  ],
  [
    'FROM in a date function names no table',
    'SELECT extract(year FROM pri|) FROM trips',
    ['price', 'primary'],
  ],
  ['quoted if capitals matter', 'SELECT Rid| FROM trips', ['"Rider"'], 'postgresql'],
  ['quoted as BigQuery does', 'SELECT ord| FROM trips', ['`order`', 'order', 'ordinal'], 'bigquery'],
  ['not in a string', "SELECT 'tri|' FROM trips", null],
  ['not in an unfinished string', "SELECT 'tri|", null],
  ['not in a comment', 'SELECT 1 -- tri|', null],
  ['not in a comment over several lines', 'SELECT /* tri| */ 1', null],
  ['not in a quoted name', 'SELECT "tri|"', null],
  ['not in a placeholder', 'SELECT :tri|', null],
  ['not after its colon', 'SELECT :|', null],
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
