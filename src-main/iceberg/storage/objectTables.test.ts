/**
 * An Iceberg table in a bucket, read from a local S3 server: the temporary copies, a refused credential, and
 * no access to local files.
 */

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OBJECT_SERVERS, type ObjectServer } from '../../../e2e/support/objectServers.ts';
import { rowsOf } from '../testing/arrowRows.ts';
import { PYTHON, writtenBy } from '../testing/pyiceberg.ts';
import { NO_WAREHOUSES, scanned } from '../testing/scanned.ts';
import { openTableFiles } from './openTableFiles.ts';

const { missing, start } = OBJECT_SERVERS.s3;
const never = new AbortController().signal;

describe.skipIf(missing !== null || PYTHON === undefined)('[IC-13] a table in S3', () => {
  let folder = '';
  let server: ObjectServer;
  let files: readonly string[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'iceberg-s3-'));
    server = await start();
    await server.createBucket('lake');
    const { endpoint_url: endpoint, key, secret } = server.credential;
    const [line] = await writtenBy(
      'iceberg_s3.py',
      folder,
      String(endpoint),
      String(key),
      String(secret),
      'lake',
    );
    files = (line as { readonly files: readonly string[] }).files; // by that program
  }, 300_000);
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const warehouses = (credential: Readonly<Record<string, unknown>>) => ({
    ...NO_WAREHOUSES,
    catalogs: {
      lake: { type: 'sql', uri: `sqlite:///${folder}/catalog.db`, 's3.endpoint': credential['endpoint_url'] },
    },
    storage: { ...NO_WAREHOUSES.storage, s3: credential },
  });

  it('is read, and no copy of its files stays', async () => {
    const { rows, plan } = await scanned(
      'lake:ns.t',
      { filters: [{ column: 'k', op: '>', value: 2 }] },
      { warehouses: warehouses(server.credential) },
    );
    expect(rowsOf(rows)).toEqual(['k=3; s=null', 'k=4; s="d"']);
    expect(plan.tasks.length).toBe(2);
    const open = openTableFiles({ options: warehouses(server.credential).storage, mayReadLocal: false });
    const copy = await open.local(files[0] ?? '', never);
    expect(existsSync(copy.path)).toBe(true);
    await open.close();
    expect(existsSync(copy.path)).toBe(false);
  });

  it('that refuses the credential is reported', async () => {
    const scan = scanned('lake:ns.t', {}, { warehouses: warehouses(server.wrong) });
    await expect(scan).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('cannot name files of this machine', async () => {
    const open = openTableFiles({ options: { s3: server.credential, gs: {}, az: {} }, mayReadLocal: false });
    await expect(open.local('file:///etc/passwd', never)).rejects.toThrow('the table is not on this machine');
    await expect(open.read('s3://lake/nothing', { signal: never, maxBytes: 1 })).rejects.toThrow(
      'the file is missing',
    );
    await expect(open.read(files[0] ?? '', { signal: never, maxBytes: 1 })).rejects.toThrow(
      'more than 1 bytes',
    );
    await open.close();
  });
});
