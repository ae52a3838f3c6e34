import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { folderIdentity } from '../lib/folderIdentity.ts';
import { openShellStore } from './shellStore.ts';

const root = mkdtempSync(join(tmpdir(), 'cellar-store-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const fail = (error: unknown): void => {
  throw error;
};
const state = { x: 1, y: 2, width: 800, height: 600, maximized: false };

it('[DK-3] stores grants, recents and windows separately, readable only for the owner', () => {
  const path = join(root, 'deep/shell.json');
  const store = openShellStore(path, fail);
  store.grant('/a');
  store.grant('/a');
  store.trust(root);
  store.trust(root);
  // A missing folder cannot have been trusted.
  store.trust(join(root, 'nowhere'));
  store.remember({ path: '/b', name: 'B' });
  store.keepWindow('/a', state);
  const again = openShellStore(path, fail).memory();
  expect(again).toEqual({
    grants: ['/a'],
    trusted: [{ path: root, identity: folderIdentity(root) }],
    recents: [{ path: '/b', name: 'B' }],
    windows: { '/a': state },
    port: null,
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('[DK-31] stores the first port, and no invalid port', () => {
  const path = join(root, 'port.json');
  const store = openShellStore(path, fail);
  store.keepPort(40_001);
  store.keepPort(40_002);
  expect(openShellStore(path, fail).memory().port).toBe(40_001);
  for (const port of [0, 80, 70_000, 1.5, '40001', null]) {
    writeFileSync(path, JSON.stringify({ port }));
    expect(openShellStore(path, fail).memory().port, String(port)).toBeNull();
  }
});

it('[DK-28] a folder whose notebook was deleted is forgotten, and no other', () => {
  const path = join(root, 'forgets.json');
  const store = openShellStore(path, fail);
  const [above, below] = [join(root, 'a'), join(root, 'a/b')];
  mkdirSync(below, { recursive: true });
  for (const folder of [above, below]) {
    store.grant(folder);
    store.trust(folder);
    store.remember({ path: folder, name: folder });
  }
  store.forget(above);
  const kept = openShellStore(path, fail);
  const { grants, recents } = kept.memory();
  expect({ grants, trusted: kept.trusted(), recents }).toEqual({
    grants: [below],
    trusted: [below],
    recents: [{ path: below, name: below }],
  });
});

it('[DK-29] trust belongs to the folder, not to its path: another folder at the path is not trusted at the next start', () => {
  const path = join(root, 'replaced.json');
  const dir = join(root, 'replaced');
  mkdirSync(dir);
  const store = openShellStore(path, fail);
  store.trust(dir);
  expect(openShellStore(path, fail).trusted()).toEqual([dir]);
  rmSync(dir, { recursive: true });
  expect(openShellStore(path, fail).trusted()).toEqual([]);
  mkdirSync(dir);
  expect([store.trusted(), openShellStore(path, fail).trusted()]).toEqual([[], []]);
  store.trust(dir);
  expect(openShellStore(path, fail).memory().trusted).toEqual([{ path: dir, identity: folderIdentity(dir) }]);
});

it('[DK-10] recents: newest first, each once, twelve at most, and cleared', () => {
  const store = openShellStore(join(root, 'recents.json'), fail);
  for (let at = 0; at < 20; at += 1) store.remember({ path: `/n${at}`, name: `${at}` });
  store.remember({ path: '/n15', name: 'renamed' });
  const { recents } = store.memory();
  expect(recents).toHaveLength(12);
  expect(recents.slice(0, 2)).toEqual([
    { path: '/n15', name: 'renamed' },
    { path: '/n19', name: '19' },
  ]);
  store.forgetRecents();
  expect(openShellStore(join(root, 'recents.json'), fail).memory().recents).toEqual([]);
});

it.each([
  ['no JSON', '{', 1],
  ['another shape', '[1]', 0],
  ['null', 'null', 0],
  ['fields of another kind', '{"recents":{},"grants":"/","trusted":"/","windows":[]}', 0],
])('[DK-3] a file with %s grants nothing', (name, text, problems) => {
  const path = join(root, `${name}.json`);
  writeFileSync(path, text);
  const errors: unknown[] = [];
  expect(openShellStore(path, (error) => errors.push(error)).memory()).toEqual({
    recents: [],
    grants: [],
    trusted: [],
    windows: {},
    port: null,
  });
  expect(errors).toHaveLength(problems);
});

it('[DK-3] entries of the wrong kind are left out, the others kept', () => {
  const path = join(root, 'mixed.json');
  const recents = [{ path: '/a', name: 'a' }, { path: 1 }, 'x'];
  const trusted = { path: '/t', identity: '1:2' };
  writeFileSync(
    path,
    JSON.stringify({
      recents,
      grants: ['/a', 7],
      trusted: [null, '/t', trusted, { path: '/u' }],
      windows: { '/a': state, '/b': {} },
    }),
  );
  expect(openShellStore(path, fail).memory()).toEqual({
    recents: [{ path: '/a', name: 'a' }],
    grants: ['/a'],
    trusted: [trusted],
    windows: { '/a': state },
    port: null,
  });
});

it('a full disk is reported, and choices count until the app ends', () => {
  const blocked = join(root, 'file');
  writeFileSync(blocked, '');
  const errors: unknown[] = [];
  const store = openShellStore(join(blocked, 'shell.json'), (error) => errors.push(error));
  const before = errors.length;
  store.grant('/a');
  expect(store.memory().grants).toEqual(['/a']);
  expect(errors.length).toBeGreaterThan(before);
  expect(readFileSync(blocked, 'utf8')).toBe('');
});
