import { afterEach, describe, expect, it } from 'vitest';
import type { SuggestBody } from '../../src-shared/wire/assistant.ts';
import { suggestionIn } from './suggestion.ts';
import { type AgentWorld, agentWorld } from './testing/agentWorld.ts';

const SECRET = 'sk-secret-0123456789';
const NEVER = new AbortController().signal;
const worlds: AgentWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.dispose();
});

async function worldOf(...[script, options]: Parameters<typeof agentWorld>): Promise<AgentWorld> {
  const world = await agentWorld(script, options);
  worlds.push(world);
  return world;
}

const body = (more: Partial<SuggestBody> = {}): SuggestBody => ({
  cell_id: 'b',
  before: 'total = ',
  after: '',
  leave_out: [],
  ...more,
});
const CELLS = { a: 'rows = [1, 2]', b: 'total = 0', c: 'other = 3' };

describe('what a suggestion sends', () => {
  it('[AG-100] the packages, the other cells and the text around the caret; its tokens are counted', async () => {
    const world = await worldOf([{ text: 'sum(rows)' }], { cells: CELLS });
    const answer = await world.assistant.suggest(body({ after: '\nprint(total)' }), NEVER);
    expect(answer.text).toBe('sum(rows)');
    expect(answer.tokens).toEqual({ input: 3, output: 2 });
    expect(Object.values((await world.assistant.status()).usage)).toEqual([
      { input: 3, output: 2, requests: 1 },
    ]);
    const [system, user] = world.asked[0]?.messages.map(({ text }) => text) ?? [];
    for (const part of ['Packages:', 'rows = [1, 2]', 'other = 3']) expect(system).toContain(part);
    // The cell as it is typed, not as it was saved.
    expect(system).not.toContain('total = 0');
    expect(user).toMatch(/up to the caret">\ntotal = \n</);
    expect(user).toMatch(/after the caret">\n\nprint\(total\)\n</);
  });

  it('[AG-100, AG-31] no cells that are left out, and no secret values in either direction', async () => {
    const world = await worldOf([{ text: `"${SECRET}"` }], {
      cells: { ...CELLS, a: `key = "${SECRET}"` },
      secrets: [SECRET],
    });
    const before = `k = "${SECRET}"\ntotal = `;
    expect((await world.assistant.suggest(body({ before, leave_out: ['c'] }), NEVER)).text).toBe('');
    const requestText = JSON.stringify(world.asked);
    expect(requestText).toContain('[hidden]');
    expect(requestText).not.toContain(SECRET);
    expect(requestText).not.toContain('other = 3');
  });

  it.each<[what: string, more: Partial<SuggestBody>]>([
    ['of a cell that is left out', { leave_out: ['b'] }],
    [
      'with the caret inside a secret',
      { before: `k = "${SECRET.slice(0, 5)}`, after: `${SECRET.slice(5)}"` },
    ],
    ['while a secret is being typed', { before: `k = "${SECRET.slice(0, 12)}` }],
  ])('[AG-101] nothing is sent %s', async (_what, more) => {
    const world = await worldOf([{ text: 'x' }], { cells: CELLS, secrets: [SECRET] });
    const answer = await world.assistant.suggest(body(more), NEVER);
    expect(answer).toMatchObject({ text: '', tokens: { input: 0, output: 0 } });
    expect(world.asked).toEqual([]);
  });

  it('[AG-101] nothing is sent for a cell that does not exist, nor after the client has left', async () => {
    const world = await worldOf([{ text: 'x' }], { cells: CELLS });
    await expect(world.assistant.suggest(body({ cell_id: 'zz' }), NEVER)).rejects.toThrow('Cell not found');
    expect(world.asked).toEqual([]);
    await expect(world.assistant.suggest(body(), AbortSignal.abort(new Error('gone')))).rejects.toThrow();
    expect((await world.assistant.status()).usage).toEqual({});
  });
});

const LONG = Array.from({ length: 14 }, (_, at) => `x${at} = ${at}`);
const ROWS: readonly [reply: string, around: readonly [string, string], expected: string, isCut?: boolean][] =
  [
    ['sum(rows)', ['total = ', ''], 'sum(rows)'],
    ['  sum(rows)  \n', ['total = ', ''], 'sum(rows)'],
    [' = sum(rows)', ['total', ''], ' = sum(rows)'],
    ['```python\nsum(rows)\n```\nThis adds them.', ['total = ', ''], 'sum(rows)'],
    ['~~~\nsum(rows)', ['total = ', ''], 'sum(rows)'],
    ['total = sum(rows)', ['a = 1\ntotal = ', ''], 'sum(rows)'],
    ['return x', ['def f(x):\n    return', ''], ' x'],
    ['    return x', ['def f(x):\n    ', ''], 'return x'],
    ['\n    return x', ['def f(x):', ''], '\n    return x'],
    ['rows)', ['sum(', ')'], 'rows'],
    ['rows)', ['sum(', '  )  \nprint(1)'], 'rows'],
    ['a\r\nb', ['', ''], 'a\nb'],
    [' \n ', ['x = ', ''], ''],
    ['', ['x = ', ''], ''],
    ['k = "[hidden]"', ['', ''], ''],
    ['first()\nseco', ['', ''], 'first()', true],
    ['half a li', ['', ''], '', true],
    [LONG.join('\n'), ['', ''], LONG.slice(0, 10).join('\n')],
  ];

describe('the text of a suggestion', () => {
  it.each(ROWS)(
    '[AG-102] for the reply %j at the caret in %j it is %j',
    (text, [before, after], expected, isCut = false) => {
      expect(suggestionIn({ text, isCut }, { before, after })).toBe(expected);
    },
  );
});
