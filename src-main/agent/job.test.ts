import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { AgentBody } from '../../src-shared/wire/assistant.ts';
import { AppError } from '../../src-shared/wire/errors.ts';
import { ChatError } from '../ai/chat.ts';
import { type AgentWorld, agentWorld, callOf, type Script } from './testing/agentWorld.ts';
import type { FakeOptions } from './testing/fakeNotebook.ts';

const worlds: AgentWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.dispose();
});

async function worldOf(
  script: readonly Script[],
  options: Omit<FakeOptions, 'path'> = {},
): Promise<AgentWorld> {
  const world = await agentWorld(script, { cells: { a: 'x = 1', b: 'y = x' }, ...options });
  worlds.push(world);
  return world;
}

const resultsOf = (world: AgentWorld): readonly string[] =>
  world
    .of('agent_progress')
    .flatMap(({ event, data }) => (event === 'tool_result' ? [String(data['result'])] : []));
const eventsOf = (world: AgentWorld): readonly string[] =>
  world.of('agent_progress').map(({ event }) => event);

interface Row {
  readonly name: string;
  readonly calls: readonly (readonly [string, unknown])[];
  readonly body?: Partial<AgentBody>;
  readonly options?: Omit<FakeOptions, 'path'>;
  /** Answers to the questions, in order. */
  readonly answers?: readonly boolean[];
  readonly sources?: Readonly<Record<string, string>>;
  readonly results: readonly (string | RegExp)[];
}

/** The id of a new cell is random. */
function knownIds(sources: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(sources).map(([id, text]) => [Object.hasOwn(UNCHANGED, id) ? id : 'new', text]),
  );
}

const UNCHANGED = { a: 'x = 1', b: 'y = x' };
const ROWS: readonly Row[] = [
  {
    name: '[AG-10] a cell is added with its text',
    calls: [['create_cell', { source: 'z = y', after_variable: 'y' }]],
    sources: { ...UNCHANGED, new: 'z = y' },
    results: [/^Added cell \w{8}, which defines z/],
  },
  {
    name: '[AG-10] a cell is named by a variable it defines',
    calls: [['edit_cell', { variable_name: 'x', new_source: 'x = 2' }]],
    sources: { a: 'x = 2', b: 'y = x' },
    results: ['Changed.'],
  },
  {
    name: '[AG-12] a deletion asks for confirmation, and is made after a yes',
    calls: [['delete_cell', { variable_name: 'y' }]],
    answers: [true],
    sources: { a: 'x = 1' },
    results: ['Deleted.'],
  },
  {
    name: '[AG-12] a refused deletion is not made, and the job continues',
    calls: [['delete_cell', { variable_name: 'y' }]],
    answers: [false],
    sources: UNCHANGED,
    results: [/^declined/],
  },
  {
    name: '[AG-12] no answer counts as a no',
    calls: [['delete_cell', { variable_name: 'y' }]],
    options: { approvalTimeoutSeconds: 0.01 },
    sources: UNCHANGED,
    results: [/^declined: no confirmation/],
  },
  {
    name: '[AG-12] auto_approve asks no questions',
    calls: [
      ['delete_cell', { variable_name: 'y' }],
      ['add_package', { package_spec: 'polars' }],
    ],
    body: { auto_approve: true },
    sources: { a: 'x = 1' },
    results: ['Deleted.', /^Added\./],
  },
  {
    name: '[AG-13] confirm_all asks before each change and run, also with auto_approve',
    calls: [
      ['edit_cell', { variable_name: 'x', new_source: 'x = 2' }],
      ['create_cell', { source: 'z = 1' }],
      ['run_cell', { variable_name: 'x' }],
      ['get_notebook_state', {}],
    ],
    body: { confirm_all: true, auto_approve: true },
    answers: [false, false, false],
    sources: UNCHANGED,
    results: [/^declined/, /^declined/, /^declined/, /^<notebook-data/],
  },
  {
    name: '[AG-14] arguments that are not JSON, do not fit, or name an unknown tool are returned as errors',
    calls: [
      ['edit_cell', '{"variable_name": "x", "new_sour'],
      ['edit_cell', { variable_name: 'x' }],
      ['edit_cell', '["x"]'],
      ['shell', { command: 'ls' }],
      ['search_notebook', { text: 'x' }],
      ['constructor', {}],
      ['edit_cell', { variable_name: 'nothing', new_source: 'x' }],
    ],
    sources: UNCHANGED,
    results: [
      /not valid JSON/,
      /new_source/,
      /do not fit/,
      /no tool "shell"/,
      /no tool "search_notebook"/,
      /no tool "constructor"/,
      /No cell defines nothing/,
    ],
  },
  {
    name: '[AG-15] a package from an address, or more than one, is refused without a question',
    calls: [
      ['add_package', { package_spec: 'x @ https://evil.example/x.whl' }],
      ['add_package', { package_spec: '--index-url=https://evil.example x' }],
      ['add_package', { package_spec: 'a b' }],
    ],
    results: [/from an address/, /is not one package/, /is not one package/],
  },
  {
    name: '[AG-16] texts in the result of a run are cut at their limits',
    calls: [['run_cell', { variable_name: 'x' }]],
    options: {
      run: async () => ({
        status: 'error',
        stdout: 'o'.repeat(9_000),
        stderr: 'e'.repeat(9_000),
        error: 'boom',
        outputs: { x: { content_type: 'json/object', preview: 'p'.repeat(9_000) } },
      }),
    },
    results: [/status: error/],
  },
  {
    name: '[AG-17] extra tools are available once requested',
    calls: [
      ['search_notebook', { text: 'X = 1' }],
      ['explain_cell', { variable_name: 'y' }],
      ['describe_value', { variable: 'x' }],
    ],
    body: { extra_tools: true },
    results: [/a source:1: x = 1/, /cell y: ready/, /No stored value is called x/],
  },
  {
    name: '[AG-18] cells that are left out do not exist for the model',
    calls: [
      ['edit_cell', { variable_name: 'y', new_source: 'y = 0' }],
      ['search_notebook', { text: 'y' }],
    ],
    body: { leave_out: ['b'], extra_tools: true },
    sources: UNCHANGED,
    results: [/No cell defines y/, 'No line matches.'],
  },
];

describe('the tools of a job', () => {
  it.each(ROWS)('$name', async ({ calls, body, options, answers = [], sources, results }) => {
    const turn = { calls: calls.map(([name, args]) => callOf(name, args)) };
    const world = await worldOf([turn, { text: 'ok' }], options);
    const job = world.start(body);
    for (const [at, approved] of answers.entries()) {
      await world.until(
        (frame) => frame.type === 'agent_confirm_request' && world.of('agent_confirm_request').length > at,
      );
      const request = world.of('agent_confirm_request')[at];
      world.assistant.answer({ jobId: null, requestId: request?.request_id ?? '', approved });
    }
    await job.ended;
    const toolResults = resultsOf(world);
    expect(toolResults).toHaveLength(results.length);
    for (const [at, result] of results.entries()) expect(toolResults[at]).toMatch(result);
    if (sources !== undefined) expect(knownIds(world.notebook.sources())).toEqual(sources);
    expect(world.of('agent_confirm_request')).toHaveLength(
      answers.length || (options?.approvalTimeoutSeconds ? 1 : 0),
    );
    expect(world.of('agent_done')).toMatchObject([{ content: 'ok', cancelled: false, error: null }]);
  });

  it('[AG-16] of a run the model gets at most 2,000 characters of stdout, 1,000 of stderr and 500 of a preview', async () => {
    const run = async () => ({
      stdout: 'o'.repeat(9_000),
      stderr: 'e'.repeat(9_000),
      outputs: { x: { content_type: 'json/object', preview: 'p'.repeat(9_000) } },
    });
    const world = await worldOf([{ calls: [callOf('run_cell', { variable_name: 'x' })] }, { text: 'ok' }], {
      run,
    });
    await world.start().ended;
    const text = world.asked[1]?.messages.at(-1)?.text ?? '';
    const longest = (letter: string) =>
      Math.max(...(text.match(new RegExp(`${letter}{20,}`, 'g')) ?? ['']).map((run) => run.length));
    expect([longest('o') <= 2_000, longest('e') <= 1_000, longest('p') <= 500]).toEqual([true, true, true]);
    expect([longest('o') > 1_900, longest('e') > 900, longest('p') > 400]).toEqual([true, true, true]);
  });
});

describe('a job', () => {
  it('[AG-1] reports each step in frames, and ends with the notebook', async () => {
    const world = await worldOf([
      { text: 'Let me see. ', calls: [callOf('get_notebook_state', {})] },
      { text: 'Nothing to do.' },
    ]);
    const { id } = world.start();
    await world.until(({ type }) => type === 'agent_done');
    expect(id).toMatch(/^[0-9a-f]{8}$/);
    expect(eventsOf(world)).toEqual([
      ...['started', 'iteration', 'tool_call', 'tool_result', 'iteration', 'done'],
    ]);
    expect(world.of('agent_text_delta').map(({ text }) => text)).toEqual(['Let me see. ', 'Nothing to do.']);
    expect(world.notebook.frames.slice(-2).map(({ type }) => type)).toEqual(['agent_done', 'notebook_state']);
    expect(world.of('agent_done')).toMatchObject([
      {
        job_id: id,
        content: 'Nothing to do.',
        model: 'm',
        tokens: { input: 6, output: 4 },
        iterations: 2,
        cancelled: false,
        error: null,
        undo_id: null,
        tool_calls: [{ tool: 'get_notebook_state', args: {} }],
      },
    ]);
    expect((await world.assistant.status()).usage).toEqual({ m: { input: 6, output: 4, requests: 2 } });
  });

  it('[AG-2] begins with the instructions, the memory, the notebook as a result, and the message', async () => {
    const world = await worldOf([{ text: 'one' }, { text: 'two' }]);
    await world.start({ message: 'First' }).ended;
    await world.start({ message: 'Second' }).ended;
    const shape = world.asked.map(({ messages }) => messages.map(({ role }) => role));
    expect(shape).toEqual([
      ['system', 'assistant', 'tool', 'user'],
      ['system', 'user', 'assistant', 'assistant', 'tool', 'user'],
    ]);
    const [, user, said] = world.asked[1]?.messages ?? [];
    expect([user?.text, said?.text]).toEqual(['First', 'one']);
  });

  it('[AG-3] stops after ten turns with tools and requests a summary without tools', async () => {
    const turns = Array.from({ length: 10 }, () => ({ calls: [callOf('get_notebook_state', {})] }));
    const world = await worldOf([...turns, { text: 'That is all.' }]);
    await world.start().ended;
    expect(world.asked.map(({ mayCall }) => mayCall)).toEqual([...Array(10).fill(true), false]);
    expect(world.of('agent_done')).toMatchObject([{ content: 'That is all.', iterations: 10, error: null }]);
  });

  it('[AG-4] stores the last twelve turns with the notebook, and deletes them on request', async () => {
    const world = await worldOf(Array.from({ length: 8 }, (_none, at) => ({ text: `answer ${at}` })));
    for (let at = 0; at < 8; at += 1) await world.start({ message: `question ${at}` }).ended;
    const file = join(world.notebook.path, '.svc', 'agent_history.json');
    const turns: readonly { content: string }[] = JSON.parse(await readFile(file, 'utf8'));
    expect(turns.map(({ content }) => content)).toEqual(
      [2, 3, 4, 5, 6, 7].flatMap((at) => [`question ${at}`, `answer ${at}`]),
    );
    await world.assistant.reset();
    await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
    expect((await world.assistant.status()).history).toEqual([]);
  });

  it.each([
    [
      'a failed request',
      async () => Promise.reject(new ChatError('The provider is down.', { kind: 'final' })),
      'The provider is down.',
    ],
    [
      'a fault of the program',
      async () => Promise.reject(new Error('secret detail')),
      /^The job failed because of an internal error/,
    ],
  ] as const)('[AG-5] %s ends it with an error and is not remembered', async (_what, turn, message) => {
    const world = await worldOf([turn]);
    await world.start().ended;
    expect(eventsOf(world).at(-1)).toBe('error');
    expect(world.of('agent_done')[0]?.error).toMatch(message);
    expect((await world.assistant.status()).history).toEqual([]);
  });

  it('[AG-6] one job at a time; the next may start when the last frames arrive', async () => {
    let go: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      go = resolve;
    });
    const world = await worldOf([async () => waiting.then(() => ({ text: 'ok' })), { text: 'ok' }]);
    const first = world.start();
    expect(() => world.start()).toThrow(AppError);
    go();
    await first.ended;
    await world.start().ended;
    expect(world.of('agent_done')).toHaveLength(2);
  });

  it('[AG-7] without a provider nothing starts and nothing is sent', async () => {
    for (const code of ['ai_unavailable', 'NOTEBOOK_UNTRUSTED', 'read_only'] as const) {
      const world = await worldOf([], { whyNot: new AppError(code, 'No.') });
      expect(() => world.start()).toThrow(expect.objectContaining({ code }));
      const chat = world.assistant.chat(
        { message: 'Hi', history: [], leave_out: [] },
        { signal: new AbortController().signal, onText: () => undefined },
      );
      await expect(chat).rejects.toMatchObject({ code });
      expect(world.asked).toEqual([]);
      const preview = await world.assistant.preview({
        for: 'chat',
        message: 'Hi',
        history: [],
        extra_tools: false,
        leave_out: [],
      });
      expect(preview).toMatchObject({ provider: null, hint: 'No.' });
    }
  });

  it('[AG-11] a cut-off response performs none of its calls', async () => {
    const calls = [callOf('edit_cell', { variable_name: 'x', new_source: '' })];
    const world = await worldOf([{ calls, isCut: true }, { text: 'ok' }]);
    await world.start({ auto_approve: true }).ended;
    expect(world.notebook.sources()).toEqual(UNCHANGED);
    expect(resultsOf(world)[0]).toMatch(/was cut off/);
  });

  it('[AG-19] a cell that was changed since it was read is not overwritten', async () => {
    const edit = () => callOf('edit_cell', { variable_name: 'x', new_source: 'x = 3' });
    const world = await worldOf([
      async () => {
        world.notebook.edit('a', 'x = 9  # mine');
        return { calls: [edit()] };
      },
      { calls: [edit()] },
      { text: 'ok' },
    ]);
    await world.start().ended;
    const [first, second] = resultsOf(world);
    expect(first).toMatch(/was changed since you read it/);
    expect(first).toContain('x = 9  # mine');
    expect(second).toBe('Changed.');
  });

  it('[AG-19] only what the user confirmed is deleted', async () => {
    const world = await worldOf([{ calls: [callOf('delete_cell', { variable_name: 'y' })] }, { text: 'ok' }]);
    const job = world.start();
    await world.until(({ type }) => type === 'agent_confirm_request');
    world.notebook.edit('b', 'y = x + 1');
    world.assistant.answer({ jobId: job.id, requestId: null, approved: true });
    await job.ended;
    expect(world.notebook.sources()['b']).toBe('y = x + 1');
    expect(resultsOf(world)[0]).toMatch(/was changed in the meantime/);
  });

  it('[AG-22] a cell that was changed and then deleted is restored to its state before the job', async () => {
    const calls = [
      callOf('edit_cell', { variable_name: 'y', new_source: 'y = 0' }),
      callOf('delete_cell', { variable_name: 'y' }),
    ];
    const world = await worldOf([{ calls }, { text: 'ok' }]);
    await world.start({ auto_approve: true }).ended;
    expect(
      world.notebook.requests.map((request) => ('source' in request ? request.source : request.type)),
    ).toEqual([...['y = 0', 'y = x', 'delete_cell']]);
    const [step] = world.notebook.undo.values();
    expect(step?.changes).toEqual([{ kind: 'deleted', cellId: 'b' }]);
  });

  it('[AG-20] a question shows what the change would do', async () => {
    const world = await worldOf([
      {
        calls: [
          callOf('edit_cell', { variable_name: 'x', new_source: 'x = 2' }),
          callOf('delete_cell', { variable_name: 'x' }),
          callOf('add_package', { package_spec: 'polars >= 1' }),
          callOf('create_cell', { source: 'z = 1' }),
          callOf('run_cell', { variable_name: 'y' }),
        ],
      },
      { text: 'ok' },
    ]);
    const job = world.start({ confirm_all: true });
    for (let at = 1; at <= 5; at += 1) {
      await world.until(() => world.of('agent_confirm_request').length === at);
      const [request] = world.of('agent_confirm_request').slice(-1);
      expect(request?.request_id).toMatch(/^[0-9a-f]{12}$/);
      expect(request?.args).toEqual(request?.arguments);
      world.assistant.answer({ jobId: null, requestId: request?.request_id ?? '', approved: false });
    }
    await job.ended;
    expect(world.of('agent_confirm_request').map(({ preview }) => preview)).toMatchObject([
      {
        kind: 'edit',
        before: 'x = 1',
        after: 'x = 2',
        diff: expect.stringContaining('-x = 1\n'),
        stale: ['b'],
      },
      { kind: 'delete', source: 'x = 1', stale: ['b'], lost: ['x'] },
      {
        kind: 'packages',
        requirement: 'polars>=1',
        changes: [{ name: 'polars', before: null, after: '1.0' }],
      },
      { kind: 'create', source: 'z = 1', after_cell_id: null },
      { kind: 'run', source: 'y = x', upstream: [] },
    ]);
  });
});

describe('cancelling', () => {
  const never = (signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
    );
  const CASES: readonly (readonly [
    string,
    readonly Script[],
    Omit<FakeOptions, 'path'>,
    (world: AgentWorld) => Promise<unknown>,
  ])[] = [
    [
      'while the model answers',
      [(_question, signal) => never(signal)],
      {},
      (world) => world.until(({ type }) => type === 'agent_progress'),
    ],
    [
      'while a question waits',
      [{ calls: [callOf('delete_cell', { variable_name: 'x' })] }],
      {},
      (world) => world.until(({ type }) => type === 'agent_confirm_request'),
    ],
    [
      'while a cell runs',
      [{ calls: [callOf('run_cell', { variable_name: 'x' })] }],
      { run: (_cell, signal) => never(signal).catch(() => ({ status: 'error' as const })) },
      (world) => world.until(() => world.notebook.requests.some(({ type }) => type === 'run_cell')),
    ],
    [
      'while a package is installed',
      [{ calls: [callOf('add_package', { package_spec: 'polars' })] }],
      { install: (signal) => never(signal).catch(() => 'failed' as const) },
      async (world) => {
        await world.until(({ type }) => type === 'agent_confirm_request');
        world.assistant.answer({ jobId: null, requestId: null, approved: true });
        await world.until(() => world.notebook.requests.some(({ type }) => type === 'start_environment_job'));
      },
    ],
  ];
  it.each(CASES)('[AG-8] %s', async (_when, script, options, ready) => {
    const world = await worldOf(script, options);
    const job = world.start();
    await ready(world);
    world.assistant.cancel('another job');
    world.assistant.cancel(null);
    await job.ended;
    expect(eventsOf(world).at(-1)).toBe('cancelled');
    expect(world.of('agent_done')).toMatchObject([{ cancelled: true, error: null }]);
    expect(world.notebook.sources()).toEqual(UNCHANGED);
    expect(world.notebook.packages).toEqual(['pandas']);
    expect((await world.assistant.status()).history).toEqual([]);
  });

  it('[AG-8] the end of the session ends the job', async () => {
    const world = await worldOf([(_question, signal) => never(signal)]);
    const job = world.start();
    world.notebook.end();
    await job.ended;
    expect((await world.assistant.status()).job).toBeNull();
  });
});
