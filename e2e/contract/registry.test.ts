import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SessionStateBody } from '../../src-shared/wire/notebookState.ts';
import type { EnvironmentPayload } from '../../src-shared/wire/routes/environment.ts';
import { openReady, rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

/** Tests a new notebook with uv's default package index and an empty cache. Runs only in `npm run test:long`. */

const isLong = process.env['LONG'] === '1';
let root = '';
let server: ServerProcess | undefined;
beforeAll(async () => {
  if (!isLong) return;
  root = await mkdtemp(join(tmpdir(), 'cellar-registry-'));
  server = await startServerProcess({ env: { UV_CACHE_DIR: join(root, 'cache') } });
});
afterAll(async () => {
  await server?.dispose();
  if (root !== '') await rm(root, { recursive: true, force: true });
});

it('[EN-66] a package of the real index is added to a new notebook, used and removed', async ({ skip }) => {
  if (!isLong || server === undefined) return skip('asks the real package index: only in npm run test:long');
  const { url, storageDir } = server;
  const figures: Record<string, number> = {};
  const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const answer = await work();
    figures[what] = Math.round(performance.now() - startedAt);
    return answer;
  };
  const create = async (name: string): Promise<SessionStateBody> => {
    const body = { parent_path: storageDir, name, starter_cell: true };
    const made = await rest<SessionStateBody>(url, 'POST', '/v1/notebooks/create', body);
    return openReady(url, made.body.path);
  };
  const first = await timed('create, empty cache', () => create('first'));
  const { sync_error: error } = first.environment;
  if (error?.includes('cannot be reached')) return skip(`no package index is within reach: ${error}`);
  expect(first.environment).toMatchObject({ sync_state: 'ready', sync_error: null });
  const base = `/v1/notebooks/${first.session_id}`;
  const cell = first.cells[0]?.id ?? '';
  await rest(url, 'PUT', `${base}/cells/${cell}`, {
    source: 'import humanize\nprint(humanize.intcomma(1234567))',
  });
  const run = () => rest<{ status: string; stdout: string }>(url, 'POST', `${base}/cells/${cell}/execute`);
  expect((await run()).body).toMatchObject({ status: 'error', suggest_install: 'humanize' });
  const added = await timed('add', () =>
    rest<EnvironmentPayload>(url, 'POST', `${base}/dependencies`, { package: 'humanize>=4' }),
  );
  expect(added.status).toBe(200);
  expect(added.body.resolved_dependencies.map(({ name }) => name)).toContain('humanize');
  expect((await run()).body).toMatchObject({ status: 'ready', stdout: '1,234,567\n' });
  const removed = await timed('remove', () => rest(url, 'DELETE', `${base}/dependencies/humanize`));
  expect(removed.status).toBe(200);
  expect((await run()).body).toMatchObject({ status: 'error' });
  const second = await timed('create, warm cache', () => create('second'));
  expect(second.environment).toMatchObject({ sync_state: 'ready' });
  expect(figures['create, warm cache']).toBeLessThan(figures['create, empty cache'] ?? 0);
  process.stdout.write(`real package index, ms: ${JSON.stringify(figures)}\n`);
}, 300_000);
