import { expect, test } from 'vitest';
import type { EnvironmentFacts, LockFile, Venv } from '../readEnvironment.ts';
import { packagesDigest } from './packagesDigest.ts';

const lock = (name: string): LockFile => ({ sha256: `bytes of ${name}`, digest: name, text: '' });
const interpreter = { identity: 'python' };

const venv = (more: Partial<Venv> & { readonly made?: Partial<NonNullable<Venv['marker']>> } = {}): Venv => ({
  python: '/n/.venv/bin/python',
  version: '3.13.1',
  upToDate: true,
  installed: 'i',
  ...more,
  marker: {
    id: 'e',
    pyprojectSha256: 'p',
    lockSha256: 'bytes of now',
    lockDigest: 'now',
    pythonVersion: '3.13.1',
    installed: 'i',
    syncedAt: 0,
    durationMs: 0,
    notice: null,
    ...more.made,
  },
});
const from = (name: string): Venv => venv({ made: { lockSha256: `bytes of ${name}`, lockDigest: name } });

type Facts = Pick<EnvironmentFacts, 'lock' | 'venv'>;
const CURRENT = lock('now');

/** The state, and which key results get: the lock's digest, an earlier lock's, or another. */
const ROWS: readonly (readonly [name: string, facts: Facts, runs: boolean, key: string | null])[] = [
  ['an environment made from the lock', { lock: CURRENT, venv: venv() }, true, 'now'],
  [
    'one made from a lock with the same packages',
    { lock: { ...CURRENT, sha256: 'other bytes' }, venv: venv() },
    true,
    'now',
  ],
  ['one whose lock was edited since', { lock: CURRENT, venv: from('before') }, true, 'before'],
  ['one whose lock was deleted since', { lock: null, venv: venv() }, true, 'now'],
  [
    'one without a lock',
    { lock: null, venv: venv({ made: { lockSha256: null, lockDigest: null } }) },
    true,
    null,
  ],
  [
    'a marker of an earlier version',
    { lock: CURRENT, venv: venv({ made: { lockDigest: null } }) },
    true,
    'now',
  ],
  [
    'a marker of an earlier version, and another lock',
    { lock: CURRENT, venv: venv({ made: { lockSha256: 'bytes of before', lockDigest: null } }) },
    true,
    'neither',
  ],
  [
    'one with a package installed by hand',
    { lock: CURRENT, venv: venv({ installed: 'more' }) },
    true,
    'neither',
  ],
  ['one made by another program', { lock: CURRENT, venv: { ...venv(), marker: null } }, true, 'neither'],
  ['a Python of the machine', { lock: CURRENT, venv: null }, true, 'neither'],
  ['a Python of the machine and no lock', { lock: null, venv: null }, true, 'neither'],
  ['no interpreter', { lock: CURRENT, venv: null }, false, 'now'],
  ['no interpreter and no lock', { lock: null, venv: null }, false, null],
];

test.each(ROWS)(
  '[SO-231] %s: results are stored under the packages that they ran with',
  (_name, facts, runs, key) => {
    const digest = packagesDigest(facts, runs ? interpreter : null);
    if (key !== 'neither') expect(digest).toBe(key);
    else expect([null, 'now', 'before']).not.toContain(digest);
  },
);

test('[SO-231] two environments that differ from the lock have different keys', () => {
  const changed = (installed: string) =>
    packagesDigest({ lock: CURRENT, venv: venv({ installed }) }, interpreter);
  const onPath = (identity: string) => packagesDigest({ lock: CURRENT, venv: null }, { identity });
  const keys = [changed('one'), changed('two'), onPath('one'), onPath('two')];
  expect(new Set(keys).size).toBe(keys.length);
});
