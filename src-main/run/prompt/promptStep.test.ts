import { describe, expect, it } from 'vitest';
import { subkey } from '../provenance.ts';
import type { PromptStep, StepInput } from '../step.ts';

import {
  choice,
  consoleText,
  executor,
  input,
  open,
  request,
  run,
  server,
  storedText,
  storedVersions,
  text,
  withPromptWorld,
} from './testing/promptWorld.ts';

withPromptWorld();

describe('a prompt and its answer', () => {
  it('[PR-3] [PR-6] semantics example 11: the request, the repeated request, the stored reply', async () => {
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
    expect(await storedText(outcome, 'ans')).toBe('{"n": 3}');
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
    // The first answer may have been shown before it was found invalid.
    expect(deltas.filter(({ attempt }) => attempt > 1)).toEqual([
      { kind: 'retry', attempt: 2, text: expect.stringContaining('response is not valid JSON') },
      { kind: 'delta', attempt: 2, text: '```json\n{"n": 3}\n```' },
    ]);
    const row = outcome.kind === 'ran' ? outcome.published.find(({ id }) => id.endsWith('_ans')) : undefined;
    expect(row?.params).toMatchObject({ total_tokens: '36', validation_retries: '1', model: 'm-1' });
    expect(row?.provenanceHash).toBe(subkey(row?.params['prompt_key'] ?? '', 'ans'));
  });

  it('[PR-6] a text is stored as a JSON string and shown as Markdown, with the name of the model', async () => {
    await open(text('**Bold** answer'));
    const { outcome, deltas } = await run(request('Say something bold'));
    expect(await storedText(outcome)).toBe('"**Bold** answer"');
    expect(outcome).toMatchObject({
      stderr: 'm-1: 11 tokens in, 7 out\n',
      displays: [{ content_type: 'text/markdown', markdown_text: '**Bold** answer' }],
      outputs: { result: { content_type: 'json/object', preview: '**Bold** answer' } },
    });
    expect(deltas.map((delta) => delta.text).join('')).toBe('**Bold** answer');
    expect(server.asked[0]?.body).toMatchObject({ max_tokens: 100, stream: true });
    expect(server.asked[0]?.body).not.toHaveProperty('response_format');
  });

  it('[PR-4] a long value is cut to fit, a long answer’s preview too', async () => {
    await open(text('a'.repeat(5_000)));
    const inputs = [await input('long', JSON.stringify('z'.repeat(9_000)))];
    const { outcome } = await run(request('{{ long }}', { inputs }));
    const content = server.asked[0]?.body?.messages[0]?.content ?? '';
    expect(content).toBe(`${'z'.repeat(8_000)}\n… (cut: 8,000 of 9,000 characters)`);
    const preview = outcome.kind === 'ran' ? outcome.outputs['result']?.preview : null;
    expect(String(preview).length).toBe(4_000);
  });

  it('[PR-7] reuses a stored result of the session, and one with the same request', async () => {
    await open(text('once'));
    const inputs = [await input('a', '"x"')];
    const step = request('Tell {{ a }}', { inputs });
    const stored = storedVersions((await run(step)).outcome);
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
    const promoted = storedVersions(reworded.outcome, stored);
    expect((await run({ ...commented, stored: promoted })).outcome).toMatchObject({
      kind: 'hit',
      promoted: [],
    });
    expect(server.asked).toHaveLength(1);
    for (const changed of [
      { source: 'Tell me {{ a }}' },
      { source: '# @system s\nTell {{ a }}' },
      { source: '# @temperature 1\nTell {{ a }}' },
      { source: '# @max_tokens 50\nTell {{ a }}' },
      { source: '# @model m-3\nTell {{ a }}' },
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

  it('[PR-7] the requested type of reply, and its schema, are part of the key', async () => {
    await open(text('{"n": 1}'));
    const schema = (type: string) => `# @output_schema {"properties":{"n":{"type":"${type}"}}}\nTell`;
    let stored: PromptStep['stored'] = {};
    for (const source of ['Tell', '# @output json\nTell', schema('integer'), schema('number')]) {
      // Each request has its own key, however the notebook parses the source.
      const step = request(source, { provenanceHash: source, contentKey: source, stored });
      expect([source, (await run(step)).outcome.kind]).toEqual([source, 'ran']);
      stored = storedVersions((await run(step)).outcome, stored);
    }
    const reordered = '# @output_schema {"properties": {"n": {"type": "number"}}}\nTell';
    const again = request(reordered, { provenanceHash: 'r', contentKey: 'r', stored });
    expect((await run(again)).outcome.kind).toBe('hit');
  });

  it('[PR-7] the reply to an unread prompt is stored too: a later reader sends no request', async () => {
    await open(text('kept'));
    const leaf = request('A leaf', { consumed: [] });
    const stored = storedVersions((await run(leaf)).outcome);
    expect((await run({ ...leaf, consumed: ['result'], stored })).outcome.kind).toBe('hit');
    expect((await run({ ...leaf, stored })).outcome).toMatchObject({
      kind: 'hit',
      console: { stderr: 'm-1: 11 tokens in, 7 out\n' },
    });
  });
});

describe('what prevents a prompt from being sent', () => {
  interface Row {
    readonly name: string;
    readonly source: string;
    readonly changes?: () => Partial<PromptStep>;
    readonly words: string;
  }
  const ROWS: readonly Row[] = [
    {
      name: 'nothing left after the values are inserted',
      source: '{{ blank }}',
      words: 'The prompt is empty',
    },
    { name: 'nothing to ask', source: '# @model m\n\n', words: 'The prompt is empty' },
    {
      name: 'no key',
      source: 'Hi',
      changes: () => ({ ai: { ...choice(), apiKey: null } }),
      words: 'Put a key somewhere.',
    },
    {
      name: 'an invalid schema',
      source: '# @output_schema {"type": "x"}\nHi',
      words: '@output_schema is not a valid JSON Schema (2020-12):',
    },
  ];
  for (const { name, source, changes, words } of ROWS) {
    it(`[PR-5] ${name}`, async () => {
      await open(text('never'));
      const inputs = [await input('blank', '"  "')];
      const { outcome } = await run(request(source, { inputs, ...changes?.() }));
      expect(consoleText(outcome)).toContain(words);
      expect(server.asked).toEqual([]);
    });
  }

  it('[PR-3] a table without Python is reported, and so is a value that a prompt does not read', async () => {
    await open(text('ok'));
    const one = await input('df', '1');
    const as = (contentType: string): StepInput => ({
      ...one,
      row: one.row === null ? null : { ...one.row, contentType },
    });
    const table = await run(request('{{ df }}', { inputs: [as('arrow/ipc')] }));
    expect(consoleText(table.outcome)).toContain('`df`, which needs the notebook’s Python environment');
    const pickle = await run(request('{{ df }} {{ df.x }}', { inputs: [as('pickle/object')] }));
    expect(pickle.outcome).toMatchObject({ kind: 'ran' });
    expect(server.asked[0]?.body?.messages[0]?.content).toBe(
      '<df: an object stored as pickle/object> <df: an object stored as pickle/object>',
    );
    expect(pickle.outcome.kind === 'ran' && pickle.outcome.stderr).toContain(
      'which a prompt cannot show. Its name replaces the placeholder. Convert it to text, a table or JSON in a cell above.',
    );
    expect(executor.requests).toEqual([]);
  });
});
