/**
 * Settings for object storage, against local servers: the managed identity of an Azure machine, and the
 * location of new Google buckets.
 */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import { Storage } from '@google-cloud/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AzureMachine, startAzureMachine } from '../../e2e/support/azureIdentity.ts';
import { OBJECT_SERVERS, type ObjectServer } from '../../e2e/support/objectServers.ts';
import { loadConfig } from '../config/loadConfig.ts';
import { openAz } from '../mount/remote/azStore.ts';
import { gsConfig, openGs } from '../mount/remote/gsStore.ts';
import { warehousesOf } from './planeSettings.ts';

const never = new AbortController().signal;
const storageOf = (env: Readonly<Record<string, string>>) =>
  warehousesOf(loadConfig({ cwd: tmpdir(), env })).storage;
const problemOf = (work: Promise<unknown>) => work.then(() => 'no problem', String);

const azurite = process.env['CELLAR_TEST_AZURITE'];
/** Skipped without Azurite, the local server with the API of Azure: `npm test` starts it. */
describe.skipIf(azurite === undefined)('the identity of a machine in Azure', () => {
  let machine: AzureMachine;
  let dir = '';
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'azure-read-'));
    machine = await startAzureMachine(azurite ?? '');
    await machine.withoutIdentity(async () => {
      const credential = new StorageSharedKeyCredential(machine.account, machine.key);
      const lake = new BlobServiceClient(machine.endpoint, credential).getContainerClient('lake');
      await lake.create();
      await lake.getBlockBlobClient('t/a').upload('forty-two', 9);
    });
  });
  afterAll(async () => {
    await machine?.stop();
    await rm(dir, { recursive: true, force: true });
  });
  const read = async (more: Readonly<Record<string, string>>): Promise<string> => {
    const { az } = storageOf({
      SVC_AZURE_ACCOUNT_NAME: machine.account,
      SVC_AZURE_ENDPOINT_URL: machine.endpoint,
      ...more,
    });
    const store = await openAz('lake', az);
    const [object] = await store.list('t/', never);
    if (object === undefined) return 'nothing';
    const file = join(dir, `file-${Math.random()}`);
    await store.download(object, file, never);
    return readFile(file, 'utf8');
  };
  const on = { SVC_AZURE_USE_DEFAULT_CREDENTIAL: 'true' };

  // First, because the client keeps a token once one is issued.
  it('[DP-100] is reported as missing if the machine has none, in one sentence', async () => {
    await machine.withoutIdentity(async () => {
      expect(await problemOf(read(on))).toBe(
        'StoreProblem: az://lake/t/ cannot be listed: this machine has no identity that Azure accepts. Give it one, or set a key or a SAS token.',
      );
    });
  });

  it('[DP-100] opens containers with SVC_AZURE_USE_DEFAULT_CREDENTIAL, and not without it', async () => {
    await machine.withIdentity(async () => {
      expect(await problemOf(read({}))).toMatch(/az:\/\/lake needs a credential/);
      expect(machine.tokens()).toBe(0);
      expect(await read(on)).toBe('forty-two');
      expect(machine.tokens()).toBe(1);
    });
  });

  it('[DP-100] is not queried if a key is configured', async () => {
    await machine.withIdentity(async () => {
      const before = machine.tokens();
      expect(await read({ ...on, SVC_AZURE_ACCOUNT_KEY: machine.key })).toBe('forty-two');
      expect(machine.tokens()).toBe(before);
    });
  });
});

const { missing, start } = OBJECT_SERVERS.gs;
describe.skipIf(missing !== null)(missing ?? 'a bucket of Google that is missing', () => {
  let server: ObjectServer;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server?.stop());
  const optionsOf = (more: Readonly<Record<string, string>>) =>
    storageOf({
      SVC_GCS_CREDENTIALS_JSON: JSON.stringify(server.credential['token']),
      SVC_GCS_ENDPOINT_OVERRIDE: String(server.credential['endpoint_url']),
      ...more,
    }).gs;

  it('[DP-101] is created in SVC_GCS_DEFAULT_BUCKET_LOCATION by the first write, and never without it', async () => {
    const there = async (name: string, env: Readonly<Record<string, string>>): Promise<string> => {
      const options = optionsOf(env);
      const store = await openGs(name, options);
      const written = await problemOf(store.upload(import.meta.filename, 'a', never));
      const bucket = new Storage(gsConfig(options)).bucket(name);
      const [exists] = await bucket.exists();
      return exists ? `${written} ${(await bucket.getMetadata())[0].location}` : written;
    };
    expect(await there('first', {})).toMatch(/There is no gs:\/\/first\/a/);
    const north = { SVC_GCS_DEFAULT_BUCKET_LOCATION: 'EUROPE-NORTH1' };
    expect(await there('second', north)).toBe('no problem EUROPE-NORTH1');
    // A read never creates one.
    const store = await openGs('third', optionsOf(north));
    expect(await problemOf(store.list('a', never))).toMatch(/There is no gs:\/\/third\/a/);
  });
});
