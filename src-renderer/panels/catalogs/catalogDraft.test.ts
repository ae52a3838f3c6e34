import { expect, it } from 'vitest';
import type { OfferedCatalog } from '../../../src-shared/wire/routes/tableCatalogs.ts';
import { type CatalogDraft, draftOf, NEW_CATALOG, problemsOf, propertiesOf } from './catalogDraft.ts';

const offerOf = (properties: Readonly<Record<string, string>>, secrets: string[] = []): OfferedCatalog => ({
  name: 'lake',
  from: 'window',
  secrets,
  problem: null,
  properties: { ...properties },
});

it.each<[string, OfferedCatalog, CatalogDraft['kind'], string]>([
  ['a folder', offerOf({ type: 'sql', warehouse: '/wh' }), 'folder', ''],
  ['a SQLite file', offerOf({ type: 'sql', uri: 'sqlite:////wh/c.db' }), 'sqlite', '/wh/c.db'],
  ['PostgreSQL', offerOf({ uri: 'postgresql+psycopg2://h/d' }), 'postgresql', 'postgresql+psycopg2://h/d'],
  ['REST by its address', offerOf({ uri: 'https://h' }), 'rest', 'https://h'],
  ['Glue', offerOf({ type: 'glue', 'glue.region': 'r' }), 'glue', ''],
])('[WI-352] the form shows %s and returns the same properties', (_what, catalog, kind, uri) => {
  const draft = draftOf(catalog);
  expect({ kind: draft.kind, uri: draft.values['uri'] }).toEqual({ kind, uri });
  const type = kind === 'rest' || kind === 'glue' ? kind : 'sql';
  expect(propertiesOf(draft, catalog)).toEqual({ ...catalog.properties, type });
});

it('[WI-352] a secret that is set stays if its field is empty; unknown properties stay, others are replaced', () => {
  const before = offerOf({ type: 'rest', uri: 'http://h', scope: 'x', warehouse: 'w' }, [
    'token',
    'credential',
  ]);
  const draft = draftOf(before);
  const values = { ...draft.values, warehouse: ' ', credential: 'me:you' };
  expect(propertiesOf({ ...draft, values }, before)).toEqual({
    type: 'rest',
    uri: 'http://h',
    scope: 'x',
    token: null,
    credential: 'me:you',
  });
  expect(propertiesOf({ ...draft, kind: 'folder', values: { warehouse: '/w' } }, before)).toEqual({
    type: 'sql',
    warehouse: '/w',
  });
});

it.each<[string, Partial<CatalogDraft>, string[]]>([
  ['a good one', { name: 'lake', values: { warehouse: '/w' } }, []],
  ['nothing', {}, ['name', 'warehouse']],
  ['a name that is taken', { name: 'team', values: { warehouse: '/w' } }, ['name']],
  ['an address that is not of the web', { name: 'a', kind: 'rest', values: { uri: 'h' } }, ['uri']],
  ['no address of PostgreSQL', { name: 'a', kind: 'postgresql', values: { uri: 'mysql://h' } }, ['uri']],
])('[WI-352] %s has these problems', (_what, change, keys) => {
  expect(Object.keys(problemsOf({ ...NEW_CATALOG, ...change }, ['team']))).toEqual(keys);
});
