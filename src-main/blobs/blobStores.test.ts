/**
 * Signed uploads and reads in the buckets of S3, Google and Azure, against a local server for each, which
 * checks the signatures.
 */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FormPolicyServer, startFormPolicy } from '../../e2e/support/formPolicy.ts';
import { OBJECT_SERVERS, type ObjectScheme, type ObjectServer } from '../../e2e/support/objectServers.ts';
import type { BlobStore, UploadTarget } from '../artifacts/blobStore.ts';
import { openBlobStore } from './openBlobStore.ts';

const never = new AbortController().signal;
const soon = (): number => Date.now() / 1000 + 300;

/** Uploads as a worker sends a bundle (worker-protocol 5.1, 5.2). */
function send({ url, method, fields, headers }: UploadTarget, bytes: string): Promise<Response> {
  if (fields === undefined || fields === null)
    return fetch(url, { method, headers: headers ?? {}, body: bytes });
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([bytes]), 'bundle.tar');
  return fetch(url, { method, body: form });
}

describe.for(Object.keys(OBJECT_SERVERS) as ObjectScheme[])('a bucket of %s', (scheme) => {
  const { missing, start } = OBJECT_SERVERS[scheme];
  /** Skipped if the server is not running: `npm test` starts it. */
  describe.skipIf(missing !== null)(missing ?? 'that checks signatures', () => {
    let server: ObjectServer;
    let forms: FormPolicyServer | null = null;
    let dir = '';
    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'blobs-'));
      server = await start();
      if (scheme !== 'az') forms = await startFormPolicy(scheme, server);
      await server.createBucket('lab');
    });
    afterAll(async () => {
      await forms?.close();
      await server.stop();
      await rm(dir, { recursive: true, force: true });
    });
    const open = (container = 'lab'): BlobStore => {
      const own = forms === null ? {} : { endpoint_url: forms.url };
      return openBlobStore({
        scheme,
        container,
        prefix: '/in/a b/',
        options: { ...server.credential, ...own },
      });
    };
    const file = async (text: string): Promise<string> => {
      const path = join(dir, `file-${Math.random()}`);
      await writeFile(path, text);
      return path;
    };

    it('[BU-15] an uploaded object is read through its signed address, and through no other', async () => {
      const store = open();
      expect(store.place).toBe(`${scheme}://lab/in/a b`);
      await store.put('builds/é 1', await file('forty-two'), never);
      const url = await store.signRead('builds/é 1', soon());
      expect(await (await fetch(url)).text()).toBe('forty-two');
      const other = await fetch(url.replace(/%201\?/, '%202?'));
      expect(other.status).toBe(403);
    });

    it('[BU-15] an upload is stored under its signed name, listed unchanged, and deleted', async () => {
      const store = open();
      expect(await store.lookUp('out~1', never)).toBeNull();
      const target = await store.signUpload('out~1', { maxBytes: 10, expiresAt: soon() });
      const isForm = target.fields !== undefined;
      expect([isForm, target.method]).toEqual(scheme === 'az' ? [false, 'PUT'] : [true, 'POST']);
      const put = await send(target, '0123456789');
      expect([put.status, await put.text()]).toEqual([scheme === 'az' ? 201 : 204, '']);
      const entry = await store.lookUp('out~1', never);
      expect(entry?.bytes).toBe(10);
      const to = join(dir, `fetched-${scheme}`);
      if (entry !== null) await store.fetch('out~1', entry, to, never);
      expect(await readFile(to, 'utf8')).toBe('0123456789');
      await store.remove('out~1', never);
      await store.remove('out~1', never);
      expect(await store.lookUp('out~1', never)).toBeNull();
    });

    it('[BU-15] a form upload is limited by its policy; a PUT is not, so its size is looked up afterwards', async () => {
      const store = open();
      const target = await store.signUpload('long', { maxBytes: 4, expiresAt: soon() });
      const { status } = await send(target, '12345');
      expect(status).toBe(scheme === 'az' ? 201 : 400);
      expect((await store.lookUp('long', never))?.bytes).toBe(scheme === 'az' ? 5 : undefined);
      if (target.fields === undefined || target.fields === null) return;
      const elsewhere = { ...target, fields: { ...target.fields, key: 'in/a b/other' } };
      expect((await send(elsewhere, '1')).status).toBe(403);
    });

    it('[BU-15] an object that was overwritten after the check is not accepted', async () => {
      const store = open();
      await store.put('twice', await file('first'), never);
      const entry = await store.lookUp('twice', never);
      await store.put('twice', await file('other'), never);
      if (entry === null) throw new Error('nothing was found');
      await expect(store.fetch('twice', entry, join(dir, `twice-${scheme}`), never)).rejects.toMatchObject({
        name: 'BlobProblem',
      });
    });

    it('[BU-15] a missing bucket is reported with a message', async () => {
      const store = open('nowhere');
      const path = await file('1');
      for (const ask of [() => store.lookUp('x', never), () => store.put('x', path, never)]) {
        await expect(ask()).rejects.toMatchObject({
          name: 'BlobProblem',
          message: expect.stringContaining(`${scheme}://nowhere/in/a b/x`),
        });
      }
    });

    it('[BU-15] no address is valid for longer than the store allows', async () => {
      const store = open();
      const now = Date.now() / 1000;
      expect(await store.goodUntil(now + 60)).toBe(now + 60);
      const longest = await store.goodUntil(now + 1e7);
      expect(longest - now).toBeGreaterThan(6.9 * 86_400);
      expect(longest - now).toBeLessThan(7.1 * 86_400);
      await store.signRead('x', longest);
      await store.signUpload('x', { maxBytes: 1, expiresAt: longest });
    });
  });
});
