import { expect, it } from 'vitest';
import type { Causality, Cell } from '../../src-shared/wire/cell.ts';
import { sampleCell } from '../../src-shared/wire/testing/sampleNotebook.ts';
import { causeOf } from './cause.ts';
import { emptyNotebook } from './notebookModel.ts';

const because = (causality: Causality, status: Cell['status'] = 'idle') =>
  causeOf(emptyNotebook, sampleCell({ id: 'a', status, causality }));

it.each<[string, Causality, unknown]>([
  ['its own source', { reason: 'self', details: [{ type: 'source_changed' }] }, { kind: 'source' }],
  [
    'modules it imports',
    { reason: 'self', details: ['b.py', 'pkg/c.py'].map((module) => ({ type: 'source_changed', module })) },
    { kind: 'modules', paths: ['b.py', 'pkg/c.py'] },
  ],
  [
    'the set-up cell',
    {
      reason: 'self',
      details: [{ type: 'source_changed', setup: true, cell_id: 'z', cell_name: 'options' }],
    },
    { kind: 'setup', name: 'options' },
  ],
  [
    'a table with a new snapshot',
    { reason: 'self', details: [{ type: 'source_changed', data: 'orders', snapshot: '9007199254740993' }] },
    { kind: 'data', names: ['orders'], snapshot: '9007199254740993' },
  ],
  [
    'several data',
    {
      reason: 'self',
      details: [
        { type: 'source_changed', data: 'orders', snapshot: '1' },
        { type: 'source_changed', data: 'raw' },
      ],
    },
    { kind: 'data', names: ['orders', 'raw'], snapshot: null },
  ],
  [
    'the environment',
    { reason: 'env', details: [{ type: 'env_changed', package: 'notebook env' }] },
    { kind: 'environment' },
  ],
  [
    'an input',
    { reason: 'upstream', details: [{ type: 'input_changed', cell_id: 'z', cell_name: 'x' }] },
    { kind: 'inputs', cells: [{ id: 'z', name: 'x' }] },
  ],
])('[PV-24] the cause of a cell that must run is %s', (_what, causality, expected) => {
  expect(because(causality)).toEqual(expected);
  expect(because(causality, 'ready')).toBeNull();
});
