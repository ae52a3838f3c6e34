import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cellId, notebookId } from '../../../src-shared/notebook/ids.ts';
import type { AiChoice } from '../../ai/aiSettings.ts';
import { type AiReply, type AiServer, startAiServer } from '../../ai/aiStandIn.ts';
import type { ArtifactRow, ArtifactStore } from '../../artifacts/artifact.ts';
import { openStore } from '../../artifacts/store.ts';
import { createFakeExecutor } from '../../exec/fakeExecutor.ts';
import { createFakeData } from '../../mount/fakeData.ts';
import { createConsoleLogs } from '../../notebook/consoleLogs.ts';
import { NO_LANGUAGES } from '../languageStep.ts';
import { subkey } from '../provenance.ts';
import { artifactIdOf, type StepInput, type StepOutcome, type StepRequest } from '../step.ts';
import type { PromptDelta } from './deltaFeed.ts';
import { promptStep } from './promptStep.ts';

let root = '';
let store: ArtifactStore;
let server: AiServer;
const executor = createFakeExecutor();
const background: Promise<unknown>[] = [];
let made = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'prompt-step-'));
  store = await openStore(join(root, 'artifacts'));
});
afterAll(async () => {
  await Promise.all(background);
  await executor.close();
  await store.close();
  await rm(root, { recursive: true, force: true });
});
afterEach(() => server?.close());

function choice(path = '/v1', changes: Partial<AiChoice['settings']> = {}): AiChoice {
  const baseUrl = `${server.origin}${path}`;
  const provider = path.includes('anthropic') ? 'anthropic' : path.includes('openai') ? 'openai' : 'local';
  const settings = {
    provider,
    baseUrl,
    model: 'm-1',
    maxOutputTokens: 100,
    timeoutSeconds: 20,
    ...changes,
  } as const;
  return { settings, apiKey: 'key-of-the-test', hint: 'Put a key somewhere.' };
}

/** A cell of its own for each call, so that none answers for another. */
function request(source: string, changes: Partial<StepRequest> = {}): StepRequest {
  made += 1;
  return {
    notebookId: notebookId('n'),
    notebookDir: root,
    cellId: cellId(`p${made}`),
    cellName: 'p',
    language: 'prompt',
    source,
    sourceHash: source,
    provenanceHash: `of ${source}`,
    contentKey: `content of ${source}`,
    envHash: 'env',
    inputHashes: [],
    facts: {
      sourceHash: source,
      inputs: [],
      lockHash: '',
      timeoutSeconds: 60,
      env: {},
      worker: '',
      data: [],
      modules: [],
    },
    inputs: [],
    consumed: ['result'],
    storeLeaves: false,
    mutationDefines: [],
    defines: ['result'],
    useCache: true,
    cacheable: true,
    stored: {},
    loop: null,
    fanOut: null,
    variant: null,
    widget: null,
    env: {},
    data: [],
    timeoutSeconds: 60,
    interpreter: { path: '', identity: '' },
    moduleNames: [],
    ai: choice(),
    modules: null,
    ...changes,
  };
}

interface Ran {
  readonly outcome: StepOutcome;
  readonly deltas: readonly PromptDelta[];
}

async function run(step: StepRequest, signal = new AbortController().signal): Promise<Ran> {
  const deltas: PromptDelta[] = [];
  const tools = {
    store,
    executor,
    scratchDir: root,
    logs: createConsoleLogs(root, { maxBytes: 1 << 20, longerThan: 100 }),
    inBackground: (work: Promise<unknown>) => void background.push(work),
    data: createFakeData(),
    languages: NO_LANGUAGES,
  };
  const outcome = await promptStep(tools, step, {
    signal,
    onConsole: () => undefined,
    onDelta: (delta) => deltas.push(delta),
    runId: randomUUID(),
  });
  return { outcome, deltas };
}

async function open(...replies: readonly AiReply[]): Promise<void> {
  server = await startAiServer();
  server.next(...replies);
}

async function input(variable: string, json: string): Promise<StepInput> {
  const [row] = await store.publish([
    {
      id: artifactIdOf('n', `in${variable}`, variable),
      provenanceHash: json,
      contentKey: null,
      contentType: 'json/object',
      params: {},
      inputVersions: {},
      rowCount: null,
      schemaJson: null,
      blob: { bytes: Buffer.from(json) },
    },
  ]);
  return { variable, producerId: cellId('up'), row: row ?? null, variant: null, perRun: false };
}

async function keptText(outcome: StepOutcome, name = 'result'): Promise<string> {
  if (outcome.kind !== 'ran') throw new Error(`the cell ${outcome.kind}: ${JSON.stringify(outcome)}`);
  const row = outcome.published.find(({ id }) => id.endsWith(`_var_${name}`));
  const readable = row === undefined ? null : await store.readable(row);
  if (readable?.kind !== 'ok') throw new Error('no value was kept');
  return readFile(readable.path, 'utf8');
}

function said(outcome: StepOutcome): string {
  return outcome.kind === 'failed' ? outcome.error : `not failed: ${outcome.kind}`;
}

/** What a session has of a cell after this run, newest first. */
function kept(outcome: StepOutcome, before: StepRequest['stored'] = {}): StepRequest['stored'] {
  const rows = outcome.kind === 'ran' ? outcome.published : outcome.kind === 'hit' ? outcome.promoted : [];
  const stored: Record<string, readonly ArtifactRow[]> = { ...before };
  for (const row of rows) {
    const label = row.id.slice(row.id.indexOf('_var_') + '_var_'.length);
    stored[label] = [row, ...(stored[label] ?? [])];
  }
  return stored;
}

const text = (words: string): AiReply => ({ kind: 'text', text: words });

describe('a prompt and its answer', () => {
  it('[PR-3] [PR-6] semantics example 11: what is sent, what is asked again, what is kept', async () => {
    await open(text('not json'), text('```json\n{"n": 3}\n```'));
    const schema = '{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}';
    const source = `# @name ans\n# @system Be brief\n# @output_schema ${schema}\n# @validate_retries 2\nCount {{ rows }} and {{ missing }} and {{ rows.append(4) }}`;
    const inputs = [await input('rows', '[1,2,3]')];
    const step = request(source, { inputs, consumed: ['ans'], defines: ['ans'], ai: choice('/openai/v1') });
    const { outcome, deltas } = await run(step);
    const [first, second] = server.asked;
    const user = 'Count [\n  1,\n  2,\n  3\n] and {{ missing }} and {{ rows.append(4) }}';
    expect(first?.body).toMatchObject({
      model: 'm-1',
      temperature: 0,
      max_completion_tokens: 100,
      messages: [
        { role: 'system', content: 'Be brief' },
        { role: 'user', content: user },
      ],
      response_format: {
        type: 'json_schema',
        json_schema: { strict: true, schema: { additionalProperties: false, required: ['n'] } },
      },
    });
    const [, , assistant, wrong] = second?.body?.messages ?? [];
    expect(assistant).toEqual({ role: 'assistant', content: 'not json' });
    expect(wrong?.role).toBe('user');
    expect(wrong?.content).toContain('response is not valid JSON: ');
    expect(await keptText(outcome, 'ans')).toBe('{"n": 3}');
    expect(outcome).toMatchObject({
      kind: 'ran',
      method: 'llm',
      displays: [
        {
          content_type: 'json/object',
          preview: { n: 3 },
          usage: { model: 'm-1', input_tokens: 22, output_tokens: 14, validation_retries: 1 },
        },
      ],
    });
    // What came of the first answer may have been shown before it was found wrong.
    expect(deltas.filter(({ attempt }) => attempt > 1)).toEqual([
      { kind: 'retry', attempt: 2, text: expect.stringContaining('response is not valid JSON') },
      { kind: 'delta', attempt: 2, text: '```json\n{"n": 3}\n```' },
    ]);
    const row = outcome.kind === 'ran' ? outcome.published.find(({ id }) => id.endsWith('_ans')) : undefined;
    expect(row?.params).toMatchObject({ total_tokens: '36', validation_retries: '1', model: 'm-1' });
    expect(row?.provenanceHash).toBe(subkey(row?.params['prompt_key'] ?? '', 'ans'));
  });

  it('[PR-6] a text is kept as a JSON string and shown as Markdown, and said who gave it', async () => {
    await open(text('**Bold** answer'));
    const { outcome, deltas } = await run(request('Say something bold'));
    expect(await keptText(outcome)).toBe('"**Bold** answer"');
    expect(outcome).toMatchObject({
      stderr: 'm-1: 11 tokens in, 7 out\n',
      displays: [{ content_type: 'text/markdown', markdown_text: '**Bold** answer' }],
      outputs: { result: { content_type: 'json/object', preview: '**Bold** answer' } },
    });
    expect(deltas.map((delta) => delta.text).join('')).toBe('**Bold** answer');
    expect(server.asked[0]?.body).toMatchObject({ max_tokens: 100, stream: true });
    expect(server.asked[0]?.body).not.toHaveProperty('response_format');
  });

  it('[PR-4] a long value is cut to its room, a long answer’s preview too', async () => {
    await open(text('a'.repeat(5_000)));
    const inputs = [await input('long', JSON.stringify('z'.repeat(9_000)))];
    const { outcome } = await run(request('{{ long }}', { inputs }));
    const sent = server.asked[0]?.body?.messages[0]?.content ?? '';
    expect(sent).toBe(`${'z'.repeat(8_000)}\n… (cut: 8,000 of 9,000 characters)`);
    const preview = outcome.kind === 'ran' ? outcome.outputs['result']?.preview : null;
    expect(String(preview).length).toBe(4_000);
  });

  it('[PR-7] is answered from the store: by what the session knows, and by what would be sent', async () => {
    await open(text('once'));
    const inputs = [await input('a', '"x"')];
    const step = request('Tell {{ a }}', { inputs });
    const stored = kept((await run(step)).outcome);
    const again = await run({ ...step, stored });
    expect(again.outcome).toMatchObject({ kind: 'hit', promoted: [], displays: [{ markdown_text: 'once' }] });
    expect(again.deltas).toEqual([]);
    const commented = {
      ...step,
      source: '# a comment\nTell {{ a }}',
      provenanceHash: 'another',
      contentKey: 'another',
      stored,
    };
    const reworded = await run(commented);
    expect(reworded.outcome).toMatchObject({ kind: 'hit', displays: [{ markdown_text: 'once' }] });
    const promoted = kept(reworded.outcome, stored);
    expect((await run({ ...commented, stored: promoted })).outcome).toMatchObject({
      kind: 'hit',
      promoted: [],
    });
    expect(server.asked).toHaveLength(1);
    for (const changed of [
      { source: 'Tell me {{ a }}' },
      { source: '# @system s\nTell {{ a }}' },
      { source: '# @temperature 1\nTell {{ a }}' },
      { ai: choice('/v1', { model: 'm-2' }) },
      { ai: choice('/v1', { maxOutputTokens: 99 }) },
      { inputs: [await input('a', '"y"')] },
    ]) {
      const before = server.asked.length;
      const other = { ...step, provenanceHash: 'o', contentKey: 'o', stored: promoted, ...changed };
      expect((await run(other)).outcome.kind).toBe('ran');
      expect(server.asked).toHaveLength(before + 1);
    }
    expect((await run({ ...step, stored: promoted, useCache: false })).outcome.kind).toBe('ran');
  });

  it('[PR-7] a prompt nobody reads is kept too: who reads it later asks nobody', async () => {
    await open(text('kept'));
    const leaf = request('A leaf', { consumed: [] });
    const stored = kept((await run(leaf)).outcome);
    expect((await run({ ...leaf, consumed: ['result'], stored })).outcome.kind).toBe('hit');
    expect((await run({ ...leaf, stored })).outcome).toMatchObject({
      kind: 'hit',
      console: { stderr: 'm-1: 11 tokens in, 7 out\n' },
    });
  });
});

describe('what keeps a prompt from being asked', () => {
  interface Row {
    readonly name: string;
    readonly source: string;
    readonly changes?: () => Partial<StepRequest>;
    readonly words: string;
  }
  const ROWS: readonly Row[] = [
    { name: 'nothing to ask', source: '# @model m\n\n', words: 'The prompt is empty' },
    {
      name: 'no key',
      source: 'Hi',
      changes: () => ({ ai: { ...choice(), apiKey: null } }),
      words: 'Put a key somewhere.',
    },
    {
      name: 'a schema that is none',
      source: '# @output_schema {"type": "x"}\nHi',
      words: 'is no JSON Schema',
    },
  ];
  for (const { name, source, changes, words } of ROWS) {
    it(`[PR-5] ${name}`, async () => {
      await open(text('never'));
      const { outcome } = await run(request(source, changes?.() ?? {}));
      expect(said(outcome)).toContain(words);
      expect(server.asked).toEqual([]);
    });
  }

  it('[PR-3] a table without a Python is said, and so is what a prompt does not open', async () => {
    await open(text('ok'));
    const one = await input('df', '1');
    const as = (contentType: string): StepInput => ({
      ...one,
      row: one.row === null ? null : { ...one.row, contentType },
    });
    const table = await run(request('{{ df }}', { inputs: [as('arrow/ipc')] }));
    expect(said(table.outcome)).toContain('`df`, which only the notebook’s Python can show');
    const pickle = await run(request('{{ df }} {{ df.x }}', { inputs: [as('pickle/object')] }));
    expect(pickle.outcome).toMatchObject({ kind: 'ran' });
    expect(server.asked[0]?.body?.messages[0]?.content).toBe(
      '<df: an object stored as pickle/object> <df: an object stored as pickle/object>',
    );
    expect(pickle.outcome.kind === 'ran' && pickle.outcome.stderr).toContain('a prompt does not open');
    expect(executor.requests).toEqual([]);
  });
});

describe('providers that do not know everything', () => {
  interface Row {
    readonly name: string;
    readonly path?: string;
    readonly source?: string;
    readonly replies: readonly AiReply[];
    /** Of the last request. */
    readonly sent: Readonly<Record<string, unknown>>;
    readonly without?: string;
    readonly notice?: string;
  }
  const refusal = (message: string, status = 400): AiReply => ({ kind: 'error', status, message });
  const schema = '# @output_schema {"type":"object","properties":{"n":{"type":"integer"}}}\nHi';
  const ROWS: readonly Row[] = [
    {
      name: 'no json_schema: the schema in words',
      path: '/openai/v1',
      source: schema,
      replies: [refusal('json_schema is not supported'), text('{"n": 1}')],
      sent: {
        messages: [
          { role: 'system', content: expect.stringContaining('"integer"') },
          { role: 'user', content: 'Hi' },
        ],
      },
      without: 'response_format',
      notice: 'no response format',
    },
    {
      name: '422 as well',
      source: schema,
      replies: [refusal('unknown field response_format', 422), text('{"n": 1}')],
      sent: {},
      without: 'response_format',
      notice: 'no response format',
    },
    {
      name: 'no token counts in a stream',
      replies: [refusal('stream_options: extra fields'), text('x')],
      sent: { stream: true },
      without: 'stream_options',
      notice: 'does not count tokens',
    },
    {
      name: 'no temperature',
      replies: [refusal("Unsupported value: 'temperature' does not support 0"), text('x')],
      sent: {},
      without: 'temperature',
      notice: 'no temperature to set',
    },
    {
      name: 'json_object where there is no json_schema, the schema beside the system turn',
      source: `# @system Be brief\n${schema}`,
      replies: [text('{"n": 1}')],
      sent: {
        response_format: { type: 'json_object' },
        messages: [
          { role: 'system', content: expect.stringMatching(/^Be brief\n\nAnswer with[\s\S]*"integer"/) },
          { role: 'user', content: 'Hi' },
        ],
      },
    },
    {
      name: 'an open object is not strict',
      path: '/openai/v1',
      source: schema,
      replies: [text('{"n": 1}')],
      sent: { response_format: { json_schema: { strict: false } } },
    },
    {
      name: 'Anthropic’s own API for a schema: one forced tool, in one piece',
      path: '/anthropic/v1',
      source: `# @system Be brief\n${schema}`,
      replies: [text('{"n": 1}')],
      sent: {
        system: 'Be brief',
        max_tokens: 100,
        messages: [{ role: 'user', content: 'Hi' }],
        tool_choice: { type: 'tool', name: 'answer' },
        tools: [{ input_schema: { type: 'object', properties: { n: { type: 'integer' } } } }],
      },
      without: 'stream',
    },
    {
      name: 'Anthropic and a schema that is no object: wrapped, and unwrapped',
      path: '/anthropic/v1',
      source: '# @output_schema {"type":"array","items":{"type":"integer"}}\nHi',
      replies: [text('{"value": [1]}')],
      sent: { tools: [{ input_schema: { required: ['value'], properties: { value: { type: 'array' } } } }] },
    },
    {
      name: 'Anthropic without a schema: the common API',
      path: '/anthropic/v1',
      replies: [text('x')],
      sent: { stream: true, max_tokens: 100 },
    },
  ];
  for (const row of ROWS) {
    it(`[PR-8] ${row.name}`, async () => {
      await open(...row.replies);
      const { outcome, deltas } = await run(request(row.source ?? 'Hi', { ai: choice(row.path) }));
      expect(outcome.kind, JSON.stringify(outcome)).toBe('ran');
      const last = server.asked.at(-1)?.body;
      expect(last).toMatchObject(row.sent);
      if (row.without !== undefined) expect(last).not.toHaveProperty(row.without);
      expect(server.asked).toHaveLength(row.replies.length);
      const notices = deltas.filter(({ kind }) => kind === 'notice').map((delta) => delta.text);
      expect(notices.join('\n')).toContain(row.notice ?? '');
      expect(notices).toHaveLength(row.notice === undefined ? 0 : 1);
    });
  }

  it('[PR-8] a refusal that names nothing is told at once, a chosen temperature is not given up', async () => {
    await open(refusal('the prompt is too long'));
    expect(said((await run(request('Hi'))).outcome)).toContain('(400): the prompt is too long');
    server.next(refusal('temperature is not supported'));
    expect(said((await run(request('# @temperature 0.7\nHi'))).outcome)).toContain(
      'temperature is not supported',
    );
    expect(server.asked).toHaveLength(2);
  });
});

describe('[PR-10] a provider that fails', () => {
  const now = { 'retry-after': '0' };
  const busy: AiReply = { kind: 'error', status: 429, message: 'slow down', headers: now };
  interface Row {
    readonly name: string;
    readonly replies: readonly AiReply[];
    readonly asked: number;
    readonly words?: string;
    readonly ai?: Partial<AiChoice['settings']>;
    readonly source?: string;
  }
  const ROWS: readonly Row[] = [
    { name: 'busy, then not', replies: [busy, busy, text('x')], asked: 3 },
    { name: 'busy for good', replies: [busy], asked: 3, words: 'slow down (tried 3 times)' },
    {
      name: 'busy for longer than anybody waits',
      replies: [{ ...busy, headers: { 'retry-after': '3600' } }],
      asked: 1,
      words: 'It asks to wait 3600 s',
    },
    {
      name: 'broken, then not',
      replies: [{ kind: 'error', status: 503, message: 'no', headers: now }, text('x')],
      asked: 2,
    },
    {
      name: 'a key it does not take',
      replies: [{ kind: 'error', status: 401, message: 'bad key' }],
      asked: 1,
      words: 'does not accept the key (401): bad key',
    },
    {
      name: 'a model it does not know',
      replies: [{ kind: 'error', status: 404, message: 'no such model' }],
      asked: 1,
      words: 'the model m-1 (404): no such model',
    },
    {
      name: 'cut in the middle, then whole',
      replies: [{ kind: 'cut', text: 'half' }, text('whole')],
      asked: 2,
    },
    { name: 'cut every time', replies: [{ kind: 'cut', text: 'half' }], asked: 3, words: 'tried 3 times' },
    {
      name: 'an end without a reason',
      replies: [{ kind: 'text', text: 'half', finish: null }],
      asked: 3,
      words: 'cut before the answer was whole',
    },
    {
      name: 'silence',
      replies: [{ kind: 'silent', text: 'half' }],
      asked: 1,
      ai: { timeoutSeconds: 0.2 },
      words: 'said nothing for 0.2 s',
    },
    {
      name: 'silence from the start',
      replies: [{ kind: 'silent', text: '' }],
      asked: 1,
      ai: { timeoutSeconds: 0.2 },
      words: 'said nothing for 0.2 s',
    },
    { name: 'an answer without end', replies: [{ kind: 'endless' }], asked: 1, words: 'longer than 16 MiB' },
    {
      name: 'a page instead of an answer',
      replies: [{ kind: 'raw', status: 200, type: 'text/html', body: '<html>Welcome</html>' }],
      asked: 3,
      words: 'cut before',
    },
    { name: 'an answer of nothing', replies: [text('')], asked: 1, words: 'The model answered with nothing' },
    {
      name: 'filtered',
      replies: [{ kind: 'text', text: 'a', finish: 'content_filter' }],
      asked: 1,
      words: 'content filter',
    },
    {
      name: 'a redirect',
      replies: [{ kind: 'raw', status: 307, type: 'text/plain', body: '' }],
      asked: 1,
      words: 'leads elsewhere',
    },
    {
      name: 'wrong to the end',
      replies: [text('{"n": "x"}')],
      source: '# @output_schema {"type":"object","required":["a","b","c","d"]}\n# @validate_retries 2\nHi',
      asked: 2,
      words:
        "asked 2 times and its answer still does not fit:\n- response: must have required property 'a'\n- response: must have required property 'b'\n- response: must have required property 'c'\n- and 1 more",
    },
  ];
  for (const row of ROWS) {
    it(row.name, async () => {
      await open(...row.replies);
      const { outcome } = await run(request(row.source ?? 'Hi', { ai: choice('/v1', row.ai) }));
      if (row.words === undefined) expect(outcome.kind).toBe('ran');
      else expect(said(outcome)).toContain(row.words);
      expect(server.asked).toHaveLength(row.asked);
    }, 60_000);
  }

  it('what came of a cut answer is taken back before the whole one is shown', async () => {
    await open({ kind: 'cut', text: 'half' }, text('whole'));
    const { outcome, deltas } = await run(request('Hi'));
    expect(await keptText(outcome)).toBe('"whole"');
    const last = deltas.findLastIndex(({ kind }) => kind === 'retry');
    expect(
      deltas
        .slice(last + 1)
        .map((delta) => delta.text)
        .join(''),
    ).toBe('whole');
    expect(deltas[last]?.attempt).toBe(2);
  });

  it('an address nobody answers at is said', async () => {
    await open(text('x'));
    const ai = choice();
    await server.close();
    expect(said((await run(request('Hi', { ai }))).outcome)).toContain('could not be reached');
  });

  it('a time that has run out is said', async () => {
    await open({ kind: 'silent', text: 'half' });
    const { outcome } = await run(request('Hi', { timeoutSeconds: 0.2 }));
    expect(said(outcome)).toContain('no whole answer after 0.2 s');
  });

  it('[PR-11] cancelling ends the request at once, while it streams and while it waits', async () => {
    for (const reply of [
      { kind: 'silent', text: 'half' },
      { kind: 'error', status: 429, message: 'x', headers: { 'retry-after': '9' } },
    ] as const) {
      await open(reply);
      const stop = new AbortController();
      const ended = run(request('Hi'), stop.signal);
      await server.whenAsked(1);
      if (reply.kind === 'error') await server.asked[0]?.closed;
      stop.abort();
      expect((await ended).outcome.kind).toBe('cancelled');
      await server.asked[0]?.closed;
      expect(server.asked).toHaveLength(1);
      await server.close();
    }
  });
});
