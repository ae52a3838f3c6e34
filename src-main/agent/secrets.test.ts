/**
 * Secrets and the assistant: they are hidden from the model, the window's frames and the stored history. A
 * scripted model answers.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createRedactor } from '../lib/redactor.ts';
import { headOf, hideText, tailOf } from './hide.ts';
import { type AgentWorld, agentWorld, callOf } from './testing/agentWorld.ts';

const SECRET = 'sk-secret-0123456789';
const worlds: AgentWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.dispose();
});

describe('secret values', () => {
  it('[AG-31] reach neither the model nor the frames nor the memory', async () => {
    const run = async () => ({
      stdout: `${'o'.repeat(1_990)}${SECRET}`,
      stderr: `${SECRET}${'e'.repeat(990)}`,
      error: `boom ${SECRET}`,
      status: 'error' as const,
      outputs: { x: { content_type: 'text/plain', preview: { [SECRET]: [`${'p'.repeat(480)}${SECRET}`] } } },
    });
    const calls = [
      callOf('run_cell', { variable_name: 'x' }),
      callOf('search_notebook', { text: 'sk-sec' }),
      callOf('explain_cell', { variable_name: 'x' }),
      callOf('create_cell', { source: `k = "${SECRET}"` }),
    ];
    const world = await agentWorld([{ text: `Use ${SECRET}`, calls }, { text: `I used ${SECRET}.` }], {
      cells: { a: `x = "${SECRET}"` },
      secrets: [SECRET],
      run,
    });
    worlds.push(world);
    await world.start({ message: `My key is ${SECRET}`, extra_tools: true }).ended;
    // The model's own text may be repeated; text sent for the first time contains no secret.
    const newMessages = world.asked.flatMap(({ messages }) =>
      messages.filter(({ role }) => role !== 'assistant'),
    );
    expect(JSON.stringify(newMessages)).not.toContain(SECRET);
    const shown = world.notebook.frames.filter(
      ({ type }) => type !== 'notebook_state' && type !== 'undo_recorded',
    );
    expect(JSON.stringify(shown)).not.toContain(SECRET);
    const memory = await readFile(join(world.notebook.path, '.svc', 'agent_history.json'), 'utf8');
    expect(memory).not.toContain(SECRET);
    expect(memory).toContain('[hidden]');
    expect(JSON.stringify(await world.assistant.status())).not.toContain(SECRET);
  });

  it('[AG-32] an edit that would destroy a secret is refused', async () => {
    const world = await agentWorld(
      [
        { calls: [callOf('edit_cell', { variable_name: 'x', new_source: 'x = "[hidden]"\ny = 1' })] },
        { text: 'ok' },
      ],
      { cells: { a: `x = "${SECRET}"` }, secrets: [SECRET] },
    );
    worlds.push(world);
    await world.start({ auto_approve: true }).ended;
    expect(world.notebook.sources()).toEqual({ a: `x = "${SECRET}"` });
    expect(world.of('agent_done')[0]?.tool_calls[0]?.result).toContain('would destroy it');
  });

  it('[AG-33] the preview shows exactly what a chat sends, with sizes', async () => {
    const world = await agentWorld([{ text: 'ok' }], {
      cells: { a: `x = "${SECRET}"`, b: 'y = 1', c: `z = "${'long '.repeat(100)}"` },
      secrets: [SECRET],
      maxContextTokens: 200,
    });
    worlds.push(world);
    const body = { message: 'Explain', cell_id: 'b', history: [], leave_out: ['b'] };
    const preview = await world.assistant.preview({ ...body, for: 'chat', extra_tools: false });
    expect(preview.parts.map(({ kind, cell_id: id, cut }) => [kind, id ?? null, cut])).toEqual([
      ['instructions', null, false],
      ['packages', null, false],
      ['cell', 'a', false],
      ['cell', 'c', true],
      ['message', null, false],
    ]);
    expect(preview).toMatchObject({ limit: 200, hidden: 1, provider: 'local', model: 'm' });
    const cells = preview.parts.filter(({ kind }) => kind === 'cell' || kind === 'packages');
    expect(cells.reduce((sum, { characters }) => sum + characters, 0)).toBeLessThanOrEqual(200);
    expect(preview.characters).toBe(preview.parts.reduce((sum, { text }) => sum + text.length, 0));
    expect(world.asked).toEqual([]);
    await world.assistant.chat(body, { signal: new AbortController().signal, onText: () => undefined });
    const requestText = JSON.stringify(world.asked[0]?.messages);
    for (const { kind, text } of preview.parts) {
      // Instructions and message contain the random mark, which differs between requests.
      if (kind !== 'cell' && kind !== 'packages') continue;
      expect(requestText).toContain(JSON.stringify(text).slice(1, -1));
    }
    expect(requestText).not.toContain('"## cell b');
  });

  it('[AG-31] cutting never leaves half a secret or half a character', () => {
    const redactor = createRedactor([SECRET]);
    expect(hideText(`x ${SECRET.slice(0, 12)}`, redactor)).toBe('x [hidden]');
    expect(headOf('a😀'.repeat(10), 8).isWellFormed()).toBe(true);
    expect(tailOf('a😀'.repeat(10), 8).isWellFormed()).toBe(true);
    expect(headOf('x'.repeat(50), 10)).toHaveLength(10);
  });
});
