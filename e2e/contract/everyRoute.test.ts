/**
 * Tests that every route of the built server gives documented answers to wrong bodies, unknown fields, odd queries and
 * hostile addresses. Requests are generated from the contracts' schemas, so new routes are covered automatically.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ROUTES, type RouteName } from '../../src-shared/wire/routes/all.ts';
import type { RouteContract } from '../../src-shared/wire/routes/contract.ts';
import { type DocumentCheck, documentCheck } from '../support/documented.ts';
import { IS_LONG } from '../support/longRun.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { objectIn, sampleOf } from '../support/sampleBody.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
let notebook: OpenNotebook;
let check: DocumentCheck;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-every-route-'));
  server = await startServerProcess({ grants: [root] });
  notebook = await openNotebook(server, join(root, 'walked'), [{ id: 'a0000001', source: 'x = 1' }]);
  check = await documentCheck(server.url);
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

const NAMES = Object.keys(ROUTES) as RouteName[]; // keys of a literal
const contractOf = (name: RouteName): RouteContract => ROUTES[name];

interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The bytes of the body as sent. */
  readonly body?: string | Buffer;
}

interface Got {
  readonly status: number;
  readonly text: string;
  readonly requestId: string;
  readonly contentType: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Sends requests that `fetch` would normalize or refuse. */
function ask(name: RouteName, { params = {}, query = {}, headers = {}, body }: Sent): Promise<Got> {
  const { method, path } = contractOf(name);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, key: string) =>
    encodeURIComponent(params[key] ?? 'nobody').replaceAll('.', '%2E'),
  );
  const search = new URLSearchParams(query).toString();
  return new Promise((resolve, reject) => {
    // A request that announces more bytes than it sends gets its own connection, or the next request would complete it.
    const agent = headers['content-length'] === undefined ? undefined : false;
    const options = { port: server.port, host: '127.0.0.1', method, headers, agent };
    const sent = request({ ...options, path: search === '' ? filled : `${filled}?${search}` }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(pieces).toString('utf8'),
          requestId: String(response.headers['x-request-id'] ?? ''),
          contentType: String(response.headers['content-type'] ?? ''),
        });
        sent.destroy();
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** How an answer deviates from its route's documentation, as a message. */
function faultOf(name: RouteName, { status, text, requestId, contentType }: Got): string | null {
  if (requestId === '') return 'no request id';
  if (status >= 500) return `${status}: ${text.slice(0, 200)}`;
  const { method, path } = contractOf(name);
  return check({ method, path, status, contentType, text });
}

interface Tried {
  readonly what: string;
  readonly sent: Sent;
  /** Allowed statuses; by default every documented one. */
  readonly status?: readonly number[];
  /** The location of the error in a 422. */
  readonly loc?: readonly (string | number)[];
}

async function tryAll(name: RouteName, tried: readonly Tried[]): Promise<string[]> {
  const faults: string[] = [];
  const one = async ({ what, sent, status, loc }: Tried): Promise<void> => {
    const got = await ask(name, sent);
    const fault = faultOf(name, got);
    if (fault !== null) faults.push(`${what}: ${fault}`);
    else if (status !== undefined && !status.includes(got.status))
      faults.push(`${what}: ${got.status} in place of ${status.join(' or ')}: ${got.text.slice(0, 200)}`);
    else if (loc !== undefined && !namesPlace(got.text, loc))
      faults.push(`${what}: not located: ${got.text}`);
  };
  for (let at = 0; at < tried.length; at += 16) await Promise.all(tried.slice(at, at + 16).map(one));
  return faults;
}

const partSchema = z.object({
  loc: z.array(z.union([z.string(), z.number()])),
  msg: z.string(),
  type: z.string(),
});

function namesPlace(text: string, loc: readonly (string | number)[]): boolean {
  const { detail } = z.object({ detail: z.array(partSchema) }).parse(JSON.parse(text));
  return detail.some((part) => loc.every((step, at) => part.loc[at] === step));
}

/** Longer than any text that a body may have. */
const HUGE = 'x'.repeat(1_000_001);
/** Values of every JSON type, and some at or beyond the limits of what is accepted. */
const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  '',
  'x',
  '\0',
  '../../etc/passwd',
  HUGE,
  [],
  [1],
  {},
  { a: { b: [null] } },
];

/** Bodies with a wrong type in each field or without a field; each is 422 with the location. */
function formFaults(schema: z.ZodType): readonly Tried[] {
  const sample = sampleOf(schema);
  const json = objectIn(z.toJSONSchema(schema, { io: 'input' }));
  if (sample === null || json === null) return [];
  const tried: Tried[] = [];
  const refused = (what: string, body: unknown, key: string): void => {
    if (schema.safeParse(body).success) return;
    const sent = { headers: JSON_TYPE, body: JSON.stringify(body) };
    tried.push({ what, sent, status: [422], loc: ['body', key] });
  };
  for (const key of Object.keys(json.properties ?? {})) {
    // Where every text is refused, the length adds nothing, and checking megabytes takes long.
    const takesText = schema.safeParse({ ...sample, [key]: 'x' }).success;
    for (const value of VALUES) {
      if (value === HUGE && !takesText && !IS_LONG) continue;
      refused(`${key} = ${JSON.stringify(value).slice(0, 40)}`, { ...sample, [key]: value }, key);
    }
    const { [key]: _gone, ...without } = sample;
    refused(`no ${key}`, without, key);
  }
  return tried;
}

/** Bodies that are not a JSON object, or are too large. */
function noBodies(schema: z.ZodType): readonly Tried[] {
  const bad = (what: string, body: string | Buffer, headers: Record<string, string> = JSON_TYPE): Tried => ({
    what,
    sent: { headers, body },
    status: [422],
    loc: ['body'],
  });
  const sample = JSON.stringify(sampleOf(schema) ?? {});
  const isOptional = schema.safeParse(undefined).success;
  return [
    bad('a list', '[]'),
    bad('a text', '"x"'),
    bad('a number', '1'),
    bad('broken JSON', '{"a":'),
    bad('not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])),
    bad('ten thousand brackets', '['.repeat(10_000)),
    bad('another type', sample, { 'content-type': 'text/plain' }),
    bad('a form', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }),
    ...(isOptional ? [] : [bad('nothing', ''), bad('null', 'null')]),
    {
      what: 'more bytes than the limit',
      sent: { headers: { ...JSON_TYPE, 'content-length': '99999999999' } },
      status: [413],
    },
  ];
}

const HOSTILE = [
  '../../../etc/passwd',
  '..',
  '%2e%2e%2f',
  'a\0b',
  'é✓\u202e',
  'x'.repeat(3_000),
  ' ',
  '\r\nx: y',
];

describe('every route, by its contract', () => {
  for (const name of NAMES) {
    const { body, query, params } = contractOf(name);
    if (body !== undefined) {
      it(`[RE-60] ${name}: wrong, incomplete and missing bodies are 422 with the location`, async () => {
        expect(await tryAll(name, [...formFaults(body), ...noBodies(body)])).toEqual([]);
      });
      it(`[RE-61] ${name}: an unknown field is ignored`, async () => {
        const sample = sampleOf(body);
        if (sample === null) return;
        const sent = { headers: JSON_TYPE, body: JSON.stringify({ ...sample, nobody_knows_it: 1 }) };
        // The session of a path is unknown here: only whether the body is accepted is tested.
        const isForm = !contractOf(name).path.includes('{sid}');
        expect(
          await tryAll(name, [{ what: 'extra', sent, ...(isForm ? {} : { status: [404, 400] }) }]),
        ).toEqual([]);
      });
    }
    if (query !== undefined) {
      it(`[RE-62] ${name}: any query gets a documented answer`, async () => {
        const own = { sid: notebook.sid, cell_id: 'a0000001' };
        const tried = Object.keys(query.shape).flatMap((key) =>
          ['', 'x', '-1', '1e999', 'null', '[]', '[{"col":1}]', '{}', '\0', 'x'.repeat(2_000)].map(
            (value) => ({
              what: `${key}=${value.slice(0, 20)}`,
              sent: {
                params: own,
                query: { artifact_uri: 'svc://artifact/a@v=1', fmt: 'csv', [key]: value },
              },
            }),
          ),
        );
        const isRead = contractOf(name).method === 'GET';
        expect(await tryAll(name, isRead ? tried : tried.map(elsewhere))).toEqual([]);
      });
    }
    if (params !== undefined) {
      it(`[RE-63] ${name}: a path parameter that leaves its folder, is too long or is not text is refused`, async () => {
        const sample = body === undefined ? undefined : JSON.stringify(sampleOf(body) ?? {});
        const common = sample === undefined ? {} : { headers: JSON_TYPE, body: sample };
        const tried = Object.keys(params.shape).flatMap((key) =>
          HOSTILE.map((value) => ({
            what: `${key}=${JSON.stringify(value).slice(0, 20)}`,
            sent: { ...common, params: { ...(key === 'sid' ? {} : { sid: notebook.sid }), [key]: value } },
          })),
        );
        expect(await tryAll(name, tried)).toEqual([]);
      });
    }
  }
});

/** The same request for an unknown session. */
function elsewhere(tried: Tried): Tried {
  return { ...tried, sent: { ...tried.sent, params: {} } };
}
