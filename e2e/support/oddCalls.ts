/** Makes calls that no client of Cellar makes: every route and frame, with invalid values. */

import { CLIENT_FRAMES, type ClientFrameType } from '../../src-shared/wire/frames/client.ts';
import { ROUTES, type RouteName } from '../../src-shared/wire/routes/all.ts';
import type { RouteContract } from '../../src-shared/wire/routes/contract.ts';
import { sampleOf } from './sampleBody.ts';
import { pick } from './seeded.ts';

/** Names that the calls use; updated while the notebook changes. */
export interface OddWorld {
  /** The ids of open sessions. */
  readonly sids: readonly string[];
  /** The ids of their cells, also of deleted ones. */
  readonly cells: readonly string[];
  /** Folders of notebooks. */
  readonly folders: readonly string[];
}

export interface OddRequest {
  readonly method: string;
  /** The target of the request as sent, including invalid percent escapes. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
}

/**
 * Routes that would fetch from a package index, log in to a server, make folders or close the notebook of the test.
 * Their calls name sessions and folders that do not exist.
 */
const ELSEWHERE: ReadonlySet<string> = new Set<RouteName>([
  'createNotebook',
  'importNotebook',
  'importSnapshot',
  'openExample',
  'deleteNotebook',
  'deleteNotebookByPath',
  'addDependency',
  'removeDependency',
  'syncEnvironment',
  'startEnvironmentJob',
  'setPythonVersion',
  'importRequirements',
  'previewRequirements',
  'importEnvironmentYaml',
  'previewEnvironmentYaml',
  'previewEnvironmentJob',
  'addPackages',
  'lookUpPackage',
  'allowPackages',
  'repairEnvironment',
  'undoEnvironmentJob',
  'rPackages',
  'aiModels',
  'setSecretManager',
  'refreshSecrets',
  'testWorker',
  'connectSshWorker',
]);
const NO_FRAMES: ReadonlySet<string> = new Set<ClientFrameType>(['dependency_add', 'dependency_remove']);

const NAMES = Object.keys(ROUTES) as RouteName[]; // the keys of a literal
const FRAMES = Object.keys(CLIENT_FRAMES).filter((type) => !NO_FRAMES.has(type)) as ClientFrameType[]; // keys too

const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  'x',
  '0',
  '-1',
  '1e999',
  'null',
  '\0',
  '..',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  '\ud800',
  '\u202e\ufeff',
  'é'.repeat(3_000),
  'x'.repeat(200_000),
  'print("odd")',
  'def f(:\n',
  '# @loop max_iter=2 carry=x\nx = 1',
  '# @variant g a\nx = 2',
  '[1, "a"]',
  '{"a": {"b": [null]}}',
  '"""',
];

/** A value of any JSON type. */
function oddValue(random: () => number, { sids, cells, folders }: OddWorld): unknown {
  switch (Math.floor(random() * 9)) {
    case 0:
      return pick(random, [null, true, false]);
    case 1:
      return pick(random, [0, -0, -1, 1, 1.5, 1e300, 2 ** 53, -(2 ** 31)]);
    case 2:
    case 3:
      return pick(random, ODD_TEXTS);
    case 4:
      return pick(random, [...cells, ...sids, ...folders]);
    case 5:
      return Array.from({ length: Math.floor(random() * 4) }, () => pick(random, [...cells, null, 1, {}]));
    case 6:
      return { [pick(random, ODD_TEXTS)]: pick(random, ODD_TEXTS) };
    case 7:
      return JSON.parse('{"__proto__": {"path": "/"}, "constructor": {"prototype": 1}}');
    default:
      return nested(Math.floor(random() * 300));
  }
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Valid fields, of which some are replaced, removed or added. */
function oddFields(
  random: () => number,
  { sample, world }: { readonly sample: Readonly<Record<string, unknown>>; readonly world: OddWorld },
): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...sample };
  for (const key of Object.keys(fields)) {
    if (key === 'cell_id' && random() < 0.8) fields[key] = pick(random, world.cells);
    else if (key === 'path' && random() < 0.5) fields[key] = pick(random, world.folders);
    else if (random() < 0.4) fields[key] = oddValue(random, world);
  }
  if (random() < 0.1) fields[pick(random, ODD_TEXTS)] = oddValue(random, world);
  return fields;
}

const ODD_BODIES: readonly string[] = [
  '',
  'null',
  '[]',
  '"x"',
  '{"a":',
  '['.repeat(50_000),
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  '{"__proto__":{"path":"/etc"}}',
  'a=1&b=2',
  `{"source":"${'y'.repeat(1_100_000)}"}`,
];

function oddBody(random: () => number, { sample, world }: Parameters<typeof oddFields>[1]): Buffer {
  const kind = random();
  if (kind < 0.12) return Buffer.from(pick(random, ODD_BODIES));
  const text = Buffer.from(JSON.stringify(oddFields(random, { sample, world })));
  if (kind > 0.95) text[Math.floor(random() * text.length)] = 0xff;
  return text;
}

const ODD_HEADERS: readonly Readonly<Record<string, string | string[]>>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'nonsense' },
  { 'content-type': 'multipart/form-data' },
  { 'x-request-id': 'x'.repeat(5_000) },
  { 'x-request-id': ['a', 'b'] },
  { accept: ['text/html', 'nonsense'] },
  { 'x-forwarded-for': ['1.2.3.4', '::1, x'] },
  { origin: 'null' },
  { origin: ['http://127.0.0.1', 'https://evil.example'] },
  { range: 'bytes=9999999999999999999-' },
  { range: 'bytes=-0,1-2,x' },
  { 'if-none-match': '"'.repeat(1_000) },
  { expect: '200-ok' },
  { upgrade: 'h2c', connection: 'Upgrade' },
  { traceparent: '00-x-y-zz' },
];

/** Invalid escapes, escapes of parts of a letter, and escapes of characters that a URL must not contain. */
const ODD_PIECES: readonly string[] = [
  '%',
  '%zz',
  '%00',
  '%2e%2e%2f',
  '%C3',
  '%ED%A0%80',
  '%25%32%65',
  '..;',
  '*',
  '~',
  '%F0%9F%98%80',
  'x'.repeat(5_000),
];

function oddParameter(random: () => number, { key, world }: { key: string; world: OddWorld }): string {
  if (random() < 0.12) return pick(random, ODD_PIECES);
  if (key === 'sid' && random() < 0.85) return pick(random, world.sids);
  if (key === 'cell_id' && random() < 0.85) return pick(random, world.cells);
  if (key === 'path' && random() < 0.5) return encodeURIComponent(pick(random, world.folders));
  return encodeURIComponent(pick(random, ['local', '1', '-1', 'g', ...world.cells, ...world.sids]));
}

/** A request for a random route. */
export function oddRequest(random: () => number, world: OddWorld): OddRequest {
  const name = pick(random, NAMES);
  const contract: RouteContract = ROUTES[name];
  const isElsewhere = ELSEWHERE.has(name);
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_all, key: string) =>
    isElsewhere ? pick(random, ['nobody', ...ODD_PIECES]) : oddParameter(random, { key, world }),
  );
  const query = Object.keys(contract.query?.shape ?? {})
    .filter(() => random() < 0.6)
    .map((key) => {
      const text = random() < 0.2 ? pick(random, ODD_PIECES) : encodeURIComponent(queryText(random, world));
      return `${key}=${text}`;
    });
  if (random() < 0.05) query.push(pick(random, ['__proto__=1', '&&&', 'a[b]=c', '=', '%', '?']));
  const sample = contract.body === undefined ? null : sampleOf(contract.body);
  // A route that takes a folder gets an invalid body, so that it deletes and creates nothing.
  const body = isElsewhere && !contract.path.includes('{sid}') ? Buffer.from('{"path":1}') : null;
  return {
    method:
      random() < 0.03 ? pick(random, ['HEAD', 'OPTIONS', 'PATCH', 'PROPFIND', 'TRACE']) : contract.method,
    target: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: {
      ...(sample === null ? {} : { 'content-type': 'application/json' }),
      ...(random() < 0.15 ? pick(random, ODD_HEADERS) : {}),
    },
    body: body ?? (sample === null ? Buffer.alloc(0) : oddBody(random, { sample, world })),
  };
}

function queryText(random: () => number, world: OddWorld): string {
  const value = oddValue(random, world);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.slice(0, 2_000).toWellFormed();
}

/** A message for a socket: a frame with odd fields, or bytes that are no frame. */
export function oddFrame(random: () => number, world: OddWorld): string | Buffer {
  const kind = random();
  if (kind < 0.05) return Buffer.from([0, 255, 1, 2]);
  if (kind < 0.2) return pick(random, ODD_BODIES);
  const type = pick(random, FRAMES);
  const sample = sampleOf(CLIENT_FRAMES[type].payload) ?? {};
  const payload = random() < 0.1 ? oddValue(random, world) : oddFields(random, { sample, world });
  return JSON.stringify({ type: random() < 0.05 ? pick(random, ODD_TEXTS) : type, payload });
}

/** Bytes for a new connection: several requests in one piece, incomplete requests, repeated headers. */
export function oddBytes(random: () => number, world: OddWorld): Buffer {
  const requests = Array.from({ length: 1 + Math.floor(random() * 5) }, () => {
    const { method, target, headers, body } = oddRequest(random, world);
    const all = { Host: '127.0.0.1', ...headers, 'Content-Length': String(body.length) };
    const lines = Object.entries(all).flatMap(([key, value]) =>
      [value].flat().map((one) => `${key}: ${one}\r\n`),
    );
    if (random() < 0.2) lines.push(pick(random, TWICE));
    return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`), body]);
  });
  const bytes = Buffer.concat(requests);
  return random() < 0.4 ? bytes.subarray(0, Math.floor(random() * bytes.length)) : bytes;
}

const TWICE: readonly string[] = [
  'Host: evil.example\r\n',
  'Content-Length: 7\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Content-Type: text/plain\r\n',
  'Connection: close\r\nConnection: keep-alive\r\n',
  ' folded: x\r\n',
  'X-Nul: a\0b\r\n',
];
