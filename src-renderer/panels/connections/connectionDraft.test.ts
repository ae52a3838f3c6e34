import { expect, it } from 'vitest';
import { type Connection, connectionOf, draftOf, NEW_DRAFT, problemsOf } from './connectionDraft.ts';

const PG: Connection = {
  name: 'shop',
  driver: 'postgresql',
  host: 'db',
  port: 5433,
  user: 'me',
  auth: { password: '$' + '{PGPASSWORD}', sslkey: 'kept' },
  options: { sslmode: 'require' },
};

it('[WI-180] settings of a connection that the form does not show are unchanged', () => {
  const draft = draftOf(PG);
  expect(draft.values).toMatchObject({
    host: 'db',
    port: '5433',
    password: '$' + '{PGPASSWORD}',
    database: '',
  });
  expect(connectionOf({ ...draft, values: { ...draft.values, host: 'other', user: ' ' } }, PG)).toEqual({
    name: 'shop',
    driver: 'postgresql',
    host: 'other',
    port: '5433',
    auth: PG['auth'],
    options: PG['options'],
  });
});

it('[WI-180] choosing another database starts over, and empty fields are not written', () => {
  const draft = { ...draftOf(PG), driver: 'sqlite' as const, values: { path: 'a.db' } };
  expect(connectionOf(draft, PG)).toEqual({ name: 'shop', driver: 'sqlite', path: 'a.db' });
});

it.each([
  ['a good one', { name: 'a', driver: 'sqlite', values: { path: 'x' } }, []],
  ['no file', { name: 'a', driver: 'sqlite', values: {} }, ['path']],
  ['a credential may hold the rest', { name: 'a', driver: 'postgresql', credential: 'lab' }, []],
  ['a bad name', { name: '1 a' }, ['name']],
  ['a name that is taken', { name: 'taken' }, ['name']],
] as const)('[WI-180] %s', (_, change, wrong) => {
  expect(Object.keys(problemsOf({ ...NEW_DRAFT, ...change }, ['taken']))).toEqual(wrong);
});
