import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLIENT_FRAMES } from '../../../src-shared/wire/frames/client.ts';
import { type Caller, identityOf, PERSONAL_CALLER } from '../caller.ts';
import { handleAssistantFrame } from './assistantFrames.ts';
import { readClientFrame, type SocketRole } from './clientFrame.ts';
import { meaningOf } from './requestOf.ts';

function noAssistant(): never {
  throw new Error('no assistant here');
}

const ASSISTANT_FRAMES = ['agent_cancel', 'agent_confirm_response'] as const;

describe('frames of a client', () => {
  const run = (mode: string, upstream: string) => ({ type: 'run_cell', cellId: 'a', mode, upstream });
  const queued = (cellIds: readonly string[] | null, mode: string) => ({
    type: 'add_to_queue',
    cellIds,
    mode,
    continueOnError: true,
    ifStale: false,
    agreed: [],
    afterJob: null,
  });
  const rows: readonly (readonly [type: string, payload: unknown, request: unknown, startsRun: boolean])[] = [
    ['cell_execute', { cell_id: 'a' }, run('normal', 'ask'), true],
    ['cell_execute', { cell_id: 'a', queue: true }, queued(['a'], 'normal'), true],
    ['cell_execute_force', { cell_id: 'a', queue: true }, queued(['a'], 'force'), true],
    ['cell_execute_rerun', { cell_id: 'a', queue: true }, queued(['a'], 'rerun'), true],
    ['notebook_run_all', { queue: true }, queued(null, 'normal'), true],
    ['notebook_rerun_all', { queue: true }, queued(null, 'rerun'), true],
    [
      'run_queue_add',
      { cell_ids: ['a', 'b'], agreed: ['c'], if_stale: true, after_job: 'j' },
      { ...queued(['a', 'b'], 'normal'), agreed: ['c'], ifStale: true, afterJob: 'j' },
      true,
    ],
    ['run_queue_add', { cell_ids: ['a', 'b\tc'] }, 'unknown_cell', true],
    ['run_queue_remove', { ids: ['r'] }, { type: 'remove_from_queue', ids: ['r'] }, false],
    ['run_queue_remove', {}, { type: 'remove_from_queue', ids: null }, false],
    ['run_queue_move', { id: 'r', before: null }, { type: 'move_in_queue', id: 'r', beforeId: null }, false],
    ['auto_run', { cell_ids: ['a', 'b\tc'] }, { type: 'edit_settled', cellIds: ['a'] }, true],
    ['cell_execute_force', { cell_id: 'a' }, run('force', 'go'), true],
    ['cell_execute_rerun', { cell_id: 'a' }, run('rerun', 'go'), true],
    [
      'cell_execute_cascade',
      { cell_id: 'a', plan_id: 'p' },
      { type: 'confirm_plan', cellId: 'a', planId: 'p' },
      true,
    ],
    [
      'cell_run_tests',
      { cell_id: 'a', test_source: 't' },
      { type: 'test_cell', cellId: 'a', source: 't', base: null },
      true,
    ],
    ['cell_cancel', { cell_id: 'a' }, { type: 'cancel_cell', cellId: 'a' }, false],
    ['notebook_run_all', {}, { type: 'run_all', mode: 'normal', continueOnError: true }, true],
    [
      'notebook_rerun_all',
      { continue_on_error: false },
      { type: 'run_all', mode: 'rerun', continueOnError: false },
      true,
    ],
    [
      'cell_source_update',
      { cell_id: 'a', source: 's', author: 'x' },
      { type: 'edit_source', cellId: 'a', source: 's', force: false },
      false,
    ],
    [
      'cell_source_update',
      { cell_id: 'a', source: 's', base: 'r' },
      { type: 'edit_source', cellId: 'a', source: 's', force: false, base: 'r' },
      false,
    ],
    ['cell_focus', { cell_id: null }, { type: 'focus_cell', cellId: null }, false],
    ['cell_focus', { author: null }, { type: 'focus_cell', cellId: null }, false],
    ['cell_focus', { cell_id: 'a' }, { type: 'focus_cell', cellId: 'a' }, false],
    ['cell_focus', { cell_id: 'a\tb' }, 'nothing', false],
    ['cell_cancel', { cell_id: 'a\tb' }, 'unknown_cell', false],
    ['impact_preview_request', { cell_id: 'a' }, { type: 'view_impact', cellId: 'a' }, false],
    ['profiling_request', {}, { type: 'view_profiling' }, false],
    ['variant_add', { group: 'g' }, { type: 'add_variant', group: 'g' }, false],
    [
      'variant_set_active',
      { group: 'g', name: 'n' },
      { type: 'choose_variant', group: 'g', active: 'n', mode: null },
      false,
    ],
    ['inspect_open', { cell_id: 'a' }, { type: 'open_console', cellId: 'a' }, true],
    ['inspect_eval', { cell_id: 'a', expr: '1' }, { type: 'ask_console', cellId: 'a', expr: '1' }, true],
    [
      'inspect_complete',
      { cell_id: 'a', text: 'x.' },
      { type: 'complete_console', cellId: 'a', text: 'x.' },
      false,
    ],
    ['inspect_complete', { cell_id: 'a' }, 'nothing', false],
    ['inspect_close', { cell_id: 'a' }, { type: 'close_console', cellId: 'a' }, false],
    ['inspect_interrupt', { cell_id: 'a' }, { type: 'interrupt_console', cellId: 'a' }, false],
    ['inspect_open', {}, 'nothing', false],
    ['inspect_eval', { cell_id: 'a' }, 'nothing', false],
    ['inspect_close', undefined, 'nothing', false],
    ['inspect_interrupt', {}, 'nothing', false],
    ['inspect_open', { cell_id: 'a\tb' }, 'unknown_cell', true],
    [
      'widget_update',
      { cell_id: 'a', values: { x: 1 } },
      { type: 'update_widget', cellId: 'a', values: { x: 1 } },
      true,
    ],
    [
      'dependency_add',
      { package: 'pandas>=2' },
      {
        type: 'start_environment_job',
        work: { action: 'add', requirements: ['pandas>=2'], dev: false },
        waits: false,
      },
      true,
    ],
    [
      'dependency_remove',
      { package: 'pandas' },
      { type: 'start_environment_job', work: { action: 'remove', name: 'pandas' }, waits: false },
      true,
    ],
    ['widget_open', { cell_id: 'a' }, { type: 'open_widgets', cellId: 'a' }, false],
    [
      'widget_message',
      { cell_id: 'a', live_id: 'p', message: { type: 'comm_msg', comm_id: 'c', msg_id: 'm' } },
      {
        type: 'send_to_widgets',
        cellId: 'a',
        liveId: 'p',
        message: { type: 'comm_msg', comm_id: 'c', msg_id: 'm' },
      },
      false,
    ],
    ['notebook_sync', undefined, { type: 'sync' }, false],
  ];
  it.each(rows)('%s %j', (type, payload, request, startsRun) => {
    const result = readClientFrame(JSON.stringify({ type, payload, seq: 3 }), {
      caller: PERSONAL_CALLER,
      role: 'editor',
    });
    if (result.kind !== 'frame') throw new Error(JSON.stringify(result));
    const { frame } = result;
    if (handleAssistantFrame(frame, noAssistant)) throw new Error('a frame of the assistant');
    expect(meaningOf(frame)).toEqual({ request, startsRun });
  });

  it('has a row for every frame', () => {
    const types = new Set([...rows.map(([type]) => type), ...ASSISTANT_FRAMES]);
    expect(types).toEqual(new Set(Object.keys(CLIENT_FRAMES)));
  });

  it.each([
    ['agent_cancel', {}, ['cancel', null]],
    ['agent_cancel', { job_id: 'j' }, ['cancel', 'j']],
    ['agent_confirm_response', {}, ['answer', { jobId: null, requestId: null, approved: false }]],
    [
      'agent_confirm_response',
      { job_id: 'j', request_id: 'r', approved: true },
      ['answer', { jobId: 'j', requestId: 'r', approved: true }],
    ],
  ] as const)('[AG-9] %s %j is for the assistant', (type, payload, expected) => {
    const requests: unknown[] = [];
    const assistant = {
      cancel: (jobId: string | null) => requests.push('cancel', jobId),
      answer: (response: unknown) => requests.push('answer', response),
    };
    const who = { caller: PERSONAL_CALLER, role: 'editor' } as const;
    const result = readClientFrame(JSON.stringify({ type, payload }), who);
    if (result.kind !== 'frame') throw new Error(JSON.stringify(result));
    expect(handleAssistantFrame(result.frame, () => assistant)).toBe(true);
    expect(requests).toEqual(expected);
  });

  const reader: Caller = { principal: 'p', tenant: null, scopes: new Set(['notebook:read']) };
  const refusals: readonly (readonly [
    text: string,
    who: { caller?: Caller; role?: SocketRole },
    is: unknown,
  ])[] = [
    ['nope', {}, { kind: 'not_json' }],
    ['', {}, { kind: 'not_json' }],
    ['42', {}, refused('A frame is a JSON object {type, payload} with an object as payload.')],
    ['{"payload":{}}', {}, refused('A frame is a JSON object {type, payload} with an object as payload.')],
    [
      '{"type":"cell_execute","payload":[]}',
      {},
      refused('A frame is a JSON object {type, payload} with an object as payload.'),
    ],
    ['{"type":"hello"}', {}, refused('Unknown message type: hello')],
    ['{"type":"constructor"}', {}, refused('Unknown message type: constructor')],
    [
      '{"type":"agent_confirm_response","payload":{"approved":"yes"}}',
      {},
      refused('agent_confirm_response: approved: Input should be a valid boolean'),
    ],
    [
      '{"type":"widget_update","payload":{"cell_id":"a","values":{"x":["\\ud800"]}}}',
      {},
      refused(
        'widget_update: values.x.0: String should be well-formed: it contains half of a surrogate pair, which UTF-8 cannot store',
      ),
    ],
    [
      '{"type":"widget_update","payload":{"cell_id":"a","values":{"__proto__":1}}}',
      {},
      refused('widget_update: values.__proto__: A key cannot be named __proto__'),
    ],
    ['{"type":"cell_execute"}', {}, refused('cell_execute: cell_id: Field required')],
    [
      '{"type":"cell_execute","payload":{"cell_id":7}}',
      {},
      refused('cell_execute: cell_id: Input should be a valid string'),
    ],
    [
      '{"type":"cell_source_update","payload":{"force":1}}',
      {},
      refused(
        'cell_source_update: cell_id: Field required; source: Field required; force: Input should be a valid boolean',
      ),
    ],
    [
      '{"type":"cell_execute","payload":{"cell_id":"a"}}',
      { role: 'viewer' },
      refused("'cell_execute' is not allowed in read-only app view", 'read_only'),
    ],
    ...[...ASSISTANT_FRAMES, 'ping'].map(
      (type) =>
        [
          `{"type":"${type}"}`,
          { role: 'viewer' },
          refused(`'${type}' is not allowed in read-only app view`, 'read_only'),
        ] as const,
    ),
    ...ASSISTANT_FRAMES.map(
      (type) =>
        [
          `{"type":"${type}"}`,
          { caller: reader },
          refused(`'${type}' requires the notebook:execute scope`, 'insufficient_scope'),
        ] as const,
    ),
    [
      '{"type":"cell_execute"}',
      { caller: reader, role: 'viewer' },
      refused("'cell_execute' requires the notebook:execute scope", 'insufficient_scope'),
    ],
    [
      '{"type":"notebook_sync"}',
      { caller: reader, role: 'viewer' },
      { kind: 'frame', frame: { type: 'notebook_sync', payload: {} } },
    ],
  ];
  function refused(error: string, code?: string) {
    return { kind: 'refused', error: { error, ...(code === undefined ? {} : { code }) } };
  }
  it.each(refusals)('[LP-6] [RE-25] [RE-26] %s', (text, who, is) => {
    expect(readClientFrame(text, { caller: PERSONAL_CALLER, role: 'editor', ...who })).toEqual(is);
  });

  it('[LP-5] never throws for any input', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        readClientFrame(text, { caller: PERSONAL_CALLER, role: 'editor' });
      }),
    );
  });
});

describe('[LP-8] identity', () => {
  it.each<readonly [string | null, string | undefined, string]>([
    [null, undefined, 'local'],
    [null, '  ', 'local'],
    [null, ' Ann\u0000\n ', 'Ann'],
    [null, 'é 漢', 'é 漢'],
    ['principal', 'Ann', 'principal'],
    // 128 code points, the last of which has two UTF-16 units.
    [null, `${'a'.repeat(127)}😀`, `${'a'.repeat(127)}😀`],
    [null, '😀'.repeat(128), '😀'.repeat(128)],
    [null, 'é'.repeat(129), 'é'.repeat(128)],
  ])('%s, %j → %s', (principal, declared, is) => {
    expect(identityOf({ ...PERSONAL_CALLER, principal }, declared)).toBe(is);
  });
});
