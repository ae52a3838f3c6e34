import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fakeBody, fakeCell, fakeJob, fakeOutput } from '../../e2e/support/fakeServerNotebook.ts';
import { withCutMark } from '../../src-shared/wire/cutConsole.ts';
import type { ReceivedFrame, ServerFrame } from '../../src-shared/wire/frames/server.ts';
import { applyFrame, withNewSession } from './applyFrame.ts';
import type { ConsoleText } from './consoleText.ts';
import { consoleString } from './consoleText.ts';
import type { NotebookModel } from './notebookModel.ts';
import { emptyNotebook } from './notebookModel.ts';

const TS = '2026-01-01T00:00:00.000Z';
const dag = { edges: [], topological_order: ['a', 'b'], leaves: [], roots: [], variable_producer: {} };
const body = fakeBody({
  name: 'n',
  cells: [
    fakeCell({ id: 'a', source: 'a = 1', defines: ['a'], console_stdout: 'kept\n' }),
    fakeCell({ id: 'b', source: 'b = a', defines: ['b'], status: 'ready' }),
  ],
});
const state: ServerFrame = { type: 'notebook_state', payload: { ...body, dag } };

function received(frames: readonly ServerFrame[], from = 1): ReceivedFrame[] {
  return frames.map((frame, at) => ({ ...frame, seq: from + at, ts: TS }));
}

function after(...frames: readonly ServerFrame[]): NotebookModel {
  return received([state, ...frames]).reduce((model, frame) => applyFrame(model, frame), emptyNotebook);
}

const textOf = (stream: ConsoleText | undefined): string | undefined =>
  stream === undefined ? undefined : consoleString(stream);

const output = (fields: object): ServerFrame => ({
  type: 'cell_output',
  payload: {
    cell_id: 'a',
    outputs: {},
    cache_hit: false,
    duration_ms: 7,
    artifact_uri: null,
    artifact_uris: {},
    stdout: '',
    stderr: '',
    execution_method: 'warm',
    mutation_warnings: [],
    ...fields,
  },
});
const running: ServerFrame = { type: 'cell_status', payload: { cell_id: 'a', status: 'running' } };
const printed = (
  text: string,
  chunk_seq: number | null,
  stream: 'stdout' | 'stderr' = 'stdout',
): ServerFrame => ({
  type: 'cell_console',
  payload: { cell_id: 'a', stream, text, chunk_seq },
});
const failed = (fields: object): ServerFrame => ({
  type: 'cell_error',
  payload: { cell_id: 'a', error: 'boom', ...fields },
});

test.each<[string, ServerFrame[], boolean]>([
  ['a state', [], true],
  ['a run that begins', [running], false],
  ['an error', [failed({})], false],
  ['a result', [output({})], false],
])('[TR-69] what an imported file showed, after %s', (_name, frames, isShown) => {
  const [, b] = body.cells;
  const a = fakeCell({
    id: 'a',
    source: 'a = 1',
    imported: true,
    display_outputs: [fakeOutput({ content_type: 'text/plain' })],
  });
  const imported: ServerFrame = {
    type: 'notebook_state',
    payload: { ...body, cells: b ? [a, b] : [a], dag },
  };
  const cell = after(imported, ...frames).cells['a']?.cell;
  expect([cell?.imported === true, cell?.display_outputs.length]).toEqual([isShown, isShown ? 1 : 0]);
});

test('[PV-32] the unread outputs are those of the latest run only', () => {
  const unread = (...frames: ServerFrame[]) => after(...frames).cells['a']?.cell.unread_uris;
  const uris = { y: 'svc://artifact/y@v=1' };
  expect(unread(output({ cache_hit: true, unread_uris: uris }))).toEqual(uris);
  expect(unread(output({ unread_uris: uris }), output({}))).toBeUndefined();
});

test.each<[string, ServerFrame[], { stdout: string; stderr: string }]>([
  ['a state shows the last console', [], { stdout: 'kept\n', stderr: '' }],
  ['rule 1: running clears both streams', [running], { stdout: '', stderr: '' }],
  [
    'rule 2: text is appended',
    [running, printed('a', null), printed('b', null)],
    { stdout: 'ab', stderr: '' },
  ],
  ['rule 2: chunk 0 clears its stream', [printed('x', 0), printed('y', 1)], { stdout: 'xy', stderr: '' }],
  [
    'rule 2: chunk 0 leaves the other stream',
    [printed('e', null, 'stderr'), printed('x', 0)],
    { stdout: 'x', stderr: 'e' },
  ],
  [
    'rule 3: a result replaces',
    [running, printed('x', 0), output({ stdout: 'done' })],
    { stdout: 'done', stderr: '' },
  ],
  [
    'rule 3: an empty string replaces too',
    [running, printed('x', 0), output({})],
    { stdout: '', stderr: '' },
  ],
  [
    'rule 3: a failure replaces',
    [running, printed('x', 0), failed({ stdout: 'o', stderr: 'e' })],
    { stdout: 'o', stderr: 'e' },
  ],
  [
    'rule 3: an internal failure carries neither',
    [running, printed('x', 0), failed({})],
    { stdout: 'x', stderr: '' },
  ],
  [
    'rule 3: a hit carries the last console',
    [running, output({ cache_hit: true, stdout: 'kept\n' })],
    { stdout: 'kept\n', stderr: '' },
  ],
  [
    'an upstream without a running frame',
    [printed('u', null), output({ stdout: 'u' })],
    { stdout: 'u', stderr: '' },
  ],
])('[LP-13] [LP-14] [LP-15] console, %s', (_name, frames, expected) => {
  const cell = after(...frames).cells['a'];
  expect({ stdout: textOf(cell?.stdout), stderr: textOf(cell?.stderr) }).toEqual(expected);
});

test('[LP-16] [console] a state of a running cell with an empty console keeps what was streamed', () => {
  const runningState: ServerFrame = {
    type: 'notebook_state',
    payload: { ...body, cells: [fakeCell({ id: 'a', status: 'running' })], dag },
  };
  expect(textOf(after(running, printed('so far', 0), runningState).cells['a']?.stdout)).toBe('so far');
  const toldState: ServerFrame = {
    type: 'notebook_state',
    payload: { ...body, cells: [fakeCell({ id: 'a', status: 'running', console_stdout: 'more' })], dag },
  };
  expect(textOf(after(running, printed('so far', 0), toldState).cells['a']?.stdout)).toBe('more');
});

test.each<[string, { streamed: string; told: string; shown: string }]>([
  ['nothing written', { streamed: 'a\nb', told: '', shown: 'a\nb' }],
  ['all of it written', { streamed: 'a\nb', told: withCutMark('a\nb'), shown: withCutMark('a\nb') }],
  ['a part written', { streamed: 'a\nb\nc\n', told: withCutMark('a\nb'), shown: withCutMark('a\nb\nc\n') }],
  ['its end written', { streamed: 'a\nb\nc\n', told: withCutMark('b\nc'), shown: withCutMark('a\nb\nc\n') }],
  ['more written than was seen', { streamed: 'a\n', told: withCutMark('a\nb'), shown: withCutMark('a\nb') }],
])('[WI-82] the console of a run that ended with its server, %s', (_name, { streamed, told, shown }) => {
  const back: ServerFrame = {
    type: 'notebook_state',
    payload: { ...body, cells: [fakeCell({ id: 'a', console_stdout: told })], dag },
  };
  const moved = withNewSession(after(running, printed(streamed, 0)));
  const model = received([back]).reduce(applyFrame, moved);
  expect([textOf(model.cells['a']?.stdout), model.ofSessionBefore]).toEqual([shown, false]);
});

test('[WI-82] the console of a run that ended while this window was disconnected is the session’s', () => {
  const back: ServerFrame = {
    type: 'notebook_state',
    payload: { ...body, cells: [fakeCell({ id: 'a', status: 'stale', cache_hit: true })], dag },
  };
  expect(textOf(after(running, printed('of another run', 0), back).cells['a']?.stdout)).toBe('');
});

test.each<[string, ReceivedFrame[], boolean]>([
  ['one after another', received([running, printed('x', 0)], 2), false],
  ['a shared number', [...received([running], 2), ...received([printed('x', 0)], 2)], false],
  ['a gap', received([running], 3), true],
  ['a gap, then the state', [...received([running], 5), ...received([state], 6)], false],
  ['a state beyond a gap', received([state], 9), false],
  ['numbers that went to others', [{ ...running, seq: 7, prev: 1, ts: TS }], false],
  ['numbers that went to others, after some were lost', [{ ...running, seq: 7, prev: 4, ts: TS }], true],
  [
    'a gap remains until a state arrives, whatever follows',
    [...received([running], 5), { ...printed('x', 0), seq: 9, prev: 5, ts: TS }],
    true,
  ],
])('[LP-11] seq, %s', (_name, frames, needsSync) => {
  expect(frames.reduce((model, frame) => applyFrame(model, frame), after()).needsSync).toBe(needsSync);
});

test('[EN-67] a failed job reports no environment: the window requests the state, and runs stop waiting', () => {
  const job = fakeJob({ status: 'failed', phase: 'failed', error: 'out of reach' });
  const finished = (environment: { readonly environment?: typeof body.environment }): ServerFrame => ({
    type: 'environment_job_finished',
    payload: {
      environment_job: job,
      environment_job_history: [job],
      cells: [...body.cells],
      lockfile_changed: false,
      stale_cell_count: 0,
      stale_cell_ids: [],
      ...environment,
    },
  });
  expect(after(finished({})).needsSync).toBe(true);
  expect(after(finished({}), state).needsSync).toBe(false);
  expect(after(finished({ environment: body.environment })).needsSync).toBe(false);
});

function told(status: 'idle' | 'stale' | 'ready' | 'error'): ServerFrame {
  return { type: 'cell_status', payload: { cell_id: 'a', status, staleness_reasons: [] } };
}

function failure(error: string): ServerFrame {
  return { type: 'cell_error', payload: { cell_id: 'a', error } };
}

test('a frame older than the newest applied one is ignored', () => {
  const before = after(running, printed('x', 0));
  expect(applyFrame(before, { ...printed('old', null), seq: 1, ts: TS })).toBe(before);
});

test('statuses carry their cause, and lose it with the next status', () => {
  const cause = { reason: 'upstream' as const, details: [{ type: 'input_changed' as const, cell_id: 'a' }] };
  const stale: ServerFrame = {
    type: 'cell_status',
    payload: { cell_id: 'b', status: 'stale', staleness_reasons: ['upstream'], causality: cause },
  };
  const ready: ServerFrame = {
    type: 'cell_status',
    payload: { cell_id: 'b', status: 'ready', staleness_reasons: [] },
  };
  expect(after(stale).cells['b']?.cell).toMatchObject({ status: 'stale', causality: cause });
  expect(after(stale, ready).cells['b']?.cell.causality).toBeUndefined();
});

/** What came after a failure → the error the cell has, and the one it had before its code was changed. */
const AFTER_FAILURE: readonly [
  name: string,
  then: readonly ServerFrame[],
  error: string | null,
  past?: string,
][] = [
  ['nothing', [], 'boom'],
  ['an edit', [told('idle')], null, 'boom'],
  ['an edit, and another', [told('idle'), told('stale')], null, 'boom'],
  ['an edit, and its undo', [told('idle'), told('error')], 'boom'],
  ['an edit that a result answers', [told('ready')], null],
  ['a run that begins', [running], null, 'boom'],
  ['a run that is cancelled', [running, told('error')], 'boom'],
  ['an edit, and a run that is cancelled', [told('idle'), running, told('idle')], null, 'boom'],
  ['a run that succeeds', [running, output({}), told('ready')], null],
  ['a run that fails with another error', [running, failure('bang'), told('error')], 'bang'],
];

const stoppedAt = (ms: number): ServerFrame => ({
  type: 'cell_status',
  payload: { cell_id: 'a', status: 'idle', stopped_ms: ms },
});

/** Frames, and after how long the card then says that the newest run was stopped. */
test.each<[string, readonly ServerFrame[], number | undefined]>([
  ['a run', [running], undefined],
  ['a stop', [running, stoppedAt(6_100)], 6_100],
  ['an edit after it', [running, stoppedAt(6_100), told('idle'), told('stale')], 6_100],
  ['a run after it', [running, stoppedAt(6_100), running], undefined],
  ['a result found after it', [running, stoppedAt(6_100), output({})], undefined],
  ['a failure after it', [running, stoppedAt(6_100), failure('bang')], undefined],
])('[WI-240] stopped: %s', (_name, frames, stopped) => {
  expect(after(...frames).cells['a']?.cell.stopped_ms).toBe(stopped);
});

test('[WI-66] a window that opens later counts from the start of the run, independent of its clock, and shows that it is stopping', () => {
  const cell = fakeCell({
    id: 'a',
    status: 'running',
    running_since: '2026-01-01T00:00:00.000Z',
    stopping: 'interrupting',
  });
  const later: ServerFrame = { type: 'notebook_state', payload: { ...body, cells: [cell], dag } };
  const model = applyFrame(emptyNotebook, { ...later, seq: 1, ts: '2026-01-01T00:00:42.000Z' }, 50_000);
  const { runningSince, stopping } = model.cells['a'] ?? {};
  expect({ runningSince, stopping }).toEqual({ runningSince: 8_000, stopping: 'interrupting' });
});

test.each(AFTER_FAILURE)('[WI-73] a failure and %s', (_name, then, error, past) => {
  const cell = after(running, failure('boom'), told('error'), ...then).cells['a']?.cell;
  expect([cell?.error, cell?.past_error]).toEqual([error, past]);
});

test('frames about unknown cells change no cell', () => {
  const unknownCell: ServerFrame = { type: 'cell_status', payload: { cell_id: 'gone', status: 'running' } };
  expect(after(unknownCell).cells).toEqual(after().cells);
});

test('a frame changes only its own cell', () => {
  const before = after();
  const next = applyFrame(before, { ...running, seq: 2, ts: TS });
  expect(next.cells['b']).toBe(before.cells['b']);
  expect(next.cells['a']).not.toBe(before.cells['a']);
});

test('[LP-10] a dag update changes the graph and keeps a source it does not carry', () => {
  const entry = {
    id: 'a',
    source: null,
    defines: ['z'],
    references: [],
    upstream_ids: [],
    downstream_ids: ['b'],
    is_leaf: false,
    annotation_diagnostics: [],
    variant_group: null,
    variant_name: null,
    variant_active: true,
    is_module_cell: false,
    module_exports: [],
    created_by: null,
    updated_by: null,
  };
  const update = (source: string | null, more: { name?: string | null } = {}): ServerFrame => ({
    type: 'dag_update',
    payload: { ...dag, cells: [{ ...entry, source, ...more }], variant_groups: [] },
  });
  const nameAfter = (...frames: ServerFrame[]) => after(...frames).cells['a']?.cell.annotations.name;
  expect(after(update(null)).cells['a']?.cell).toMatchObject({ source: 'a = 1', defines: ['z'] });
  expect(after(update('z = 2')).cells['a']?.cell).toMatchObject({ source: 'z = 2', defines: ['z'] });
  expect(nameAfter(update(null, { name: 'load' }))).toBe('load');
  expect(nameAfter(update(null, { name: 'load' }), update('z = 2'))).toBe('load');
  expect(nameAfter(update(null, { name: 'load' }), update(null, { name: null }))).toBeNull();
});

const anyFrame: fc.Arbitrary<ServerFrame> = fc.oneof(
  fc
    .tuple(fc.constantFrom('a', 'b', 'x'), fc.constantFrom('idle', 'running', 'ready', 'error', 'stale'))
    .map(([cell_id, status]): ServerFrame => ({ type: 'cell_status', payload: { cell_id, status } })),
  fc.tuple(fc.string(), fc.option(fc.nat(3))).map(([text, chunk]) => printed(text, chunk)),
  fc
    .string()
    .map((stdout) => output({ stdout, displays: [fakeOutput({ content_type: 'json/object', preview: 1 })] })),
  fc.string().map((error) => failed({ error, stdout: '', stderr: '' })),
  fc.constant<ServerFrame>({
    type: 'cascade_prompt',
    payload: { cell_id: 'x', plan_id: 'p', cells_to_run: [], steps: [], estimated_duration_ms: 0 },
  }),
  fc.constant<ServerFrame>({
    type: 'cascade_progress',
    payload: { plan_id: 'p', current_cell_id: 'a', completed: 0, total: 2 },
  }),
  fc.constant<ServerFrame>({ type: 'environment_job_progress', payload: { environment_job: fakeJob() } }),
  fc.constant<ServerFrame>({ type: 'error', payload: { error: 'no' } }),
  fc.constant(state),
);

test('[LP-11] after any frames, a state gives the same result as the state alone (it replaces local state)', () => {
  fc.assert(
    fc.property(fc.array(anyFrame, { maxLength: 30 }), (frames) => {
      const stepByStep = received([...frames, state]).reduce(
        (model, frame) => applyFrame(model, frame),
        emptyNotebook,
      );
      const alone = received([state]).reduce((model, frame) => applyFrame(model, frame), emptyNotebook);
      const persisted = (model: NotebookModel) => ({
        meta: model.meta,
        order: model.order,
        dagError: model.dagError,
        needsSync: model.needsSync,
        cells: Object.entries(model.cells).map(([id, { cell, stdout, stderr }]) => [
          id,
          cell,
          textOf(stdout),
          textOf(stderr),
        ]),
      });
      expect(persisted(stepByStep)).toEqual(persisted(alone));
    }),
    { numRuns: 200 },
  );
});

test('[RW-21] the progress of a remote run changes its badge and starts no run', () => {
  const where = { remote_worker: 'gpu', remote_transport: 'direct' };
  const status = (more: object): ServerFrame => ({
    type: 'cell_status',
    payload: { cell_id: 'a', status: 'running', ...where, ...more },
  });
  const printed: ServerFrame = {
    type: 'cell_console',
    payload: { cell_id: 'a', stream: 'stdout', text: 'so far\n', chunk_seq: 1 },
  };
  const waiting = after(
    status({}),
    printed,
    status({ remote_build_state: 'starting', remote_queue_position: 3 }),
  );
  const a = waiting.cells['a'];
  expect([textOf(a?.stdout), a?.queue, a?.cell.remote_worker]).toEqual([
    'so far\n',
    { position: 3, detail: null },
    'gpu',
  ]);
  const [next] = received([status({ remote_build_state: 'running' })], 9);
  if (next === undefined) throw new Error('no frame');
  const running = applyFrame(waiting, next).cells['a'];
  expect([running?.queue, running?.cell.remote_build_state]).toEqual([null, 'running']);
});
