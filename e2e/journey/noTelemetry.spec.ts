/** Records every connection of the window and of a real server during typical work: none goes to another machine. */

import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { openLive, statusOf, test } from '../support/realServerFixture.ts';
import { closeWhenSettled, rest } from '../support/rest.ts';

const RECORDER = new URL('../support/recordConnections.mjs', import.meta.url);

/** A refused connection: nothing listens at the discard port. */
const CONTROL = 'http://127.0.0.1:9/v1/execute';

test('[SG-80] neither the window nor the server connects to another machine', async ({ page, serveReal }) => {
  const folder = await mkdtemp(join(tmpdir(), 'cellar-connections-'));
  const recordFile = join(folder, 'connections');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('websocket', (socket) => requests.push(socket.url()));
  const { url, server, sessionId } = await serveReal(
    [
      { id: 'rows', source: 'import sys\nrows = [{"a": i, "b": str(i)} for i in range(50)]\nrows' },
      { id: 'text', source: '# Title\n\nSome *text* with $x^2$.', language: 'markdown' },
      { id: 'query', source: '# @sql connection=mem\nselect 1 as one', language: 'sql' },
    ],
    {
      server: {
        env: { NODE_OPTIONS: `--import=${RECORDER.href}`, CELLAR_TEST_CONNECTIONS: recordFile },
      },
    },
  );
  // This makes the server open a connection; the test's own requests are not connections of the server.
  await rest(server.url, 'POST', `/v1/notebooks/${sessionId}/x/workers/test`, { url: CONTROL });
  await rest(server.url, 'PUT', `/v1/notebooks/${sessionId}/connections`, {
    connections: [{ name: 'mem', driver: 'duckdb' }],
  });

  await openLive(page, url);
  await page.getByRole('button', { name: 'Run stale' }).click();
  await expect(statusOf(page, 'rows')).toHaveAttribute('data-status', 'ready');
  await expect(statusOf(page, 'query')).toHaveAttribute('data-status', 'ready');
  for (const panel of [
    'Data',
    'Files',
    'Environment',
    'Workers',
    'History',
    'Assistant',
    'Graph',
    'Runs',
    'Logs',
  ])
    await page
      .getByRole('navigation', { name: 'Panels' })
      .getByRole('button', { name: panel, exact: true })
      .click();
  await page.keyboard.press('Control+Shift+p');
  await page.keyboard.press('Escape');
  await page.locator('[data-cell-id=rows] .code').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\nsys.');
  await expect(page.locator('[data-editor=live]')).toHaveCount(1);
  for (const fmt of ['html', 'ipynb', 'zip', 'snapshot']) {
    const answer = await fetch(`${server.url}/v1/notebooks/${sessionId}/export?fmt=${fmt}`);
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
  }
  await page.goto(`${server.url}/`);
  await expect(page.getByRole('heading').first()).toBeVisible();
  await closeWhenSettled(server.url, sessionId);
  await server.stop();

  const own = new URL(server.url).host;
  expect(
    requests.filter((address) => /^(?:https?|wss?):/.test(address) && new URL(address).host !== own),
  ).toEqual([]);
  const lines = readFileSync(recordFile, 'utf8').trim().split('\n');
  // The recorder works: it recorded the connection that the test requested.
  expect(lines).toContain('connect 127.0.0.1:9');
  const isLocal = (line: string): boolean =>
    /^connect (?:\/|127\.0\.0\.1:|\[?::1\]?:|localhost:)/.test(line) ||
    /^lookup (?:127\.0\.0\.1|::1|localhost)$/.test(line);
  expect(lines.filter((line) => !isLocal(line))).toEqual([]);
  await rm(folder, { recursive: true, force: true });
});
