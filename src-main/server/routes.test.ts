/**
 * Successful answers of the notebook routes over HTTP: they match the schemas of their contracts. The session
 * is in memory.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES, type RouteName } from '../../src-shared/wire/routes/all.ts';
import type { PageQuery } from '../table/service/tableQuery.ts';
import { json, type NotebookServer, SHA, startNotebookServer, TABLE } from './testing/notebookServer.ts';

let notebook: NotebookServer;
beforeAll(async () => {
  notebook = await startNotebookServer();
});
afterAll(() => notebook.close());

describe('[RE-1] answers match their contracts', () => {
  const rows: readonly (readonly [RouteName, string, RequestInit?])[] = [
    ['health', '/health'],
    ['createNotebook', '/v1/notebooks/create', json({ parent_path: '/p', name: 'n' })],
    ['openNotebook', '/v1/notebooks/open', json({ path: '/nb' })],
    ['listSessions', '/v1/notebooks/sessions'],
    ['getSession', '/v1/notebooks/sessions/SID'],
    ['getConfig', '/v1/notebooks/config'],
    ['getDag', '/v1/notebooks/SID/dag'],
    ['renameNotebook', '/v1/notebooks/SID/name', { ...json({ name: ' New ' }), method: 'PUT' }],
    ['listCells', '/v1/notebooks/SID/cells'],
    ['addCell', '/v1/notebooks/SID/cells', json({ after_cell_id: 'a' })],
    ['editCell', '/v1/notebooks/SID/cells/a', { ...json({ source: 'x = 1' }), method: 'PUT' }],
    ['reorderCells', '/v1/notebooks/SID/cells/reorder', { ...json({ cell_ids: ['a'] }), method: 'PUT' }],
    ['cancelCell', '/v1/notebooks/SID/cells/a/cancel', { method: 'POST' }],
    ['cellData', `/v1/notebooks/SID/cells/a/data?artifact_uri=${encodeURIComponent(TABLE)}`],
    ['deleteCell', '/v1/notebooks/SID/cells/new1', { method: 'DELETE' }],
  ];
  it.each(rows.map(([name, path, init]) => ({ name, path, init })))('$name', async ({ name, path, init }) => {
    const response = await notebook.fetch(path, init);
    const body = await response.json();
    expect(response.status, JSON.stringify(body)).toBe(200);
    const schema = ROUTES[name].response;
    if (schema === 'bytes') throw new Error('not JSON');
    expect(schema.parse(body)).toEqual(body);
  });

  it('[RE-28] states contain timings and the graph, also for a new notebook', async () => {
    const opened = await notebook.fetch('/v1/notebooks/open', json({ path: '/nb' }));
    expect(opened.headers.get('server-timing')).toMatch(/^total;dur=\d/);
    expect(await opened.json()).toHaveProperty('dag');
    const created = await notebook.fetch('/v1/notebooks/create', json({ parent_path: '/p', name: 'm' }));
    expect(await created.json()).toHaveProperty('dag');
  });

  it('[LP-24] executes: busy during the run, then the result; the author is recorded with an edit', async () => {
    const running = notebook.fetch('/v1/notebooks/SID/cells/a/execute?mode=rerun', { method: 'POST' });
    await expect.poll(() => notebook.session.runningCell).toBe('a');
    const second = await notebook.fetch('/v1/notebooks/SID/cells/a/execute', { method: 'POST' });
    expect([second.status, await second.json()]).toEqual([
      409,
      { detail: 'Notebook is already executing cell a' },
    ]);
    notebook.session.finishRun();
    expect(await (await running).json()).toMatchObject({ cell_id: 'a', status: 'ready' });
    expect(notebook.session.asked.find(({ request }) => request.type === 'run_cell')?.request).toMatchObject({
      mode: 'rerun',
      upstream: 'go',
    });
    await notebook.fetch('/v1/notebooks/SID/cells/a', {
      ...json({ source: 'y', author: ' \u0007Ann\n ' }),
      method: 'PUT',
    });
    expect(notebook.session.asked.at(-1)?.origin).toEqual({ kind: 'caller', identity: 'Ann' });
  });
});

describe('[RE-5] data pages', () => {
  it.each<readonly [query: string, is: Partial<PageQuery>]>([
    ['', { offset: 0, limit: 100, sortBy: null, sortDir: 'asc', search: null, filters: [] }],
    ['&limit=0', { limit: 1 }],
    ['&limit=9999&offset=7', { limit: 500, offset: 7 }],
    ['&sort_by=x&sort_dir=desc&search=q', { sortBy: 'x', sortDir: 'desc', search: 'q' }],
    ['&filters=[{"col":"x","op":"gt","value":1},3]', { filters: [{ col: 'x', op: 'gt', value: 1 }] }],
    [
      '&filters=[{"col":"x","op":"between","value":1152921504606846977,"value2":-9007199254740993}]',
      { filters: [{ col: 'x', op: 'between', value: '1152921504606846977', value2: '-9007199254740993' }] },
    ],
    [
      '&filters=[{"col":"x","op":"eq","value":9007199254740991},{"col":"x","op":"eq","value":1e300}]',
      {
        filters: [
          { col: 'x', op: 'eq', value: 9_007_199_254_740_991 },
          { col: 'x', op: 'eq', value: 1e300 },
        ],
      },
    ],
    ['&limit=1&limit=2', { limit: 2 }],
  ])('%s', async (query, is) => {
    const path = `/v1/notebooks/SID/cells/a/data?artifact_uri=${encodeURIComponent(TABLE)}${query}`;
    expect((await notebook.fetch(path)).status).toBe(200);
    expect(notebook.pages.at(-1)).toMatchObject({ path: notebook.blob, sha256: SHA, ...is });
  });

  it('[VA-9] answers unpageable for a value that is not a table', async () => {
    const path = `/v1/notebooks/SID/cells/a/data?artifact_uri=${encodeURIComponent(TABLE)}&search=not+a+table`;
    expect(await (await notebook.fetch(path)).json()).toEqual({
      cell_id: 'a',
      artifact_uri: TABLE,
      pageable: false,
      offset: 0,
      limit: 100,
    });
  });
});

describe('[RE-6] output blobs', () => {
  const CSP = "sandbox; frame-ancestors 'self'";
  it.each([
    ['0', '0', 'image/png', 'inline'],
    ['-2', '0', 'image/png', 'inline'],
    ['-1', '1', 'application/octet-stream', 'attachment; filename="a-1.bin"'],
  ])('%s', async (index, resolved, type, disposition) => {
    const path = `/v1/notebooks/SID/cells/a/outputs/${index}/blob`;
    const response = await notebook.fetch(path);
    const headers = Object.fromEntries(response.headers);
    expect(await response.text()).toBe('data');
    expect(headers).toMatchObject({
      'x-svc-output-index': resolved,
      'content-type': type,
      'content-disposition': disposition,
      'content-length': '4',
      'content-security-policy': CSP,
      'x-content-type-options': 'nosniff',
      etag: `"${SHA}"`,
    });
    const again = await notebook.fetch(path, { headers: { 'if-none-match': `"${SHA}"` } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});
