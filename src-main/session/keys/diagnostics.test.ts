import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import { createWorld, type World } from '../testing/testWorld.ts';
import { viewCell, viewDagUpdate } from '../view/view.ts';
import { walkStatuses } from './statuses.ts';

const A = cellId('a');

function codes(world: World, id = A): readonly string[] {
  const cell = world.state().cells.get(id);
  return cell === undefined
    ? []
    : viewCell(world.state(), cell).annotation_diagnostics.map(({ code }) => code);
}

/** Keys and their possible arguments, valid and invalid, in any combination. */
const key = fc.constantFrom(
  ...['name', 'timeout', 'env', 'mount', 'table', 'fetch', 'dataset', 'nocache', 'live', 'after', 'variant'],
  ...[
    'per_variant',
    'loop',
    'loop_until',
    'app',
    'sql',
    'cache',
    'model',
    'output_schema',
    'constructor',
    '',
  ],
);
const word = fc.oneof(
  fc.constantFrom(
    'x',
    'a',
    'ns.t',
    'file:///d',
    'ftp://x',
    'K=v',
    '=',
    'max_iter=0',
    'max_iter=2',
    'carry=x',
  ),
  fc.constantFrom(
    'carry=',
    'start_from=a@iter=1',
    'start_from=zz@iter=0',
    'until=)',
    'snapshot=x',
    'ttl=',
    '{',
  ),
  fc.string({ maxLength: 12 }),
);
const line = fc
  .tuple(key, fc.array(word, { maxLength: 4 }))
  .map(([name, words]) => `# @${name} ${words.join(' ')}`.replace(/[\r\n\u2028\u2029]/g, ' '));

describe('[AN-6] diagnostics never prevent a cell from running', () => {
  it('for any annotations, except loops and fan-outs, which have separate runs', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const world = createWorld({ a: 'x = 1' });
        const source = [...lines, 'x = 1'].join('\n');
        const reply = world.send({ type: 'edit_source', cellId: A, source, force: true });
        expect(reply?.kind).toBe('done');
        world.send({ type: 'run_cell', cellId: A, mode: 'normal', upstream: 'go' });
        const isOwn = /@(loop|loop_until|per_variant|variant|mount|table|fetch|dataset)\b/i.test(source);
        if (!isOwn) expect(world.pending).toHaveLength(1);
        world.settle();
        expect(world.state().running).toBe(null);
      }),
    );
  });
});

describe('[AN-7] diagnostics follow the notebook', () => {
  it('on opening, on an edit of the cell and of another, and when the file is read again', () => {
    const loop = '# @loop max_iter=2 carry=x start_from=b@iter=1\nx = 1';
    const world = createWorld({ a: loop, b: 'x = 2' });
    expect(codes(world)).toEqual([]);
    const { file } = world.state();
    const entries = file.cells.filter(({ id }) => id === A);
    world.report({
      type: 'structure_changed',
      ticket: 0,
      file: { ...file, cells: entries },
      added: [],
      removed: [cellId('b')],
      change: 'deleted',
      reply: { kind: 'done' },
    });
    expect(codes(world)).toEqual(['loop_start_from_unknown']);
    const update = { file: { ...file, cells: entries }, changed: [], added: [], removed: [] };
    const changed = [{ id: A, source: '# @worker gpu\nx = 1', testSource: '', problem: null }];
    world.report({ type: 'files_changed', followed: { ...update, changed } });
    expect(codes(world)).toEqual(['worker_unknown']);
    const workers = [{ name: 'gpu', backend: 'local', runtime_id: null, config: {} }] as const;
    world.report({ type: 'files_changed', followed: { ...update, file: { ...update.file, workers } } });
    expect(codes(world)).toEqual([]);
  });

  it('are sent with the graph, and equal those of a newly opened notebook', () => {
    const world = createWorld({ a: 'x = 1', b: '# @loop max_iter=1 carry=y start_from=q@iter=0\nz = x' });
    const opened = viewDagUpdate(world.state(), null).cells.map((cell) => cell.annotation_diagnostics);
    expect(opened.map((list) => list.map(({ code }) => code))).toEqual([
      [],
      ['loop_start_from_unknown', 'loop_carry_unknown'],
    ]);
    const again = walkStatuses(world.state());
    expect([...again.cells.values()]).toEqual([...world.state().cells.values()]);
    expect(again.cells).toBe(world.state().cells);
  });
});
