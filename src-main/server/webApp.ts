/** Serves the files of the built web app, and its page index.html. */

import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OUTPUT_FRAME_NETWORK, outputFramePolicy, pagePolicy } from './pipeline/contentSecurity.ts';

interface WebAppOptions {
  readonly dir: string | null;
  readonly basePath: string;
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Paths that are never pages: if no route answers them, the answer is a JSON 404. */
const API = /^\/(v1|health|metrics|mcp|openapi\.json|docs|redoc|oembed|p)(\/|$)/;

/** The only paths that are looked up on disk: plain segments, none of which starts with a dot. */
const FILE = /^(\/[\w@~-][\w@~.-]*)+$/;

/** The document that shows active output; it has a policy of its own. */
const OUTPUT_FRAME = '/outputFrame.html';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

const NO_APP =
  'The web app has not been built. Build it with `npm run build`, or use the REST interface: see /docs.\n';

/**
 * Serves the web app: files as they are, and index.html for every other page URL (the app parses the URL
 * itself). Built assets have a hash in their names and never change; all other files are revalidated each time.
 */
export function serveWebApp(http: FastifyInstance, { dir, basePath }: WebAppOptions): void {
  http.route({
    method: 'GET',
    url: '/*',
    handler: async (request, reply) => {
      const path = request.url.split('?', 1)[0] ?? '/';
      if (API.test(path)) return reply.callNotFound();
      if (dir === null) return reply.code(404).type('text/plain; charset=utf-8').send(NO_APP);
      const isPage = extname(path) === '' || path === '/index.html';
      return isPage
        ? sendIndex({ dir, basePath }, { request, reply })
        : sendFile({ dir, path, basePath }, { request, reply });
    },
  });
}

/** The page loads its files relative to `<base>`, so that it works for every URL and base path. */
async function sendIndex(
  { dir, basePath }: { dir: string; basePath: string },
  { request, reply }: Exchange,
): Promise<FastifyReply> {
  const html = await readFile(join(dir, 'index.html'), 'utf8');
  const page = html.includes('<base ') ? html : html.replace(/<head[^>]*>/, `$&<base href="${basePath}/">`);
  const etag = `"${createHash('sha256').update(page).digest('base64url').slice(0, 22)}"`;
  reply.headers({
    'Content-Security-Policy': pagePolicy(request.headers.host),
    'Cache-Control': 'no-cache',
    ETag: etag,
  });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply.type('text/html; charset=utf-8').send(page);
}

async function sendFile(
  { dir, path, basePath }: { dir: string; path: string; basePath: string },
  { request, reply }: Exchange,
): Promise<FastifyReply> {
  const file = FILE.test(path) ? await openFile(join(dir, path)) : null;
  if (file === null) {
    reply.callNotFound();
    return reply;
  }
  const { handle, size, mtimeMs } = file;
  const etag = `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`;
  reply.headers({
    // A worker's script has the policy of the worker.
    'Content-Security-Policy':
      path === OUTPUT_FRAME
        ? outputFramePolicy(request.headers.host, basePath)
        : pagePolicy(request.headers.host),
    ...(path === OUTPUT_FRAME ? { 'Connection-Allowlist': OUTPUT_FRAME_NETWORK } : {}),
    'Content-Type': TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream',
    'Cache-Control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: etag,
  });
  if (request.headers['if-none-match'] === etag) {
    await handle.close();
    return reply.code(304).send();
  }
  reply.header('Content-Length', size);
  if (request.method !== 'HEAD') return reply.send(handle.createReadStream());
  await handle.close();
  return reply.send();
}

/** Null if there is no such file. */
async function openFile(path: string) {
  try {
    const handle = await open(path, 'r');
    const stats = await handle.stat();
    if (stats.isFile()) return { handle, size: stats.size, mtimeMs: stats.mtimeMs };
    await handle.close();
    return null;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
