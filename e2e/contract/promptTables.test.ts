/**
 * Tests the example of a prompt over a pandas table, with `svc run` and a fake model: the text sent, and the checked
 * answer.
 */

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AiServer, startAiServer } from '../../src-main/ai/testing/aiStandIn.ts';
import { copyExample } from '../support/copyExample.ts';
import { IS_LONG, longTest } from '../support/longRun.ts';
import { copyEnvironment } from '../support/preparedEnvironment.ts';
import { type RunReport, svc } from '../support/svcCommand.ts';

let root = '';
let ai: AiServer;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-prompt-tables-'));
  ai = await startAiServer();
});
afterAll(async () => {
  await ai.close();
  await rm(root, { recursive: true, force: true });
});

async function headless(dir: string, env: Readonly<Record<string, string>>): Promise<RunReport> {
  const { stdout, stderr } = await svc(['run', dir, '--format', 'json'], { env });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as RunReport;
}

it('[PR-4] [PR-9] a pandas table is sent as its shape, columns and complete rows, and the answer is a validated dict', async () => {
  const dir = await copyExample('prompt-over-table', root);
  const env = {
    SVC_AI_BASE_URL: `${ai.origin}/v1`,
    SVC_AI_API_KEY: 'server-key-0123456789',
    SVC_AI_MODEL: 'm',
  };
  ai.next(
    { kind: 'text', text: 'Saturday!' },
    { kind: 'text', text: '```json\n{"busiest": "Saturday", "mean": 344.5}\n```' },
  );
  const first = await headless(dir, env);
  expect(first.cells.map(({ id, error }) => [id, error])).toEqual(
    first.cells.map(({ id }) => [id, undefined]),
  );
  const roles = ai.asked.map(({ body }) => body?.messages.map(({ role }) => role));
  expect(roles).toEqual([
    ['system', 'user'],
    ['system', 'user', 'assistant', 'user'],
  ]);
  const prompt = ai.asked[0]?.body?.messages[1]?.content ?? '';
  const [words = '', table = ''] = prompt.split('The days:\n');
  expect(words).toMatch(/^count \| 400\.0$/m);
  expect(table.length).toBeLessThanOrEqual(8_000);
  expect(table).toMatch(/^400 rows x 3 columns\n/);
  expect(table).toContain('2026-01-01');
  expect(table).not.toContain('2027-02-04');
  // Only complete rows are sent; the text counts the rest as left out.
  const rows = table.split('\n').filter((line) => /\d{4}-\d{2}-\d{2}/.test(line));
  for (const row of rows) expect(row).toMatch(/^(\d+ \| )?\d{4}-\d{2}-\d{2} \| \w+day \| \d+$/);
  expect(table).toMatch(new RegExp(`${400 - rows.length} more rows`));
  // everyLanguage.test.ts runs a prompt twice.
  if (!IS_LONG) return;
  const again = await headless(dir, env);
  expect(again.cells.every(({ cache_hit }) => cache_hit)).toBe(true);
  expect(ai.asked).toHaveLength(2);
});

longTest('src-main/run/prompt/promptStep.test.ts', 'e2e/contract/everyLanguage.test.ts')(
  '[PR-5] without a model the example says where to put a key, and runs the rest',
  async () => {
    const dir = await copyExample('prompt-over-table', await mkdtemp(join(root, 'bare-')));
    // With the packages of the test before, if that test ran.
    const before = join(root, 'prompt-over-table');
    if (existsSync(join(before, 'uv.lock'))) await copyEnvironment(before, dir, { isLinked: true });
    const { cells } = await headless(dir, {});
    expect(
      cells.filter(({ status }) => status !== 'ok').map(({ id, error, reason }) => [id, error ?? reason]),
    ).toEqual([
      ['verdict', expect.stringContaining('No AI provider is configured. Add')],
      ['told', 'upstream failed'],
    ]);
  },
);
