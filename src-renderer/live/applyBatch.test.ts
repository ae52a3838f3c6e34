import { expect, test } from 'vitest';
import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import type { ServerFrame } from '../../src-shared/wire/frames/server.ts';
import type { Draft } from '../state/drafts.ts';
import { emptyNotebook } from '../state/notebookModel.ts';
import type { LivePart } from './applyBatch.ts';
import { applyBatch } from './applyBatch.ts';

const dag = { edges: [], topological_order: ['a'], leaves: [], roots: [], variable_producer: {} };

function stateWith(source: string): ServerFrame {
  return {
    type: 'notebook_state',
    payload: { ...fakeBody({ name: 'n', cells: [fakeCell({ id: 'a', source })] }), dag },
  };
}

const start: LivePart = {
  model: emptyNotebook,
  asked: {},
  drafts: {},
  heldBack: new Set(),
  synced: false,
  orphans: [],
};

function after(part: Partial<LivePart>, ...frames: ServerFrame[]): LivePart {
  const ts = '2026-01-01T00:00:00Z';
  return applyBatch(
    { ...start, ...part },
    frames.map((frame, at) => ({ ...frame, seq: at + 1, ts })),
    Date.parse(ts),
  );
}

const refusal = (code: string, cellId?: string): ServerFrame => ({
  type: 'error',
  payload: { error: 'no', code, ...(cellId === undefined ? {} : { cell_id: cellId }) },
});
const graph = (answer: { edited?: string }): ServerFrame => {
  const noDag = { edges: [], roots: [], leaves: [], topological_order: [], variant_groups: [], cells: [] };
  return { type: 'dag_update', payload: { ...noDag, ...answer } };
};
const draft = (fields: Partial<Draft>): Draft => ({
  text: 'mine',
  base: 'old',
  state: 'typed',
  sent: [],
  reason: null,
  ...fields,
});

test.each<[string, Partial<LivePart>, ServerFrame, Partial<LivePart>]>([
  [
    '[WI-270] joining the queue answers a run request',
    { asked: { a: true, b: true } },
    { type: 'run_queue', payload: { added: [{ id: 'r', cell_id: 'a', mode: 'normal' }], removed: [] } },
    { asked: { b: true } },
  ],
  [
    '[WI-270] a dropped run answers a run request',
    { asked: { a: true } },
    {
      type: 'run_queue',
      payload: { added: [], removed: [], dropped: [{ cell_id: 'a', message: 'no' }] },
    },
    { asked: {} },
  ],
  [
    'a refused edit does not answer the run that was sent after it',
    { asked: { a: true } },
    refusal('cell_busy', 'a'),
    { asked: { a: true }, heldBack: new Set(['a']) },
  ],
  [
    'a state without the cell ends the wait for its run',
    { asked: { a: true, b: true } },
    stateWith('x'),
    { asked: { a: true } },
  ],
  [
    'a hold keeps the draft until its release',
    { drafts: { a: draft({ state: 'sent', sent: ['mine'] }) } },
    refusal('NOTEBOOK_QUIESCED', 'a'),
    { drafts: { a: draft({ state: 'typed' }) } },
  ],
  [
    'a lock keeps the draft for the person to decide',
    { drafts: { a: draft({ state: 'sent', sent: ['mine'] }) } },
    refusal('cell_locked', 'a'),
    { drafts: { a: draft({ state: 'refused', reason: 'no' }) } },
  ],
  [
    '[LP-62] a lock refusal of an edit that was taken back leaves the typed text unchanged',
    { drafts: { a: draft({}) } },
    refusal('cell_locked', 'a'),
    { drafts: { a: draft({}) } },
  ],
  [
    '[LP-61] the answer to another edit acknowledges nothing of this window',
    { drafts: { a: draft({ state: 'sent', sent: ['mine'] }) } },
    graph({}),
    { drafts: { a: draft({ state: 'sent', sent: ['mine'] }) } },
  ],
  [
    '[LP-61] the answer to its own edit acknowledges it',
    { drafts: { a: draft({ state: 'sent', sent: ['mine'] }) } },
    graph({ edited: 'a' }),
    { drafts: {} },
  ],
  [
    '[LP-62] a state that arrives before the answer to an edit leaves the edit pending',
    { drafts: { a: draft({ state: 'sent', sent: ['mine'] }) }, synced: true },
    stateWith('old'),
    { drafts: { a: draft({ state: 'sent', sent: ['mine'] }) } },
  ],
  [
    'an edit of a running cell is sent later',
    { drafts: { a: draft({ state: 'sent', sent: ['mine'] }) } },
    refusal('cell_busy', 'a'),
    { drafts: { a: draft({}) }, heldBack: new Set(['a']) },
  ],
  [
    '[LP-62] the first of two edits is refused: the second is still answered',
    { drafts: { a: draft({ text: 'mine too', state: 'sent', sent: ['mine', 'mine too'] }) } },
    refusal('cell_busy', 'a'),
    { drafts: { a: draft({ text: 'mine too', owed: ['mine too'] }) } },
  ],
  [
    '[LP-62] the late answer to an edit does not settle a text that was sent again since',
    { drafts: { a: draft({ state: 'sent', sent: ['mine'], owed: ['mine'] }) } },
    refusal('cell_locked', 'a'),
    { drafts: { a: draft({ state: 'sent', sent: ['mine'] }) } },
  ],
  [
    '[LP-61] nor does a late answer that accepts the edit',
    { drafts: { a: draft({ state: 'sent', sent: ['mine'], owed: ['older'] }) } },
    graph({ edited: 'a' }),
    { drafts: { a: draft({ state: 'sent', sent: ['mine'] }) } },
  ],
  [
    '[LP-61] the answer to a discarded text requests the state',
    {},
    graph({ edited: 'a' }),
    { model: expect.objectContaining({ needsSync: true }) },
  ],
  [
    'on a new socket no answer is expected any more',
    { drafts: { a: draft({ state: 'sent', sent: ['mine'], owed: ['older'] }) } },
    stateWith('mine'),
    { drafts: {} },
  ],
  [
    'a state that holds the draft settles it',
    { drafts: { a: draft({}) } },
    stateWith('mine'),
    { drafts: {}, synced: true },
  ],
  [
    'a state unchanged since keeps the draft to be sent',
    { drafts: { a: draft({ state: 'sent', sent: ['mine'] }) } },
    stateWith('old'),
    { drafts: { a: draft({}) } },
  ],
  [
    'a state with another person’s edit leaves the choice to the person',
    { drafts: { a: draft({}) } },
    stateWith('theirs'),
    { drafts: { a: draft({ state: 'refused' }) } },
  ],
  [
    'a state with another person’s edit while an edit is pending leaves the choice to the person too',
    { drafts: { a: draft({ state: 'sent', sent: ['mine'] }) } },
    stateWith('theirs'),
    { drafts: { a: draft({ state: 'refused' }) } },
  ],
  [
    'a state between two pending edits sends the last one again',
    { drafts: { a: draft({ text: 'mine too', state: 'sent', sent: ['mine', 'mine too'] }) } },
    stateWith('mine'),
    { drafts: { a: draft({ text: 'mine too', base: 'mine' }) } },
  ],
])('%s', (_name, part, frame, expected) => {
  expect(after(part, frame)).toMatchObject(expected);
});

const threeCells = after(
  {},
  {
    type: 'notebook_state',
    payload: {
      ...fakeBody({ name: 'n', cells: ['a', 'b', 'c'].map((id) => fakeCell({ id, source: 'old' })) }),
      dag,
    },
  },
).model;
const orphan = { source: 'mine', language: 'python', afterId: 'a' };

test.each<[string, Partial<LivePart>, readonly object[]]>([
  ['a text that was not sent', { drafts: { c: draft({}) } }, [orphan]],
  ['a text that was refused', { drafts: { c: draft({ state: 'refused' }) } }, [orphan]],
  [
    'a text that may have been lost with its socket',
    { drafts: { c: draft({ state: 'sent', sent: ['mine'] }) }, synced: false },
    [orphan],
  ],
  ['a text that went out before', { drafts: { c: draft({ state: 'sent', sent: ['mine'] }) } }, []],
  ['nothing but blanks', { drafts: { c: draft({ text: ' \n' }) } }, []],
  ['a text whose cell exists', { drafts: { a: draft({}) } }, []],
])('[ED-65] what a deleted cell leaves behind: %s', (_name, part, expected) => {
  const now = after({ model: threeCells, synced: true, ...part }, stateWith('old'));
  expect(now.orphans).toMatchObject(expected);
  expect(now.orphans).toHaveLength(expected.length);
});
