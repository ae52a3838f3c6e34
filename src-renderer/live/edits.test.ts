import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { applyFrame } from '../state/applyFrame.ts';
import { emptyNotebook } from '../state/notebookModel.ts';
import { createNotebookStore } from '../state/notebookStore.ts';
import { Edits } from './edits.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Edits of a window on one cell, on a live connection; returns what was sent. */
function window() {
  const store = createNotebookStore({ sessionId: 's', path: null });
  const dag = { edges: [], topological_order: [], leaves: [], roots: [], variable_producer: {} };
  const payload = { ...fakeBody({ name: 'n', cells: [fakeCell({ id: 'a', source: 'a = 1' })] }), dag };
  const state = { type: 'notebook_state', payload, seq: 1, ts: '2026-01-01T00:00:00Z' } as const;
  store.setState({ model: applyFrame(emptyNotebook, state) });
  const sent: unknown[] = [];
  const edits = new Edits({
    view: store.getState,
    set: store.setState,
    send: (frame) => sent.push(frame.payload) > 0,
    synced: () => true,
    typed: () => undefined,
  });
  return { edits, sent, draft: () => store.getState().drafts['a'] };
}

test('[ED-7] what is typed is sent within a second of the last key, once', () => {
  const { edits, sent } = window();
  edits.type('a', 'a = 12');
  vi.advanceTimersByTime(500);
  edits.type('a', 'a = 123');
  vi.advanceTimersByTime(500);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(500);
  expect(sent).toMatchObject([{ cell_id: 'a', source: 'a = 123' }]);
  edits.close();
});

test('[WI-83] a text that is too long is refused with its length, and saved once it is short enough', () => {
  const { edits, sent, draft } = window();
  edits.type('a', 'x'.repeat(1_500_000));
  vi.advanceTimersByTime(1_000);
  expect(draft()).toMatchObject({ state: 'refused', reason: expect.stringContaining('1,500,000') });
  edits.type('a', 'x'.repeat(1_200_000));
  vi.advanceTimersByTime(1_000);
  expect(draft()).toMatchObject({ state: 'refused', reason: expect.stringContaining('1,200,000') });
  expect(sent).toEqual([]);
  edits.type('a', 'x');
  vi.advanceTimersByTime(1_000);
  expect(sent).toMatchObject([{ cell_id: 'a', source: 'x' }]);
  expect(draft()).toMatchObject({ state: 'sent', reason: null });
  expect(draft()).not.toHaveProperty('tooLong');
  edits.close();
});
