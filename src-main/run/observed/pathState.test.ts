import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Observed } from '../../../src-shared/wire/harness.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { plainPython } from '../testing/testStep.ts';
import { mayAnswer } from './answers.ts';
import { checkPaths } from './checkPaths.ts';
import {
  type FileFact,
  isClosed,
  NOTHING_SEEN,
  OBSERVED_PARAM,
  type Observation,
  observationIn,
  observationOf,
} from './observation.ts';
import { brokenFact, isSameFile, type PathState, pathStatesAfter } from './pathState.ts';
import { pathsToCheck } from './paths.ts';
import { worldOf } from './world.ts';

const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
const file = (path: string, text: string, mtimeNs = '1'): FileFact => ({
  path,
  size: text.length,
  mtimeNs,
  sha256: sha(text),
});
const fileState = (text: string, mtimeNs: string, hashed = true): PathState => ({
  kind: 'file',
  size: text.length,
  mtimeNs,
  sha256: hashed ? sha(text) : null,
});
const ABSENT: PathState = { kind: 'absent' };

interface Row {
  readonly what: string;
  readonly run: Partial<Observation>;
  readonly files?: Readonly<Record<string, PathState>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly others?: readonly FileFact[];
  /** `kind name` of the fact that does not hold. */
  readonly broken: string | null;
}

const MODE = observationOf(
  {
    reads: [],
    absent: [],
    listed: [],
    wrote: [],
    env: ['MODE', 'NONE'],
    env_all: false,
    open: [],
    unsteady: false,
  },
  {
    notebookDir: notebookFolder('/n'),
    env: { MODE: 'fast' },
    modules: new Set(),
    isElsewhere: false,
    isPart: false,
  },
);
const WHOLE = observationOf(
  { reads: [], absent: [], listed: [], wrote: [], env: [], env_all: true, open: [], unsteady: false },
  {
    notebookDir: notebookFolder('/n'),
    env: { A: '1' },
    modules: new Set(),
    isElsewhere: false,
    isPart: false,
  },
);

const ROWS: readonly Row[] = [
  { what: 'nothing is known', run: {}, broken: null },
  {
    what: 'a file is as it was',
    run: { reads: [file('a', 'x')] },
    files: { a: fileState('x', '1', false) },
    broken: null,
  },
  {
    what: 'a file was touched',
    run: { reads: [file('a', 'x')] },
    files: { a: fileState('x', '2') },
    broken: null,
  },
  {
    what: 'a file has other bytes',
    run: { reads: [file('a', 'x')] },
    files: { a: fileState('y', '2') },
    broken: 'read a',
  },
  {
    what: 'a file is longer',
    run: { reads: [file('a', 'x')] },
    files: { a: fileState('xx', '1') },
    broken: 'read a',
  },
  { what: 'a file was deleted', run: { reads: [file('a', 'x')] }, files: { a: ABSENT }, broken: 'read a' },
  {
    what: 'a large file was touched',
    run: { reads: [{ ...file('a', 'x'), sha256: null }] },
    files: { a: fileState('x', '2', false) },
    broken: 'read a',
  },
  {
    what: 'a file it missed exists now',
    run: { absent: ['a'] },
    files: { a: fileState('', '1') },
    broken: 'absent a',
  },
  { what: 'a file it missed is still missing', run: { absent: ['a'] }, files: { a: ABSENT }, broken: null },
  {
    what: 'a folder has other names',
    run: { listed: [{ path: 'd', sha256: sha('a') }] },
    files: { d: { kind: 'folder', sha256: sha('b') } },
    broken: 'listed d',
  },
  {
    what: 'a folder was deleted',
    run: { listed: [{ path: 'd', sha256: sha('a') }] },
    files: { d: ABSENT },
    broken: 'listed d',
  },
  {
    what: 'a missing folder stayed missing',
    run: { listed: [{ path: 'd', sha256: null }] },
    files: { d: ABSENT },
    broken: null,
  },
  {
    what: 'a file it wrote was deleted',
    run: { wrote: [file('o', 'x')] },
    files: { o: ABSENT },
    broken: 'wrote o',
  },
  {
    what: 'a file it wrote was overwritten by another cell',
    run: { wrote: [file('o', 'x')] },
    files: { o: fileState('xy', '2') },
    others: [file('o', 'xy', '2')],
    broken: null,
  },
  {
    what: 'a file it removed exists again',
    run: { wrote: [{ path: 'o', gone: true }] },
    files: { o: fileState('x', '1') },
    broken: 'wrote o',
  },
  { what: 'a variable has the value it had', run: MODE, env: { MODE: 'fast' }, broken: null },
  { what: 'a variable value changed', run: MODE, env: { MODE: 'slow' }, broken: 'env MODE' },
  { what: 'a variable no longer exists', run: MODE, env: {}, broken: 'env MODE' },
  { what: 'a variable it missed exists now', run: MODE, env: { MODE: 'fast', NONE: '' }, broken: 'env NONE' },
  { what: 'a variable it did not read exists now', run: MODE, env: { MODE: 'fast', B: '1' }, broken: null },
  { what: 'any variable, if the run read all of them', run: WHOLE, env: { A: '1', B: '1' }, broken: 'env ' },
];

describe('[SO-2] facts of a run', () => {
  it.each(ROWS)('$what', ({ run, files = {}, env = {}, others = [], broken }) => {
    const now = { files: new Map(Object.entries(files)), env, others };
    const fault = brokenFact({ ...NOTHING_SEEN, ...run }, now);
    expect(fault === null ? null : `${fault.kind} ${fault.name}`).toBe(broken);
  });

  it('hold for the files that the run itself left', () => {
    const facts = fc.record({
      reads: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
      wrote: fc.uniqueArray(fc.constantFrom('c', 'd'), { maxLength: 2 }),
      absent: fc.uniqueArray(fc.constantFrom('e', 'f'), { maxLength: 2 }),
    });
    fc.assert(
      fc.property(facts, ({ reads, wrote, absent }) => {
        const run = {
          ...NOTHING_SEEN,
          reads: reads.map((path) => file(path, path)),
          wrote: wrote.map((path) => file(path, path)),
          absent,
        };
        expect(brokenFact(run, { files: pathStatesAfter(run), env: {}, others: [] })).toBeNull();
      }),
    );
  });
});

describe('[SO-3] the observations of a harness', () => {
  const about = {
    notebookDir: notebookFolder('/n'),
    env: {},
    modules: new Set(['own.py']),
    isElsewhere: false,
    isPart: false,
  };
  const read = (path: string) => ({ path, size: 1, mtime_ns: '1', sha256: null });
  const nothing: Observed = {
    reads: [],
    absent: [],
    listed: [],
    wrote: [],
    env: [],
    env_all: false,
    open: [],
    unsteady: false,
  };

  it('are stored with paths of the notebook, without the modules that are in its key', () => {
    const saw = {
      ...nothing,
      reads: ['/n/d/a.csv', '/x/b.csv', '/n/own.py'].map(read),
      listed: [{ path: '/n', sha256: null }],
    };
    const observation = observationOf(saw, about);
    expect(observation.reads.map(({ path }) => path)).toEqual(['d/a.csv', '/x/b.csv']);
    expect(observation.listed.map(({ path }) => path)).toEqual(['.']);
    expect(observationIn({ params: { [OBSERVED_PARAM]: JSON.stringify(observation) } })).toEqual(observation);
  });

  it.each([
    ['nothing', {}, {}, true],
    ['a read', { reads: [read('/n/a')] }, {}, true],
    ['the network', { open: ['network'] }, {}, false],
    ['a clock', { unsteady: true }, {}, false],
    ['one iteration of many', {}, { isPart: true }, false],
    ['files of another machine', { reads: [read('/n/a')] }, { isElsewhere: true }, false],
    ['nothing on another machine', {}, { isElsewhere: true }, true],
    [
      'more than a row can hold',
      { absent: Array.from({ length: 9_999 }, (_, i) => `/n/file-number-${i}`) },
      {},
      false,
    ],
  ] as const)('whether a run is closed: %s', (_what, saw, how, closed) => {
    expect(isClosed(observationOf({ ...nothing, ...saw } as Observed, { ...about, ...how }))).toBe(closed); // rows are readonly
  });
});

describe('[SO-4] a stored version answers', () => {
  const now = { files: new Map([['a', fileState('y', '2')]]), env: {}, others: [] };
  const row = (params: Readonly<Record<string, string>>) =>
    ({ params }) as unknown as Parameters<typeof mayAnswer>[0]; // only params count
  const observed = (part: Partial<Observation>) => ({
    [OBSERVED_PARAM]: JSON.stringify({ ...NOTHING_SEEN, ...part }),
  });
  it.each([
    ['by its key, of an older program', {}, 'provenance', 'python', true],
    ['by content, of an older program', {}, 'content', 'python', false],
    ['by content, of R', {}, 'content', 'r', false],
    ['by content, of a query', {}, 'content', 'sql', true],
    ['of the values it reads', { basis: 'now', ...observed({}) }, 'content', 'python', true],
    ['of other values', { basis: 'before', ...observed({}) }, 'provenance', 'python', false],
    ['by its key where not all was seen', observed({ open: ['network'] }), 'provenance', 'python', true],
    ['by content where not all was seen', observed({ open: ['network'] }), 'content', 'python', false],
    ['of a file that changed', observed({ reads: [file('a', 'x')] }), 'provenance', 'python', false],
  ] as const)('%s', (_what, params, by, language, answers) => {
    expect(mayAnswer(row(params), by, { language, basis: 'now', now })).toBe(answers);
  });
});

describe('[SO-5] the world of a value', () => {
  const facts = {
    sourceHash: 's',
    inputs: [],
    lockHash: 'l',
    timeoutSeconds: 1,
    env: {},
    worker: 'local',
    data: [],
    modules: [],
  };
  const request = plainPython({ source: '', envHash: 'e', facts });
  const QUERY = { language: 'sql', sql: { write: false } };
  const world = (part: object, observation: Observation | null = NOTHING_SEEN, runId = 'r1') =>
    worldOf({ ...request, ...part }, { runId, observation });
  const input = (params: Readonly<Record<string, string>>) => ({
    inputs: [
      { variable: 'x', producerId: 'p', row: { params, contentSha256: 'c' }, variant: null, perRun: false },
    ],
  });
  const mount = (token: string | null) => ({
    facts: { ...facts, data: [{ kind: 'mount', name: 'm', uri: 'u', token }] },
  });

  it.each([
    ['another run of code that only computes', world({}), world({}, NOTHING_SEEN, 'r2'), true],
    ['another environment', world({}), world({ envHash: 'f' }), false],
    ['another state of a mount', world(mount('1')), world(mount('2')), false],
    ['a mount that cannot be read', world(mount(null)), world(mount(null), NOTHING_SEEN, 'r2'), false],
    [
      'another run of @nocache',
      world({ cacheable: false }),
      world({ cacheable: false }, NOTHING_SEEN, 'r2'),
      false,
    ],
    [
      'another run that wrote a file',
      world({}, { ...NOTHING_SEEN, wrote: [file('a', 'x')] }),
      world({}, { ...NOTHING_SEEN, wrote: [file('a', 'x')] }, 'r2'),
      false,
    ],
    ['another run of which nothing is known', world({}, null), world({}, null, 'r2'), false],
    ['another run of a query', world(QUERY, null), world(QUERY, null, 'r2'), true],
    ['an input of another world', world(input({ world: '1' })), world(input({ world: '2' })), false],
    ['an input of an unknown world', world(input({ run: 'a' })), world(input({ run: 'b' })), false],
  ] as const)('%s', (_what, one, other, isSame) => {
    expect(one === other).toBe(isSame);
  });
});

describe('[SO-6] checking files', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'observed-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));
  const look = (facts: Partial<Observation>) =>
    checkPaths(notebookFolder(dir), pathsToCheck([{ ...NOTHING_SEEN, ...facts }]));

  it('reports size and time, and reads the bytes only if needed', async () => {
    await writeFile(join(dir, 'a'), 'x');
    await utimes(join(dir, 'a'), 1, 1);
    const fact = file('a', 'x', '1000000000');
    expect(look({ reads: [fact] }).get('a')).toEqual({
      kind: 'file',
      size: 1,
      mtimeNs: '1000000000',
      sha256: null,
    });
    await utimes(join(dir, 'a'), 2, 2);
    const state = look({ reads: [fact] }).get('a');
    expect(state).toEqual({ kind: 'file', size: 1, mtimeNs: '2000000000', sha256: sha('x') });
    expect(state !== undefined && isSameFile(fact, state)).toBe(true);
    await writeFile(join(dir, 'a'), 'y');
    const changed = look({ reads: [fact] }).get('a');
    expect(changed !== undefined && isSameFile(fact, changed)).toBe(false);
  });

  it('lists a folder as the harness does, and reports missing files', async () => {
    await mkdir(join(dir, 'd/.svc'), { recursive: true });
    await writeFile(join(dir, 'd/b'), '');
    await writeFile(join(dir, 'd/ä'), '');
    const digest = createHash('sha256').update(Buffer.from('b\0ä\0')).digest('hex');
    const now = look({ listed: [{ path: 'd', sha256: null }], absent: ['no'] });
    expect(now.get('d')).toEqual({ kind: 'folder', sha256: digest });
    expect(now.get('no')).toEqual({ kind: 'absent' });
    await symlink('nowhere', join(dir, 'no'));
    expect(look({ absent: ['no'] }).get('no')).toEqual({ kind: 'absent' });
    await unlink(join(dir, 'no'));
  });
});
