/**
 * The object stores for S3, Google and Azure, each against a local server: the contract of all stores, and
 * their error messages.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IS_LONG } from '../../../e2e/support/longRun.ts';
import { OBJECT_SERVERS, type ObjectScheme, type ObjectServer } from '../../../e2e/support/objectServers.ts';
import type { StorageOptions } from '../credentials.ts';
import { openAz } from './azStore.ts';
import { openGs } from './gsStore.ts';
import type { ObjectStore } from './objectStore.ts';
import { openS3 } from './s3Store.ts';
import { storeContract } from './testing/storeContract.ts';

const OPENERS: Readonly<
  Record<ObjectScheme, (name: string, options: StorageOptions) => Promise<ObjectStore>>
> = {
  s3: openS3,
  gs: openGs,
  az: openAz,
};
/** More than one piece of each store: S3 has pieces from 64 MiB on, Google of 8 MiB. */
const LARGE_MIB: Readonly<Record<ObjectScheme, number>> = IS_LONG
  ? { s3: 130, gs: 65, az: 65 }
  : { s3: 65, gs: 17, az: 9 };
const never = new AbortController().signal;
const messageOf = (work: Promise<unknown>) => work.then(() => 'no problem', String);

describe.for(Object.keys(OPENERS) as ObjectScheme[])('a server with the API of %s', (scheme) => {
  const { missing, words, start } = OBJECT_SERVERS[scheme];
  const open = OPENERS[scheme];
  /** Skipped if the server is not running: `npm test` starts it. */
  describe.skipIf(missing !== null)(missing ?? 'with credentials it checks', () => {
    let server: ObjectServer;
    let buckets = 0;
    let dir = '';
    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'servers-'));
      server = await start();
    });
    afterAll(async () => {
      await server.stop();
      await rm(dir, { recursive: true, force: true });
    });
    const newBucket = async (): Promise<string> => {
      const name = `bucket-${++buckets}`;
      await server.createBucket(name);
      return name;
    };

    storeContract(
      `a bucket of ${scheme}`,
      async () => open(await newBucket(), server.credential),
      LARGE_MIB[scheme],
    );

    it('[MT-12] a missing bucket is reported by name', async () => {
      const store = await open('nowhere', server.credential);
      expect(await messageOf(store.list('p', never))).toBe(
        `StoreProblem: There is no ${scheme}://nowhere/p (${words.noBucket}).`,
      );
    });

    it('[MT-12] a wrong credential is reported without its content, for any request', async () => {
      const bucket = await newBucket();
      await server.put(bucket, 'x', '1');
      const [object] = await (await open(bucket, server.credential)).list('x', never);
      if (object === undefined) throw new Error('nothing was listed');
      const store = await open(bucket, server.wrong);
      const refused = (verb: string) =>
        `StoreProblem: ${scheme}://${bucket}/x cannot be ${verb} with this credential (${words.refused}).`;
      expect(await messageOf(store.list('x', never))).toBe(refused('listed'));
      expect(await messageOf(store.download(object, join(dir, 'x'), never))).toBe(refused('read'));
      expect(await messageOf(store.upload(import.meta.filename, 'x', never))).toBe(refused('written'));
    });

    it('[MT-12] a server that cannot be reached, and one that requires a credential, are reported', async () => {
      const unreachable = await open('b', { ...server.credential, endpoint_url: 'http://127.0.0.1:9' });
      expect(await messageOf(unreachable.list('p', never))).toBe(
        `StoreProblem: ${scheme}://b/p cannot be listed now: ECONNREFUSED.`,
      );
      const authorizations: (string | undefined)[] = [];
      const guard = createServer((request, response) => {
        authorizations.push(request.headers.authorization);
        response.writeHead(403).end();
      });
      await new Promise<void>((resolve) => guard.listen(0, '127.0.0.1', resolve));
      const endpoint_url = `http://127.0.0.1:${(guard.address() as AddressInfo).port}`;
      const store = await open('b', { anon: true, endpoint_url });
      expect(await messageOf(store.list('p', never))).toMatch(/cannot be listed with this credential \(403/);
      guard.closeAllConnections();
      await new Promise((resolve) => guard.close(resolve));
      expect(authorizations[0]).toBeUndefined();
    });
  });
});
