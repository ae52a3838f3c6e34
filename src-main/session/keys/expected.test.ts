import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import { createWorld } from '../testing/testWorld.ts';
import { pendingPython } from '../testing/toySteps.ts';
import { allData } from './data.ts';
import { walkStatuses } from './statuses.ts';

const NOTEBOOK = { MODE: 'all', API_KEY: 'k' };

/** The variables of a cell with these annotations, and its key, in a notebook with `NOTEBOOK` as env. */
function runOf(annotations: string): { env: Readonly<Record<string, string>>; key: string } {
  const world = createWorld({ a: 'x = 1' });
  const state = world.state();
  Object.assign(state, { file: { ...state.file, env: NOTEBOOK } });
  const source = `${annotations}x = 1`;
  world.send({ type: 'edit_source', cellId: cellId('a'), source, force: false });
  world.send({ type: 'run_cell', cellId: cellId('a'), mode: 'normal', upstream: 'go' });
  const { env, provenanceHash: key } = pendingPython(world);
  return { env, key };
}

describe('[PV-12] the variables of a cell', () => {
  const plain = runOf('');
  for (const { what, annotations, env, sameKey } of [
    { what: 'the notebook’s', annotations: '', env: NOTEBOOK, sameKey: true },
    {
      what: 'its own win',
      annotations: '# @env MODE=one\n',
      env: { ...NOTEBOOK, MODE: 'one' },
      sameKey: false,
    },
    {
      what: 'an empty value is a value',
      annotations: '# @env MODE=\n',
      env: { ...NOTEBOOK, MODE: '' },
      sameKey: false,
    },
    {
      what: 'a blank secret is a placeholder',
      annotations: '# @env API_KEY=\n',
      env: NOTEBOOK,
      sameKey: true,
    },
  ]) {
    it(what, () => {
      const run = runOf(annotations);
      expect(run.env).toEqual(env);
      expect(run.key === plain.key).toBe(sameKey);
    });
  }
});

describe('[PV-14] cached keys', () => {
  const ids = ['a', 'b', 'c', 'd'];
  const names = ['x', 'y', 'z'];
  const line = fc
    .tuple(fc.constantFrom(...names), fc.subarray([...names, 'MODE', 'boom']))
    .map(([name, reads]) => `${name} = ${reads.join(' + ')}`);
  const annotation = fc.constantFrom(
    '',
    '# @nocache\n',
    '# @setup\n',
    '# @env MODE=1\n',
    '# @after a\n',
    '# @after c\n',
    '# @mount m file:///m\n',
    '# @mount m file:///m rw\n',
    '# @variant g lo\n',
    '# @variant g hi\n',
    '# @per_variant\n',
  );
  const source = fc
    .tuple(annotation, fc.array(line, { maxLength: 2 }))
    .map(([head, body]) => head + body.join('\n'));
  const cell = fc.constantFrom(...ids).map(cellId);
  const act = fc.oneof(
    fc.record({ kind: fc.constant('edit' as const), cellId: cell, source }),
    fc.record({ kind: fc.constant('run' as const), cellId: cell }),
    fc.record({ kind: fc.constant('env' as const), env: fc.constantFrom({}, { MODE: '2' }, { MODE: '3' }) }),
    fc.record({ kind: fc.constant('outside' as const), token: fc.constantFrom('one', 'two', null) }),
    fc.record({
      kind: fc.constant('choose' as const),
      active: fc.constantFrom('lo', 'hi', ''),
      mode: fc.constantFrom('switch' as const, 'sweep' as const),
    }),
    fc.record({ kind: fc.constant('lock' as const), lockHash: fc.constantFrom('l1', 'l2') }),
  );

  it('equal recomputed ones, after any edits, runs, variables and locks', () => {
    fc.assert(
      fc.property(
        fc.array(source, { minLength: 4, maxLength: 4 }),
        fc.array(act, { maxLength: 25 }),
        (start, acts) => {
          let lying: string | null = 'none';
          const world = createWorld(Object.fromEntries(ids.map((id, i) => [id, start[i] ?? ''])), {
            outside: ({ key }, checkedAtMs) => ({ key, token: lying, problem: null, checkedAtMs }),
          });
          for (const one of acts) {
            const state = world.state();
            world.advanceMs(1);
            if (one.kind === 'outside') {
              lying = one.token;
              const fact = { token: lying, problem: null, checkedAtMs: Number.MAX_SAFE_INTEGER };
              const facts = Array.from(allData(state).keys(), (key) => ({ ...fact, key }));
              world.report({ type: 'data_checked', facts });
            } else if (one.kind === 'edit') {
              world.send({ type: 'edit_source', cellId: one.cellId, source: one.source, force: true });
            } else if (one.kind === 'run') {
              world.send({ type: 'run_cell', cellId: one.cellId, mode: 'normal', upstream: 'go' });
              world.settle();
            } else if (one.kind === 'choose') {
              world.send({ type: 'choose_variant', group: 'g', active: one.active, mode: one.mode });
            } else if (one.kind === 'env') Object.assign(state, { file: { ...state.file, env: one.env } });
            else Object.assign(state, { environment: { ...state.environment, lockHash: one.lockHash } });
            const now = walkStatuses(world.state());
            const fromNothing = walkStatuses({ ...world.state(), expected: new Map() });
            expect([...now.expected]).toEqual([...fromNothing.expected]);
            expect([...now.cells]).toEqual([...fromNothing.cells]);
          }
        },
      ),
    );
  });

  it('an edit leaves the keys of all cells but those below it unchanged', () => {
    const world = createWorld({ a: 'x = 1', b: 'y = x', c: 'z = 1', d: 'w = z' });
    const before = world.state().expected;
    world.send({ type: 'edit_source', cellId: cellId('c'), source: 'z = 2 + q', force: false });
    const after = world.state().expected;
    expect(ids.map((id) => after.get(cellId(id)) === before.get(cellId(id)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
