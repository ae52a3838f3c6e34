/** The provenance key of a cell: the changes of a notebook that change it, and those that do not. */

import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import { analyzeCell, createAnalyzer } from '../../language/analyzeCell.ts';
import type { CellAnalyzer } from '../../language/cellAnalysis.ts';
import type { ModuleFile } from '../../language/modules/closure.ts';
import type { NotebookFile } from '../../notebook/file/notebookFile.ts';
import type { SessionState } from '../state/state.ts';
import { createWorld } from '../testing/testWorld.ts';
import { relink } from './relink.ts';
import { walkStatuses } from './statuses.ts';

let analyzer: CellAnalyzer;
beforeAll(async () => {
  analyzer = await createAnalyzer();
});

/** A notebook that is edited: three cells in a row, and independent ones. */
interface Notebook {
  readonly a: string;
  readonly b: string;
  readonly c: string;
  readonly file: Partial<NotebookFile>;
  readonly modules: readonly ModuleFile[];
  readonly lockHash: string;
  readonly workerLockHash: string;
}

const FILE: Partial<NotebookFile> = {
  env: { MODE: 'one', OTHER: 'x' },
  workers: [{ name: 'mine', backend: 'local', runtime_id: null, config: {} }],
};
const HELPERS: ModuleFile = { path: 'helpers.py', digest: 'h1', imports: ['util'] };
const UTIL: ModuleFile = { path: 'util.py', digest: 'u1', imports: [] };
const START: Notebook = {
  a: 'import os, helpers\nx = {"k": 1 + 2}\nmode = os.environ["MODE"]',
  b: 'y = [x, mode]',
  c: 'z = len(y)',
  file: FILE,
  modules: [HELPERS, UTIL, { path: 'alone.py', digest: 'l1', imports: [] }],
  lockHash: 'lock',
  workerLockHash: 'lock',
};

/** The keys the three cells would run under. */
function keysOf(notebook: Notebook): readonly string[] {
  const state = createWorld({ a: '', b: '', c: '' }).state();
  const cells = new Map(
    Array.from(state.cells, ([id, cell]) => {
      const source = notebook[id as 'a' | 'b' | 'c'];
      return [id, { ...cell, source, analysis: analyzeCell(analyzer, { language: 'python', source }) }];
    }),
  );
  const changed: SessionState = {
    ...state,
    cells,
    expected: new Map(),
    file: { ...state.file, ...notebook.file },
    modules: {
      files: new Map(notebook.modules.map((file) => [file.path, file])),
      asked: new Set(['helpers', 'os']),
    },
    environment: {
      ...state.environment,
      lockHash: notebook.lockHash,
      workerLockHash: notebook.workerLockHash,
    },
  };
  const next = walkStatuses(relink(changed));
  return ['a', 'b', 'c'].map((id) => next.expected.get(cellId(id))?.provenanceHash ?? '');
}

type Edit = (notebook: Notebook) => Notebook;
const first =
  (change: (source: string) => string): Edit =>
  (notebook) => ({
    ...notebook,
    a: change(notebook.a),
  });
const inFile =
  (part: Partial<NotebookFile>): Edit =>
  (notebook) => ({
    ...notebook,
    file: { ...notebook.file, ...part },
  });
const withModule =
  (changed: ModuleFile): Edit =>
  (notebook) => ({
    ...notebook,
    modules: notebook.modules.map((file) => (file.path === changed.path ? changed : file)),
  });

/** Edits that must not change the key (docs/spec/provenance-and-cache.md, 1, "Not hashed"). */
const MEANINGLESS: Readonly<Record<string, Edit>> = {
  'a comment': first((source) => `# note\n${source}  # more`),
  'blank lines': first((source) => source.replaceAll('\n', '\n\n')),
  quotes: first((source) => source.replaceAll('"', "'")),
  spacing: first((source) => source.replace('1 + 2', '1+2').replace('x = ', 'x  =  ')),
  'a name': first((source) => `# @name other\n${source}`),
  'a time limit': first((source) => `# @timeout 9\n${source}`),
  'being hidden': first((source) => `# @app hide\n${source}`),
  'a faulty line': first((source) => `# @env nothing\n# @fetch\n${source}`),
  'the name of the notebook': inFile({ name: 'Another', owner: 'Ann', updatedAt: 'now' }),
  'a variable that no cell reads': inFile({ env: { MODE: 'one', OTHER: 'y', MORE: 'z' } }),
  'a blank secret': inFile({ env: { MODE: 'one', API_KEY: '' } }),
  'a worker that no cell uses': inFile({ workers: [] }),
  'a module that no cell imports': withModule({ path: 'alone.py', digest: 'l2', imports: [] }),
  'the time limit of the notebook': inFile({ timeout: 5 }),
};

/** Edits that must change the key. */
const MEANINGFUL: Readonly<Record<string, Edit>> = {
  'a literal': first((source) => source.replace('1 + 2', '1 + 3')),
  'a type of literal': first((source) => source.replace('1 +', '1.0 +')),
  'an operator': first((source) => source.replace('+', '-')),
  'the order of statements': first((source) => source.split('\n').reverse().join('\n')),
  'one more statement': first((source) => `${source}\nprint(x)`),
  'a variable of its own': first((source) => `# @env NEW=1\n${source}`),
  'a variable it reads': inFile({ env: { MODE: 'two', OTHER: 'x' } }),
  'a variable it reads, removed': inFile({ env: { OTHER: 'x' } }),
  'its worker': first((source) => `# @worker mine\n${source}`),
  'a mount': first((source) => `# @mount d file:///d\n${source}`),
  'a mount of the notebook': inFile({
    mounts: [{ name: 'd', uri: 'file:///d', mode: 'ro', pin: null, options: {}, credential: null }],
  }),
  'a module it imports': withModule({ ...HELPERS, digest: 'h2' }),
  'a module its module imports': withModule({ ...UTIL, digest: 'u2' }),
  'a module that was deleted': (notebook) => ({ ...notebook, modules: notebook.modules.slice(1) }),
  'the packages': (notebook) => ({ ...notebook, lockHash: 'other' }),
  'a loop': first((source) => `# @loop max_iter=2 carry=x\n${source}`),
  'a fan-out': first((source) => `# @per_variant g\n${source}`),
};

const LOOP = '# @loop max_iter=2 carry=x until=x start_from=c@iter=1\n';
/** Changes of a loop that change its key (docs/spec/provenance-and-cache.md, 1). */
const OF_A_LOOP = [
  LOOP.replace('max_iter=2', 'max_iter=3'),
  LOOP.replace('carry=x', 'carry=mode'),
  LOOP.replace('until=x', 'until=mode'),
  LOOP.replace('start_from=c', 'start_from=b'),
  LOOP.replace('iter=1', 'iter=0'),
];

describe('[PV-28] the key of a cell', () => {
  it.each(Object.entries(MEANINGLESS))('is the same after a change of %s', (_what, edit) => {
    expect(keysOf(edit(START))).toEqual(keysOf(START));
  });

  it.each(Object.entries(MEANINGFUL))(
    'changes with a change of %s, and so do the keys of cells below',
    (_what, edit) => {
      const [before, after] = [keysOf(START), keysOf(edit(START))];
      expect(after.map((key, at) => key === before[at])).toEqual([false, false, false]);
    },
  );

  it.each(OF_A_LOOP)('of a loop changes with %j', (line) => {
    const of = (loop: string) => keysOf({ ...START, a: loop + START.a })[0];
    expect(of(line)).not.toBe(of(LOOP));
  });

  /** The worker of a cell, and the lock hash of its packages: of the installed ones, or of the lock. */
  it.each<[string, Readonly<Record<string, string>> | null, 'lockHash' | 'workerLockHash']>([
    ['this machine', null, 'lockHash'],
    ['a worker that takes the notebook’s own Python', { url: 'embedded://local' }, 'lockHash'],
    ['a worker elsewhere, which builds from the lock', { url: 'http://far' }, 'workerLockHash'],
  ])('[SO-231] on %s contains the packages of that worker', (_where, config, counts) => {
    const worker = { name: 'mine', backend: 'executor' as const, runtime_id: null, config: config ?? {} };
    const on = {
      ...START,
      ...(config === null ? {} : { file: { ...FILE, workers: [worker], worker: 'mine' } }),
    };
    const other = { lockHash: 'workerLockHash', workerLockHash: 'lockHash' } as const;
    expect(keysOf({ ...on, [other[counts]]: 'other' })).toEqual(keysOf(on));
    expect(keysOf({ ...on, [counts]: 'other' })[0]).not.toBe(keysOf(on)[0]);
  });

  it('changes with any combination that has a meaningful change, and with no other', () => {
    const meaningless = fc.subarray(Object.keys(MEANINGLESS));
    const meaningful = fc.option(fc.constantFrom(...Object.keys(MEANINGFUL)));
    fc.assert(
      fc.property(meaningless, meaningful, fc.boolean(), (idle, real, before) => {
        const all = [...idle.map((name) => MEANINGLESS[name]), ...(real === null ? [] : [MEANINGFUL[real]])];
        const edits = before ? all.reverse() : all;
        const edited = edits.reduce((notebook, edit) => edit?.(notebook) ?? notebook, START);
        const isSame = keysOf(edited)[0] === keysOf(START)[0];
        if (real === null) expect(isSame).toBe(true);
        // Two edits of the same place: the later one may revert the earlier one.
        else if (!idle.some((name) => /variable|secret|worker|spacing/.test(name)))
          expect(isSame).toBe(false);
      }),
      { numRuns: 100 },
    );
  });
});
