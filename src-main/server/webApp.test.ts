import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawRequest as raw } from './testing/rawRequest.ts';
import { startTestServer, type TestServer } from './testing/testServer.ts';

describe('the web app', () => {
  const dir = mkdtempSync(join(tmpdir(), 'webapp-'));
  let server: TestServer;
  beforeAll(async () => {
    mkdirSync(join(dir, 'assets'));
    writeFileSync(join(dir, 'index.html'), '<!doctype html><head lang="en"><title>x</title></head>');
    mkdirSync(join(dir, 'folder.d'));
    writeFileSync(join(dir, 'icon.svg'), '<svg/>');
    writeFileSync(join(dir, 'outputFrame.html'), '<!doctype html>');
    writeFileSync(join(dir, 'assets', 'app-abc123.js'), 'export {}');
    server = await startTestServer({ app: { rendererDir: dir } });
  });
  afterAll(async () => {
    await server.close();
    rmSync(dir, { recursive: true });
  });
  it.each([
    ['/', 200, 'text/html; charset=utf-8', 'no-cache'],
    ['/n/some%20notebook?x=1', 200, 'text/html; charset=utf-8', 'no-cache'],
    ['/index.html', 200, 'text/html; charset=utf-8', 'no-cache'],
    ['/assets/app-abc123.js', 200, /javascript/, 'public, max-age=31536000, immutable'],
    ['/icon.svg', 200, /svg/, 'no-cache'],
    ['/assets/gone.js', 404, /json/, null],
    ['/..%2f..%2fetc%2fpasswd.txt', 404, /json/, null],
    ['/../package.json', 404, /json/, null],
    ['/assets/.env.js', 404, /json/, null],
    ['/a%00.js', 404, /json/, null],
    ['/folder.d', 404, /json/, null],
    ['/icon.svg/x.js', 404, /json/, null],
    ['/v1/nope', 404, /json/, null],
    ['/metrics', 404, /json/, null],
  ])('%s → %d', async (path, status, type, caching) => {
    const { status: got, headers, text } = await raw(server, { path });
    expect(got, text).toBe(status);
    expect(headers['content-type']).toMatch(type);
    if (caching !== null) expect(headers['cache-control']).toBe(caching);
    if (status === 200)
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'self'; script-src 'self'; .*; frame-ancestors 'self'$/,
      );
  });

  it('answers HEAD and unchanged files without a body', async () => {
    const head = await raw(server, { path: '/icon.svg', method: 'HEAD' });
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '6']);
    const again = await raw(server, {
      path: '/icon.svg',
      headers: { 'if-none-match': String(head.headers['etag']) },
    });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await raw(server, { path: '/', method: 'HEAD' })).status).toBe(200);
  });

  it('[WI-8] active output has a separate document with its own policy: opaque origin, no network', async () => {
    const { status, headers } = await raw(server, {
      path: '/outputFrame.html?x=1',
      headers: { host: '127.0.0.1:5' },
    });
    expect(status).toBe(200);
    const script = '127.0.0.1:5/outputFrame.js';
    expect(headers['content-security-policy']).toBe(
      `sandbox allow-scripts; default-src 'none'; script-src http://${script} https://${script} 'unsafe-inline' ` +
        "'unsafe-eval' data: blob:; style-src 'unsafe-inline' data:; img-src data: blob:; font-src data:; " +
        "media-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    );
    expect(headers['connection-allowlist']).toBe('(response-origin)');
    const page = await raw(server, { path: '/' });
    expect(page.headers['content-security-policy']).toContain("; frame-src 'self'; ");
    expect(page.headers['connection-allowlist']).toBeUndefined();
  });

  it('the index contains the app’s base path and is revalidated', async () => {
    const first = await raw(server, { path: '/n/x' });
    expect(first.text).toContain('<head lang="en"><base href="/"><title>');
    const again = await raw(server, {
      path: '/',
      headers: { 'if-none-match': String(first.headers['etag']) },
    });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});
