/** The HTTP part of the fake server: the built page, the routes of the contracts, refusals. */

import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import type { RouteName } from '../../src-shared/wire/routes/all.ts';
import { ROUTES } from '../../src-shared/wire/routes/all.ts';

const RENDERER = process.env['FAKE_RENDERER'] ?? join(import.meta.dirname, '../../dist/renderer');
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
};
/** The policy that the real server sends; the page of the output frame has another one. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; frame-src 'self'; base-uri 'none'; form-action 'none'";

export class Refusal {
  readonly status: number;
  readonly detail: unknown;
  constructor(status: number, detail: unknown) {
    this.status = status;
    this.detail = detail;
  }
}

/** A scripted answer that refuses the request. */
export function refusal(status: number, detail: unknown): object {
  return new Refusal(status, detail);
}

/** Sends a file of the built page. */
export async function servePage(pathname: string, response: ServerResponse): Promise<void> {
  const file = normalize(pathname === '/' ? '/index.html' : pathname);
  try {
    const bytes = await readFile(join(RENDERER, file));
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    const policy = file === '/index.html' ? { 'content-security-policy': PAGE_POLICY } : {};
    // Like the real server: the name of an asset changes with its content.
    const caching = file.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    response.writeHead(200, {
      'content-type': type,
      'cache-control': caching,
      'x-content-type-options': 'nosniff',
      ...policy,
    });
    response.end(bytes);
  } catch (_missing) {
    response.writeHead(404).end('not found');
  }
}

interface RoutePattern {
  readonly name: RouteName;
  readonly method: string;
  readonly path: RegExp;
  readonly keys: readonly string[];
}

/** The patterns of all routes. Fixed paths before ones with parameters: `cells/reorder` is not a cell. */
const ROUTE_PATTERNS: readonly RoutePattern[] = (Object.keys(ROUTES) as RouteName[])
  .sort((a, b) => ROUTES[a].path.split('{').length - ROUTES[b].path.split('{').length)
  .map((name) => {
    const { method, path } = ROUTES[name];
    return {
      name,
      method,
      path: new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`),
      keys: [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ''),
    };
  });

/** The route that a request's path matches, with its parameters. */
export function matchRoute(
  method: string,
  pathname: string,
): { name: RouteName; params: Record<string, string> } | null {
  for (const { name, method: wanted, path, keys } of ROUTE_PATTERNS) {
    const match = wanted === method ? path.exec(pathname) : null;
    if (match === null) continue;
    return {
      name,
      params: Object.fromEntries(keys.map((key, at) => [key, decodeURIComponent(match[at + 1] ?? '')])),
    };
  }
  return null;
}

export function refuse(response: ServerResponse, status: number, detail: unknown): undefined {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ detail }));
  return undefined;
}

export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString('utf8');
  // A form with a file is not parsed: the test scripts the answer.
  if (request.headers['content-type']?.startsWith('multipart/') === true) return text;
  return text === '' ? undefined : JSON.parse(text);
}
