/**
 * Refused requests over HTTP: status and body for invalid paths, parameters and JSON, and random requests, of
 * which none may give a 500.
 */

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOT_YET, unsupportedMessage } from '../../src-shared/wire/notYet.ts';
import { sampleCell } from '../../src-shared/wire/testing/sampleNotebook.ts';
import { notebookFolder } from '../notebook/folder/notebookFolder.ts';
import { MemorySessions } from './testing/memorySessions.ts';
import { json, type NotebookServer, startNotebookServer, TABLE } from './testing/notebookServer.ts';
import { startTestServer } from './testing/testServer.ts';

let notebook: NotebookServer;
beforeAll(async () => {
  notebook = await startNotebookServer();
});
afterAll(() => notebook.close());

const STORED = { path: '/nowhere', contentType: 'arrow/ipc', sha256: 'a' };

/** The refused input and its reason have a test of their own (RE-103). */
function withoutInput(body: unknown): unknown {
  const { detail } = body as { readonly detail: unknown }; // every refusal has one
  if (!Array.isArray(detail)) return body;
  return { detail: detail.map(({ input: _input, ctx: _ctx, ...part }) => part) };
}

describe('refusals', () => {
  const missing = (...loc: string[]) => ({ detail: [{ loc, msg: 'Field required', type: 'missing' }] });
  const rows: readonly (readonly [
    path: string,
    init: RequestInit | undefined,
    status: number,
    body: unknown,
  ])[] = [
    ['/v1/nope', undefined, 404, { detail: 'Not Found' }],
    ['/v1/notebooks/unknown/cells', undefined, 404, { detail: 'Notebook not found' }],
    ['/v1/notebooks/sessions/unknown', undefined, 404, { detail: 'Session not found' }],
    ...[129, 4_000].flatMap((length) => {
      const id = 'x'.repeat(length);
      return [
        [`/v1/notebooks/${id}/cells`, undefined, 404, { detail: 'Notebook not found' }],
        [`/v1/notebooks/sessions/${id}`, undefined, 404, { detail: 'Session not found' }],
        [`/v1/notebooks/SID/cells/${id}/execute`, { method: 'POST' }, 404, { detail: 'Cell not found' }],
        [`/v1/notebooks/SID/cells/${id}/cancel`, { method: 'POST' }, 404, { detail: 'Cell not found' }],
      ] as const;
    }),
    ['/v1/notebooks/open', json({ path: '/missing' }), 404, { detail: 'There is no notebook at /missing.' }],
    [
      '/v1/notebooks/open',
      json({ path: '/outside' }),
      400,
      { detail: '/outside is outside the notebook folder.' },
    ],
    [
      '/v1/notebooks/open',
      json({ path: '/taken' }),
      409,
      { detail: { code: 'NOTEBOOK_IN_USE', message: 'Process 7 has it open.', pid: 7 } },
    ],
    ['/v1/notebooks/open', json({}), 422, missing('body', 'path')],
    ['/v1/notebooks/open', { method: 'POST' }, 422, missing('body')],
    [
      '/v1/notebooks/open',
      json('{"path": '),
      422,
      { detail: [{ loc: ['body', expect.any(Number)], msg: 'JSON decode error', type: 'json_invalid' }] },
    ],
    [
      '/v1/notebooks/open',
      { ...json(''), body: Buffer.from('7b2270617468223a22ff227d', 'hex') },
      422,
      { detail: [{ loc: ['body', 0], msg: 'JSON decode error', type: 'json_invalid' }] },
    ],
    [
      '/v1/notebooks/open',
      json('\ufeff{"path":"/missing"}'),
      404,
      { detail: 'There is no notebook at /missing.' },
    ],
    [
      '/v1/notebooks/open',
      json({ path: '/full' }),
      409,
      {
        detail:
          'Disk error: ENOSPC: no space left on device, write. Free some space on the disk, then try again.',
      },
    ],
    [
      '/v1/notebooks/open',
      json('{"path":"/nb"}', { 'content-type': 'text/plain' }),
      422,
      { detail: [{ loc: ['body'], msg: expect.stringContaining('application/json'), type: 'dict_type' }] },
    ],
    [
      '/v1/notebooks/open',
      json('[1]'),
      422,
      { detail: [{ loc: ['body'], msg: 'Input should be a valid dictionary', type: 'dict_type' }] },
    ],
    [
      '/v1/notebooks/create',
      json({ parent_path: 1, name: 'n', python_version: 'x'.repeat(17), starter_cell: 'yes' }),
      422,
      {
        detail: [
          { loc: ['body', 'parent_path'], msg: 'Input should be a valid string', type: 'string_type' },
          {
            loc: ['body', 'python_version'],
            msg: 'String should have at most 16 characters',
            type: 'string_too_long',
          },
          { loc: ['body', 'starter_cell'], msg: 'Input should be a valid boolean', type: 'bool_type' },
        ],
      },
    ],
    [
      '/v1/notebooks/SID/cells',
      json({ language: 'cobol' }),
      422,
      {
        detail: [
          { loc: ['body', 'language'], msg: expect.stringContaining("'python', 'prompt'"), type: 'enum' },
        ],
      },
    ],
    [
      '/v1/notebooks/SID/cells',
      json({ after_cell_id: 'a\tx' }),
      400,
      { detail: 'Cannot add a cell after a\tx: there is no such cell.' },
    ],
    ['/v1/notebooks/SID/cells/a/data', undefined, 422, missing('query', 'artifact_uri')],
    [
      '/v1/notebooks/SID/cells/a/data?artifact_uri=x&offset=many',
      undefined,
      422,
      {
        detail: [
          { loc: ['query', 'offset'], msg: expect.stringContaining('valid integer'), type: 'int_parsing' },
        ],
      },
    ],
    ...['', '1e3', '0x10', '1.5', '%20'].map(
      (text) =>
        [
          `/v1/notebooks/SID/cells/a/data?artifact_uri=${TABLE}&limit=${text}`,
          undefined,
          422,
          {
            detail: [
              { loc: ['query', 'limit'], msg: expect.stringContaining('valid integer'), type: 'int_parsing' },
            ],
          },
        ] as const,
    ),
    ...['5', 'soon'].map(
      (timeout) =>
        [
          '/v1/notebooks/SID/timeout',
          { ...json({ timeout }), method: 'PUT' },
          422,
          {
            detail: [
              {
                loc: ['body', 'timeout'],
                msg: 'Input should be a valid number, unable to parse string as a number',
                type: 'float_parsing',
              },
            ],
          },
        ] as const,
    ),
    [
      '/v1/notebooks/SID/cells/a/data?artifact_uri=x',
      undefined,
      400,
      { detail: "'x' is not an artifact uri." },
    ],
    [
      '/v1/notebooks/SID/cells/a/data?artifact_uri=svc://artifact/zz@v=1',
      undefined,
      404,
      { detail: 'Artifact not found' },
    ],
    [
      `/v1/notebooks/SID/cells/a/data?artifact_uri=${TABLE}&filters={}`,
      undefined,
      400,
      { detail: 'filters must be a JSON array.' },
    ],
    [
      '/v1/notebooks/SID/cells/a/outputs/last/blob',
      undefined,
      422,
      {
        detail: [
          { loc: ['path', 'index'], msg: expect.stringContaining('valid integer'), type: 'int_parsing' },
        ],
      },
    ],
    [
      '/v1/notebooks/SID/cells/a/outputs/9/blob',
      undefined,
      404,
      { detail: 'Cell a has no stored output 9.' },
    ],
    [
      '/v1/notebooks/SID/cells/a/outputs/-3/blob',
      undefined,
      404,
      { detail: 'Cell a has no stored output -3.' },
    ],
    [
      '/v1/notebooks/SID/cells/a/execute?mode=fast',
      { method: 'POST' },
      400,
      { detail: "Unknown mode 'fast'. Allowed: normal, rerun, force." },
    ],
    ['/v1/notebooks/SID/cells/nope/execute', { method: 'POST' }, 404, { detail: 'Cell not found' }],
    ['/v1/notebooks/SID/cells/..%2F..%2Fetc/execute', { method: 'POST' }, 404, { detail: 'Cell not found' }],
    ['/v1/notebooks/SID/cells/%00/cancel', { method: 'POST' }, 404, { detail: 'Cell not found' }],
    [
      '/v1/notebooks/SID/cells/a',
      { ...json({ source: 'locked' }), method: 'PUT' },
      409,
      {
        detail: {
          code: 'cell_locked',
          message: 'somebody changed this cell a moment ago.',
          cell_id: 'a',
          held_by: 'somebody',
        },
      },
    ],
    [
      '/v1/notebooks/SID/cells/a',
      { ...json({ source: 'x'.repeat(1_000_001) }), method: 'PUT' },
      422,
      {
        detail: [
          {
            loc: ['body', 'source'],
            msg: 'String should have at most 1000000 characters',
            type: 'string_too_long',
          },
        ],
      },
    ],
    [
      '/v1/notebooks/SID/cells/a',
      { ...json('x'.repeat(17 * 1024 * 1024)), method: 'PUT' },
      413,
      { detail: 'Request body is too large.' },
    ],
  ];
  it.each(rows)('[RE-2] %s (%j) is refused with %i', async (path, init, status, body) => {
    const response = await notebook.fetch(path, init);
    expect([response.status, withoutInput(await response.json())]).toEqual([status, body]);
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f]{16}$/);
  });

  const open = (body: string) => notebook.fetch('/v1/notebooks/open', json(body));
  it.each<readonly [body: string, at: readonly (string | number)[], msg: RegExp]>([
    ['{"path":"a\\ud800b"}', ['path'], /half of a surrogate pair/],
    ['{"path":"a","x":[{"y":["ok","\\udc00"]},"\\udc00"]}', ['x', 0, 'y', 1], /half of a surrogate pair/],
    ['{"path":"a","\\ud800":1}', ['\ud800'], /half of a surrogate pair/],
    ['{"path":"a","x":{"__proto__":1}}', ['x', '__proto__'], /__proto__/],
    [`${'{"path":'.repeat(201)}1${'}'.repeat(201)}`, Array(20).fill('path'), /at most 200 levels deep/],
    [
      `{"x":${'['.repeat(1_000)}${']'.repeat(1_000)}}`,
      ['x', ...Array(19).fill(0)],
      /at most 200 levels deep/,
    ],
  ])('[RE-26] %s', async (body, at, msg) => {
    const response = await open(body);
    expect([response.status, await response.json()]).toEqual([
      422,
      { detail: [{ loc: ['body', ...at], msg: expect.stringMatching(msg), type: expect.any(String) }] },
    ]);
  });

  it('[RE-26] a fault a hundred thousand objects deep is reported by a few steps of its path', async () => {
    const response = await open(`${'{"path":'.repeat(100_000)}"\\ud800"${'}'.repeat(100_000)}`);
    expect([response.status, (await response.text()).length < 1_000]).toEqual([422, true]);
  });

  it.each(Object.entries(NOT_YET).flatMap(([what, routes]) => routes.map((route) => [route, what] as const)))(
    '[RE-25] %s',
    async (route, what) => {
      const [method = '', path = ''] = route.replaceAll(/\{\w+\}/g, 'x').split(' ');
      const response = await notebook.fetch(path, { method });
      expect([response.status, await response.json()]).toEqual([404, { detail: unsupportedMessage(what) }]);
    },
  );

  it('[RE-2] no request is answered by a 500', async () => {
    const fuzzed = await startNotebookServer();
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('a', '..', '%2e%2e', '-1', 'rerun', fuzzed.session.id),
    );
    const send = fc.record({
      path: fc.constantFrom(
        (x: string) => `/v1/notebooks/${x}/cells`,
        (x: string) => `/v1/notebooks/SID/cells/${x}`,
        (x: string) => `/v1/notebooks/SID/cells/${x}/cancel`,
        (x: string) => `/v1/notebooks/SID/cells/a/execute?mode=x${x}`,
        (x: string) => `/v1/notebooks/SID/cells/a/outputs/${x}/blob`,
        (x: string) => `/v1/notebooks/SID/cells/a/data?artifact_uri=${x}&filters=${x}&limit=${x}`,
        (x: string) => `/v1/notebooks/${x}`,
      ),
      text,
      method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
      body: fc.oneof(fc.json(), fc.string(), fc.constant('{"source":1}')),
    });
    await fc.assert(
      fc.asyncProperty(send, async ({ path, text: filled, method, body }) => {
        const init = { ...json(body), method, ...(method === 'GET' ? { body: null } : {}) };
        const response = await fuzzed.fetch(path(encodeURIComponent(filled)), init);
        await response.arrayBuffer();
        expect(response.status).toBeLessThan(500);
      }),
      { numRuns: 150 },
    );
    await fuzzed.close();
  });

  it('[RE-3] a bug is a 500 without details, logged with the request id', async () => {
    const path = `/v1/notebooks/SID/cells/a/data?artifact_uri=${TABLE}`;
    const sessions = new MemorySessions({
      cells: [sampleCell({ id: 'a' })],
      stored: new Map([[TABLE, STORED]]),
    });
    const { id } = await sessions.open(notebookFolder('/nb'));
    const broken = await startTestServer({ sessions });
    const response = await broken.fetch(path.replace('SID', id), {
      headers: { 'x-request-id': 'mine' },
    });
    expect([response.status, await response.json()]).toEqual([500, { detail: 'Internal server error' }]);
    expect(response.headers.get('x-request-id')).toBe('mine');
    expect(
      broken.logged.filter((line) => /"level":"error".*"request_id":"mine".*no tables here/.test(line)),
    ).toHaveLength(1);
    await broken.close();
  });
});
