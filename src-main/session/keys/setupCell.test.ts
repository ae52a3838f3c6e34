import { beforeAll, describe, expect, it } from 'vitest';
import { type CellId, cellId } from '../../../src-shared/notebook/ids.ts';
import type { Language } from '../../../src-shared/wire/cell.ts';
import { analyzeCell, createAnalyzer } from '../../language/analyzeCell.ts';
import type { CellAnalyzer } from '../../language/cellAnalysis.ts';
import type { ModuleFile } from '../../language/modules/closure.ts';
import { provenanceOf } from '../../run/provenance.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { createWorld } from '../testing/testWorld.ts';
import { pendingPython } from '../testing/toySteps.ts';
import { explainCell } from '../view/explainCell.ts';
import { relink } from './relink.ts';
import { walkStatuses } from './statuses.ts';

let analyzer: CellAnalyzer;
beforeAll(async () => {
  analyzer = await createAnalyzer();
});

interface Notebook {
  readonly setup: string;
  readonly reader?: string;
  readonly language?: Language;
  readonly env?: Readonly<Record<string, string>>;
  readonly modules?: readonly ModuleFile[];
}

const HELPERS: ModuleFile = { path: 'helpers.py', digest: 'h1', imports: [] };
const SETUP = '# @setup\nimport os, helpers\nos.environ.setdefault("MODE", "x")';
const ENV = { MODE: 'one', OTHER: 'x' };

/** A notebook of two cells, walked: the first is `s`, the second `a`. */
function walked({ setup, reader = 'y = 1', language = 'python', env = ENV, modules = [HELPERS] }: Notebook) {
  const state = createWorld({ s: '', a: '' }).state();
  const texts: Readonly<Record<string, readonly [Language, string]>> = {
    s: ['python', setup],
    a: [language, reader],
  };
  const cells = new Map(
    [...state.cells].map(([id, cell]): [CellId, CellState] => {
      const [spoken, source] = texts[id] ?? ['python', ''];
      const analysis = analyzeCell(analyzer, { language: spoken, source });
      return [
        id,
        { ...cell, language: spoken, entry: { ...cell.entry, language: spoken }, source, analysis },
      ];
    }),
  );
  const changed: SessionState = {
    ...state,
    cells,
    expected: new Map(),
    file: { ...state.file, env },
    modules: {
      files: new Map(modules.map((file) => [file.path, file])),
      asked: new Set(['helpers', 'os']),
    },
  };
  return walkStatuses(relink(changed));
}

/** Both keys of `a`. */
function keysOf(notebook: Notebook): readonly unknown[] {
  const run = walked(notebook).expected.get(cellId('a'));
  return [run?.provenanceHash, run?.contentKey];
}

const NONE: Notebook = { setup: SETUP.replace('# @setup\n', '') };
const START: Notebook = { setup: SETUP };

describe('[SO-172] keys in a notebook with a set-up cell', () => {
  it('equal those in a notebook without one', () => {
    const state = walked(NONE);
    for (const [id, run] of state.expected) {
      const own = state.cells.get(id)?.analysis.sourceHash ?? '';
      expect(run.sourceHash).toBe(own);
      expect(run.provenanceHash).toBe(provenanceOf(run.inputs, own, run.envHash));
    }
  });

  it('the set-up cell’s own key is that of an ordinary cell', () => {
    const key = (notebook: Notebook) => walked(notebook).expected.get(cellId('s'))?.provenanceHash;
    expect(key(START)).toBe(key(NONE));
  });

  const SAME: Readonly<Record<string, Notebook>> = {
    'a comment': { setup: `${SETUP}  # why` },
    spacing: { setup: SETUP.replace('"MODE", ', "'MODE',") },
    'its name': { setup: `# @name start\n${SETUP}` },
    'a variable it does not read': { ...START, env: { ...ENV, OTHER: 'y' } },
  };
  it.each(Object.entries(SAME))('are the same after a change of %s', (_what, notebook) => {
    expect(keysOf(notebook)).toEqual(keysOf(START));
  });

  const OTHER: Readonly<Record<string, Notebook>> = {
    'its presence': NONE,
    'its text': { setup: `${SETUP}\nos.chdir("x")` },
    'a variable it reads': { ...START, env: { ...ENV, MODE: 'two' } },
    'a module it imports': { ...START, modules: [{ ...HELPERS, digest: 'h2' }] },
    'what makes it an ordinary cell': { setup: `# @env A=1\n${SETUP}` },
  };
  it.each(Object.entries(OTHER))('change after a change of %s', (_what, notebook) => {
    const [before, after] = [keysOf(START), keysOf(notebook)];
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  const LANGUAGES: readonly (readonly [Language, string, boolean])[] = [
    ['python', 'y = 1', false],
    ['prompt', 'Hello', false],
    ['r', 'y <- 1', true],
    ['sql', '# @sql connection=c\nselect 1', true],
    ['markdown', '# Hello', true],
    ['widget', 'y = slider(1, 2)', true],
  ];
  it.each(LANGUAGES)('of a cell in %s', (language, reader, same) => {
    const [without, withIt] = [keysOf({ ...NONE, language, reader }), keysOf({ ...START, language, reader })];
    expect(JSON.stringify(withIt) === JSON.stringify(without)).toBe(same);
  });

  it('finished iterations of a loop are not reused with another set-up cell', () => {
    const hash = (setup: string) => {
      const world = createWorld({ s: setup, a: 'x = 1', b: '# @loop max_iter=2 carry=x\nx = x + 1' });
      world.send({ type: 'run_cell', cellId: cellId('b'), mode: 'normal', upstream: 'go' });
      world.step();
      const step = pendingPython(world);
      return step.shape === 'loop' ? step.loop.iterationHash : undefined;
    };
    expect(hash('# @setup\nq = 1')).toBeDefined();
    expect(hash('# @setup\nq = 1')).not.toBe(hash('# @setup\nq = 2'));
  });
});

describe('[SO-176] an edit of the set-up cell', () => {
  const run = (world: ReturnType<typeof createWorld>, id: string): void => {
    world.send({ type: 'run_cell', cellId: cellId(id), mode: 'normal', upstream: 'go' });
    world.settle();
  };
  const cellOf = (world: ReturnType<typeof createWorld>, id: string) => {
    const cell = world.state().cells.get(cellId(id));
    if (cell === undefined) throw new Error(`no cell ${id}`);
    return cell;
  };
  const edit = (world: ReturnType<typeof createWorld>, id: string, source: string): void => {
    world.send({ type: 'edit_source', cellId: cellId(id), source, force: true });
  };

  const EDITS: readonly (readonly [what: string, from: string, to: string, headline: RegExp])[] = [
    ['that changes its text', '# @setup\nq = 1', '# @setup\nq = 2', /^The setup cell q changed\./],
    ['that removes it', '# @setup\nq = 1', 'q = 1', /^The setup cell q no longer runs before this cell\./],
    ['that makes one', 'q = 1', '# @setup\nq = 1', /^The setup cell q now runs before this cell\./],
  ];
  it.each(EDITS)('%s makes every cell stale and is named as the reason', (_what, from, to, headline) => {
    const world = createWorld({ s: from, a: 'x = 1', b: 'y = x' });
    for (const id of ['s', 'a', 'b']) run(world, id);
    expect(['a', 'b'].map((id) => cellOf(world, id).status)).toEqual(['ready', 'ready']);
    edit(world, 's', to);
    for (const id of ['a', 'b']) {
      const cell = cellOf(world, id);
      expect(cell.status).not.toBe('ready');
      expect(cell.causality).toEqual({
        reason: 'self',
        details: [{ type: 'source_changed', setup: true, cell_id: 's', cell_name: 'q' }],
      });
      expect(explainCell(world.state(), cellId(id))?.headline).toMatch(headline);
    }
    edit(world, 's', from);
    expect(['a', 'b'].map((id) => cellOf(world, id).status)).toEqual(['ready', 'ready']);
  });

  it('makes failed cells run again', () => {
    const world = createWorld({ s: '# @setup\nq = 1', a: 'x = 1' });
    world.send({ type: 'run_cell', cellId: cellId('a'), mode: 'normal', upstream: 'go' });
    world.step({
      kind: 'failed',
      error: 'The setup cell failed',
      traceback: null,
      suggestInstall: null,
      method: 'cold',
      stdout: '',
      stderr: '',
      durationMs: 1,
    });
    expect(cellOf(world, 'a').status).toBe('error');
    edit(world, 's', '# @setup\nq = 2');
    expect(cellOf(world, 'a').status).toBe('idle');
  });

  it('is passed to each step with its text, but is not run for the set-up cell itself', () => {
    const world = createWorld({ m: 'md:Text', s: '# @setup\nq = 1', a: 'x = 1' });
    run(world, 's');
    const setups: unknown[] = [];
    for (const id of ['s', 'a']) {
      world.send({ type: 'run_cell', cellId: cellId(id), mode: 'rerun', upstream: 'go' });
      setups.push(pendingPython(world).setup);
      world.settle();
    }
    expect(setups).toEqual([null, { source: '# @setup\nq = 1', cellName: 'q' }]);
  });
});
