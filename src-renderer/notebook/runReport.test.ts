import { expect, test } from 'vitest';
import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import type { ShellRunState } from '../../src-shared/shell/bridge.ts';
import type { CellStatus } from '../../src-shared/wire/cell.ts';
import { applyFrame } from '../state/applyFrame.ts';
import { emptyNotebook, type NotebookModel } from '../state/notebookModel.ts';
import { createRunReport } from './runReport.ts';

const dag = { edges: [], topological_order: ['a', 'b'], leaves: [], roots: [], variable_producer: {} };

function modelWith(statuses: Readonly<Record<string, CellStatus>>): NotebookModel {
  const cells = Object.entries(statuses).map(([id, status]) => fakeCell({ id, status }));
  const payload = { ...fakeBody({ name: 'Weather', cells }), dag };
  return applyFrame(emptyNotebook, { type: 'notebook_state', payload, seq: 1, ts: '2026-01-01T00:00:00Z' });
}

function stage() {
  const told: ShellRunState[] = [];
  const waiting = new Set<() => void>();
  const made = { told, clock: 0, settle: () => [...waiting].forEach((act) => void act()) };
  const report = createRunReport({
    report: (state) => told.push(state),
    nowMs: () => made.clock,
    after: (_ms, act) => {
      const once = (): void => {
        waiting.delete(once);
        act();
      };
      waiting.add(once);
      return () => void waiting.delete(once);
    },
  });
  return Object.assign(made, { report });
}

test.each<[string, CellStatus, boolean]>([
  ['well', 'ready', false],
  ['with a failed cell', 'error', true],
])('[DK-22] reports a run of two cells as one, ended %s', (_name, end, failed) => {
  const it = stage();
  it.report.changed(modelWith({ a: 'idle', b: 'idle' }));
  it.report.changed(modelWith({ a: 'running', b: 'idle' }));
  it.report.changed(modelWith({ a: 'ready', b: 'idle' }));
  it.report.changed(modelWith({ a: 'ready', b: 'running' }));
  it.clock = 12_000;
  it.report.changed(modelWith({ a: 'ready', b: end }));
  expect(it.told).toEqual([{ running: 1, title: 'Weather', seconds: 0, failed: false }]);
  it.settle();
  expect(it.told.at(-1)).toEqual({ running: 0, title: 'Weather', seconds: 12, failed });
  expect(it.told).toHaveLength(2);
});

test('[DK-22] an earlier failure does not count for this run, and leaving the page ends the report', () => {
  const it = stage();
  it.report.changed(modelWith({ a: 'error', b: 'running' }));
  it.report.stop();
  it.report.stop();
  expect(it.told.map(({ running, failed }) => [running, failed])).toEqual([
    [1, false],
    [0, false],
  ]);
});
