import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRedactor, NOTHING_HIDDEN } from '../../lib/redactor.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { NOTHING_SEEN, type Observation } from '../observed/observation.ts';
import { plainR } from '../testing/testStep.ts';
import { hasSecret } from './hasSecret.ts';
import {
  areSameFacts,
  isPortable,
  machineFacts,
  readsMachine,
  runsCode,
  whyNotCheckable,
} from './shareable.ts';
import { processSharing } from './sharing.ts';

const file = (path: string, sha256: string | null = 'a'.repeat(64)) => ({
  path,
  size: 1,
  mtimeNs: '1',
  sha256,
});

describe('[RG-13] a run that can be checked elsewhere', () => {
  it.each<readonly [string, Partial<Observation> | null, boolean]>([
    ['only computed', {}, true],
    ['read a file of the folder', { reads: [file('data/a.csv')] }, true],
    ['used the network', { open: ['network'] }, true],
    ['drew random numbers', { unsteady: true }, true],
    ['read variables by name', { env: { MODE: 'd', HOME: null } }, true],
    ['is not known', null, false],
    ['read a file elsewhere', { reads: [file('/data/a.csv')] }, false],
    ['read a file of another drive', { reads: [file('C:\\data\\a.csv')] }, false],
    ['read a file above the folder', { reads: [file('../a.csv')] }, false],
    ['read a file too large to compare', { reads: [file('a.bin', null)] }, false],
    ['looked for a file elsewhere', { absent: ['/etc/app.conf'] }, false],
    ['listed a folder elsewhere', { listed: [{ path: '/data', sha256: 'd' }] }, false],
    ['wrote a file elsewhere', { wrote: [file('/tmp/out')] }, false],
    ['started a process', { open: ['process'] }, false],
    ['used native code that opens files', { open: ['native:pyarrow'] }, false],
    ['did more than a row can hold', { open: ['too_many'] }, false],
    ['read the whole environment', { wholeEnv: 'd' }, false],
  ])('%s', (_what, part, isCheckable) => {
    const observation = part === null ? null : { ...NOTHING_SEEN, ...part };
    expect(whyNotCheckable(observation) === null).toBe(isCheckable);
  });

  const env = { HOME: '/home/a', PATH: '/n/.venv/bin:/usr/bin', API_KEY: 'k' };
  const facts = (
    names: Observation['env'],
    of: Readonly<Record<string, string>> = env,
    notebookDir = notebookFolder('/n'),
  ) => machineFacts({ env: names }, { env: of, notebookDir });
  it.each([
    ['the same value', facts({ HOME: null }), facts({ HOME: null }), true],
    ['another value', facts({ HOME: null }), facts({ HOME: null }, { HOME: '/home/b' }), false],
    ['a variable that is not set there', facts({ HOME: null }), facts({ HOME: null }, {}), false],
    ['a variable that neither has', facts({ NONE: null }), facts({ NONE: null }, {}), true],
    ['a variable of the notebook', facts({ HOME: 'd' }), facts({ HOME: 'd' }, {}), true],
    [
      'a path of the notebook in another folder',
      facts({ PATH: null }),
      facts({ PATH: null }, { PATH: '/m/.venv/bin:/usr/bin' }, notebookFolder('/m')),
      true,
    ],
    ['fewer variables', facts({ HOME: null, NONE: null }), facts({ HOME: null }), false],
  ])('variables of the machine: %s', (_what, there, here, isSame) => {
    expect(there).not.toBeNull();
    expect(areSameFacts(there ?? {}, here)).toBe(isSame);
  });
  it('variables of the machine: a secret', () => {
    expect(facts({ API_KEY: null })).toBeNull();
    expect(areSameFacts({}, null)).toBe(false);
  });

  it.each([
    ['import os\nx = os.getcwd()', true],
    ['from pathlib import Path\nx = Path("a").resolve()', true],
    ['import platform\nx = platform.node()', true],
    ['x = __file__', true],
    ['home = 1\nprefix = home', false],
    ['x = open("a.csv").read()', false],
  ])('depends on its machine: %j', (source, asks) => {
    expect(readsMachine({ source, setup: null })).toBe(asks);
    expect(readsMachine({ source: '', setup: { source, cellName: 's' } })).toBe(asks);
  });

  it.each([
    ['arrow/ipc', {}, true, false],
    ['json/object', {}, true, false],
    ['pickle/object', {}, true, true],
    ['module/cell', {}, true, true],
    ['module/cell', { injected: '{}' }, false, true],
    ['json/object', { beside: '["x"]' }, false, false],
    ['file/path', {}, false, true],
    ['an unknown type', {}, false, true],
  ] as const)('%s %j', (contentType, params, isTaken, isCode) => {
    expect([isPortable({ contentType, params }), runsCode(contentType)]).toEqual([isTaken, isCode]);
  });
});

it('[RG-33] a cell in R is not shared, with the reason', () => {
  const request = plainR({ source: 'x <- 1' });
  expect(processSharing(request)).toEqual({ why: 'nothing observes which files and variables R reads' });
});

describe('[RG-12] a secret in a result', () => {
  const SECRET = 'pässword-0123456789';
  let dir = '';
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'has-secret-'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));
  const far = Buffer.alloc(1024 * 1024 - 5, 'x');
  it.each<readonly [string, Buffer, string, boolean]>([
    ['nothing', Buffer.from('plain'), '{}', false],
    ['in the text', Buffer.from('plain'), `{"source":"${SECRET}"}`, true],
    ['in the bytes', Buffer.from(`a${SECRET}b`), '{}', true],
    ['over two pieces of the file', Buffer.concat([far, Buffer.from(SECRET)]), '{}', true],
    ['in base64', Buffer.from(Buffer.from(SECRET).toString('base64')), '{}', true],
    [
      'as four bytes per character',
      Buffer.from([...'ascii-secret-42'].flatMap((c) => [c.charCodeAt(0), 0, 0, 0])),
      '{}',
      true,
    ],
    [
      'after bytes that are not text',
      Buffer.concat([Buffer.from([0xff, 0xc3]), Buffer.from(SECRET)]),
      '{}',
      true,
    ],
    ['only its beginning', Buffer.from(SECRET.slice(0, -1)), '{}', false],
  ])('%s', async (_what, bytes, text, isFound) => {
    const path = join(dir, 'value');
    await writeFile(path, bytes);
    const redactor = createRedactor([SECRET, 'ascii-secret-42']);
    expect(await hasSecret(redactor, { text, file: path })).toBe(isFound);
    expect(await hasSecret(NOTHING_HIDDEN, { text, file: path })).toBe(false);
  });
});
