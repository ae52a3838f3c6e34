import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_WAREHOUSES } from '../../iceberg/testing/scanned.ts';
import { createLogger } from '../../observe/log.ts';
import { PlaneRefusal } from '../planeRefusal.ts';
import { type AttachedCatalogs, createAttachedCatalogs } from './attachedCatalogs.ts';

const VARIABLE = '$' + '{LAKE_TOKEN}';

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof PlaneRefusal ? `${error.status}: ${error.message}` : String(error);
}

describe('attached catalogs', () => {
  let folder = '';
  let path = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'attached-'));
    path = join(folder, 'store', 'catalogs.json');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const log = createLogger({ level: 'ERROR', format: 'json', destination: { write: () => undefined } });
  const open = (env: Readonly<Record<string, string>> = {}): AttachedCatalogs =>
    createAttachedCatalogs(
      {
        ...NO_WAREHOUSES,
        catalogs: {
          default: {},
          team: { type: 'rest', uri: 'http://u:pw@h', token: 'hidden', 's3.region': 'r' },
        },
      },
      { path, env, log },
    );

  it('[DP-90] survive a restart, together with those of the settings, whose secrets are not shown', async () => {
    await open().attach('lake', { type: 'sql', warehouse: '/wh', empty: '' });
    const again = open();
    expect(await again.list()).toEqual([
      {
        name: 'lake',
        from: 'window',
        properties: { type: 'sql', warehouse: '/wh' },
        secrets: [],
        problem: null,
      },
      {
        name: 'team',
        from: 'settings',
        secrets: ['token'],
        problem: null,
        properties: { type: 'rest', uri: 'http://u:…@h', 's3.region': 'r' },
      },
    ]);
    expect((await again.warehouses()).catalogs).toMatchObject({
      lake: { type: 'sql', warehouse: '/wh' },
      team: { token: 'hidden' },
    });
    await again.detach('lake');
    expect((await open().list()).map(({ name }) => name)).toEqual(['team']);
  });

  it('[DP-91] a typed secret is in no file; it is kept while the server runs, then asked for again', async () => {
    const server = open();
    await server.attach('lake', { type: 'rest', uri: 'http://h', token: 'typed-secret' });
    await server.attach('lake', { type: 'rest', uri: 'http://h2', token: null });
    expect(await readFile(path, 'utf8')).not.toContain('typed-secret');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await server.warehouses()).catalogs['lake']).toEqual({
      type: 'rest',
      uri: 'http://h2',
      token: 'typed-secret',
    });
    expect(JSON.stringify(await server.list())).not.toContain('typed-secret');
    const [lake] = await open().list();
    expect(lake).toMatchObject({
      secrets: ['token'],
      problem: expect.stringContaining('needs its token again'),
    });
    expect((await open().warehouses()).problems).toMatchObject({ lake: lake?.problem });
  });

  it('[DP-91] a variable is stored by its name, and filled in when a table is read', async () => {
    await open().attach('lake', {
      type: 'rest',
      uri: `postgresql://me:${VARIABLE}@h/db`,
      token: VARIABLE,
    });
    expect((await open({ LAKE_TOKEN: 'a/b' }).warehouses()).catalogs['lake']).toEqual({
      type: 'rest',
      uri: 'postgresql://me:a%2Fb@h/db',
      token: 'a/b',
    });
    expect(await open({ LAKE_TOKEN: 'a/b' }).list()).toMatchObject([
      { name: 'lake', properties: { token: VARIABLE }, secrets: [] },
      { name: 'team' },
    ]);
    expect((await open().warehouses()).problems?.['lake']).toBe(
      'The catalog "lake" needs LAKE_TOKEN, which is not set. Set it where the server is started.',
    );
  });

  it.each<[string, (server: AttachedCatalogs) => Promise<unknown>, string]>([
    ['a bad name', (one) => one.attach('a b', {}), '400: "a b" is not a valid catalog name.'],
    ['a name of the settings', (one) => one.attach('team', {}), '403: The catalog "team" is defined by'],
    [
      'a password',
      (one) => one.attach('x', { uri: 'postgresql://u:pw@h/d' }),
      '400: The address has a password',
    ],
    ['an unknown one removed', (one) => one.detach('x'), '404: No catalog "x" is attached.'],
    ['one of the settings removed', (one) => one.detach('team'), '403: The catalog "team" is defined by'],
  ])('[DP-92] %s is refused', async (_name, ask, sentence) => {
    expect(await refusalOf(ask(open()))).toContain(sentence);
    expect((await open().list()).map(({ name }) => name)).toEqual(['team']);
  });

  it('[DP-92] a damaged list is reported and never replaced; the catalogs of the settings still work', async () => {
    await open().attach('lake', { warehouse: '/wh' });
    await writeFile(path, '{"lake": 1');
    expect(await refusalOf(open().list())).toContain('503: The list of attached catalogs cannot be read');
    expect(await refusalOf(open().attach('b', {}))).toContain('503');
    expect(Object.keys((await open().warehouses()).catalogs)).toEqual(['default', 'team']);
    expect(await readFile(path, 'utf8')).toBe('{"lake": 1');
  });
});
