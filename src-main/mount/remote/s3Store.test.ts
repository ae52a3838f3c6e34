import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openS3 } from './s3Store.ts';
import { storeContract } from './storeContract.ts';
import { type MotoServer, startMoto } from './testMoto.ts';

const python = process.env['CELLAR_TEST_SERVICES'];

/** Skipped where nobody brought the stand-in: `npm test` does. */
describe.skipIf(python === undefined)('S3, as moto speaks it', () => {
  let moto: MotoServer;
  let buckets = 0;
  beforeAll(async () => {
    moto = await startMoto(python ?? '');
  }, 120_000);
  afterAll(() => moto.stop());
  const KEYS = { key: 'id', secret: 'hush' };
  const bucket = async (): Promise<string> => {
    const name = `bucket-${++buckets}`;
    const credentials = { accessKeyId: 'id', secretAccessKey: 'hush' };
    const client = new S3Client({
      endpoint: moto.url,
      forcePathStyle: true,
      region: 'us-east-1',
      credentials,
    });
    await client.send(new CreateBucketCommand({ Bucket: name }));
    client.destroy();
    return name;
  };

  storeContract('a bucket of moto', async () => openS3(await bucket(), { ...KEYS, endpoint_url: moto.url }));

  const never = new AbortController().signal;
  it('[MT-12] a bucket that is not there is said by its name, and no secret with it', async () => {
    const store = await openS3('nowhere', { ...KEYS, client_kwargs: { endpoint_url: moto.url } });
    const said = await store.list('p', never).catch((error: unknown) => String(error));
    expect(said).toBe('StoreProblem: There is no s3://nowhere/p (404 NoSuchBucket).');
  });

  it('[MT-12] one that is not there at all', async () => {
    const store = await openS3('b', { ...KEYS, endpoint_url: 'http://127.0.0.1:9' });
    const said = await store.list('p', never).catch((error: unknown) => String(error));
    expect(said).toBe('StoreProblem: s3://b/p cannot be listed now: ECONNREFUSED.');
  });

  it('[MT-12] anonymous requests carry no credential, and a refusal is said as one', async () => {
    const seen: (string | undefined)[] = [];
    const guard = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
    });
    await new Promise<void>((resolve) => guard.listen(0, '127.0.0.1', resolve));
    const endpoint_url = `http://127.0.0.1:${(guard.address() as AddressInfo).port}`;
    const said = [];
    for (const options of [{ anon: true }, KEYS]) {
      const store = await openS3('b', { ...options, endpoint_url });
      said.push(await store.list('p', never).catch((error: unknown) => String(error)));
    }
    guard.closeAllConnections();
    await new Promise((resolve) => guard.close(resolve));
    const refused = 'StoreProblem: s3://b/p refuses to be listed with this credential (403 AccessDenied).';
    expect(said).toEqual([refused, refused]);
    expect(seen[0]).toBeUndefined();
    expect(seen.at(-1)).toMatch(/^AWS4-HMAC-SHA256 Credential=id\//);
  });
});
