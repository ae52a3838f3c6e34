import { describe, expect, it } from 'vitest';
import type { Question } from '../../ai/askModel.ts';
import { converse } from './converse.ts';
import { answerReader } from './readAnswer.ts';

const SCHEMA = {
  type: 'object',
  properties: { n: { type: 'integer' }, kind: { enum: ['a', 'b'] } },
  required: ['n'],
  additionalProperties: false,
};

interface Row {
  readonly name: string;
  readonly text: string;
  readonly schema?: Readonly<Record<string, unknown>> | null;
  readonly json?: string;
  readonly faults?: readonly string[];
}

const ROWS: readonly Row[] = [
  { name: 'plain JSON', text: '{"n": 3}', json: '{"n": 3}' },
  { name: 'a code fence', text: '```json\n{"n": 3}\n```', json: '{"n": 3}' },
  {
    name: 'a code fence within other text',
    text: 'Here you are:\n```\n{"n": 3}\n```\nDone.',
    json: '{"n": 3}',
  },
  { name: 'the outermost braces', text: 'The answer is {"n": 3}, as asked.', json: '{"n": 3}' },
  { name: 'the outermost brackets', text: 'List: [1, {"a": 2}] ok', schema: null, json: '[1, {"a": 2}]' },
  {
    name: 'all digits of a number stay',
    text: '[1.0, 12345678901234567890]',
    schema: null,
    json: '[1.0, 12345678901234567890]',
  },
  { name: 'a plain value', text: ' "yes" ', schema: null, json: '"yes"' },
  { name: 'a fence that is left open', text: '```json\n{"n": 3}', json: '{"n": 3}' },
  { name: 'a fence on one line', text: '```{"n": 3}```', json: '{"n": 3}' },
  { name: 'no JSON', text: 'not json', faults: ['response is not valid JSON: '] },
  { name: 'nothing', text: '', faults: ['response is not valid JSON: '] },
  { name: 'a missing key', text: '{}', faults: ["response: must have required property 'n'"] },
  { name: 'a wrong type', text: '{"n": "3"}', faults: ['n: must be integer'] },
  {
    name: 'several at once, named',
    text: '{"n": 1, "kind": "z", "more": 1}',
    faults: [
      'response: must NOT have additional properties (`more`)',
      'kind: must be equal to one of the allowed values: ["a","b"]',
    ],
  },
  {
    name: 'keywords of 2020-12',
    text: '[1, "x", true]',
    schema: { prefixItems: [{ type: 'integer' }, { type: 'integer' }], items: false },
    faults: ['response: must NOT have more than 2 items', '1: must be integer'],
  },
  { name: 'a pattern of letters beyond ASCII', text: '"é"', schema: { pattern: '^\\p{L}$' }, json: '"é"' },
];

async function check({ text, schema = SCHEMA, json, faults }: Row): Promise<void> {
  const reader = await answerReader(schema);
  if (typeof reader !== 'function') throw new Error(reader.problem);
  const answer = await reader(text, new AbortController().signal);
  if (json !== undefined) expect(answer).toEqual({ kind: 'value', value: JSON.parse(json), json });
  else {
    if (answer.kind !== 'wrong') throw new Error('it was read');
    expect(answer.faults).toHaveLength(faults?.length ?? 0);
    for (const fault of faults ?? []) expect(answer.faults.join('\n')).toContain(fault);
  }
}

/** Takes exponential time for a text that does not match. */
const ENDLESS: readonly (readonly [name: string, schema: Readonly<Record<string, unknown>>, text: string])[] =
  [
    ['a pattern that backtracks', { pattern: '^(a+)+$' }, JSON.stringify(`${'a'.repeat(60)}!`)],
    [
      'Checking the response against @output_schema took longer than',
      {
        $ref: '#/$defs/n0',
        $defs: Object.fromEntries(
          Array.from({ length: 40 }, (_none, n) => [
            `n${n}`,
            n === 39
              ? { type: 'string' }
              : { anyOf: [{ $ref: `#/$defs/n${n + 1}` }, { $ref: `#/$defs/n${n + 1}` }] },
          ]),
        ),
      },
      '1',
    ],
  ];

describe('[PR-9] an answer that is to be JSON', () => {
  it('a reply that cannot be validated is not requested again', async () => {
    let count = 0;
    const reply = { text: '1', inputTokens: 1, outputTokens: 1, isCut: false };
    const model = { ask: async () => ({ ...reply, inputTokens: ++count }) };
    const outcome = await converse(model, {} as Question, {
      signal: new AbortController().signal,
      onText: () => {},
      onNotice: () => {},
      onRestart: () => {},
      read: async () => ({ kind: 'unchecked', message: 'too long' }),
      attempts: 3,
    });
    expect([outcome.kind === 'failed' && outcome.message, count]).toEqual(['too long', 1]);
  });

  it.each(ENDLESS)('%s does not block, and ends with a message', async (_name, schema, text) => {
    const reader = await answerReader(schema, 200);
    if (typeof reader !== 'function') throw new Error(reader.problem);
    const stop = new AbortController();
    expect(await reader(text, stop.signal)).toMatchObject({
      kind: 'unchecked',
      message: expect.stringContaining('Checking the response against @output_schema took longer than'),
    });
    const stopped = reader(text, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(stopped).rejects.toThrow('stopped');
  });

  for (const row of ROWS) it(row.name, () => check(row));

  for (const [name, schema, words] of [
    ['an unknown type', { type: 'banana' }, 'type'],
    ['a broken pattern', { pattern: '(' }, 'regular expression'],
    [
      'a reference that leads out',
      { $ref: 'https://example.invalid/s.json' },
      'https://example.invalid/s.json',
    ],
  ] as const) {
    it(`[PR-9] an invalid schema is reported before any request: ${name}`, async () => {
      const reader = await answerReader(schema);
      if (typeof reader === 'function') throw new Error('it was taken');
      expect(reader.problem).toContain('@output_schema is not a valid JSON Schema (2020-12):');
      expect(reader.problem.toLowerCase()).toContain(words);
    });
  }
});
