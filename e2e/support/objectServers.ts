/** Object stores for tests: fakes of S3, Google Cloud Storage and Azure, each with the vendor's client. */

import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import { Storage } from '@google-cloud/storage';
import { startLineServer } from './lineServer.ts';
import { PROJECT_ROOT } from './serverProcess.ts';
import { startMoto } from './testMoto.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A server that behaves like one cloud's object store and checks credentials, with the vendor's client. */
export interface ObjectServer {
  /** The fields of a valid credential, including the server's URL. */
  readonly credential: Fields;
  /** The fields of a credential that the server does not know. */
  readonly wrong: Fields;
  /** Text that no result, file or log may contain. */
  readonly secret: string;
  createBucket(name: string): Promise<void>;
  /** Removes a bucket with its contents. */
  deleteBucket(name: string): Promise<void>;
  put(bucket: string, key: string, bytes: string | Buffer): Promise<void>;
  /** @throws if there is no such object */
  get(bucket: string, key: string): Promise<string>;
  /** @throws if there is no such object */
  bytes(bucket: string, key: string): Promise<Uint8Array>;
  stop(): Promise<void>;
}

export type ObjectScheme = 's3' | 'gs' | 'az';

/** Error texts, which differ between the clouds. */
export interface ObjectWords {
  readonly refused: string;
  readonly noBucket: string;
}

interface ObjectServerKind {
  /** Why it is not available here; null if it is. */
  readonly missing: string | null;
  readonly words: ObjectWords;
  start(): Promise<ObjectServer>;
}

const python = process.env['CELLAR_TEST_SERVICES'];
const azurite = process.env['CELLAR_TEST_AZURITE'];

/** `npm test` installs all three; CONTRIBUTING.md lists the variables to name them by hand. */
export const OBJECT_SERVERS: Readonly<Record<ObjectScheme, ObjectServerKind>> = {
  s3: {
    missing: python === undefined ? 'CELLAR_TEST_SERVICES is not set' : null,
    words: { refused: '403 InvalidAccessKeyId', noBucket: '404 NoSuchBucket' },
    start: () => startS3(python ?? ''),
  },
  gs: {
    missing: python === undefined ? 'CELLAR_TEST_SERVICES is not set' : null,
    words: { refused: '401 from Google Cloud Storage', noBucket: '404 from Google Cloud Storage' },
    start: () => startGs(python ?? ''),
  },
  az: {
    missing: azurite === undefined ? 'CELLAR_TEST_AZURITE is not set' : null,
    words: { refused: '403 AuthorizationFailure', noBucket: '404 ContainerNotFound' },
    start: () => startAz(azurite ?? ''),
  },
};

async function startS3(interpreter: string): Promise<ObjectServer> {
  const moto = await startMoto(interpreter);
  const { key, secret, url } = moto;
  const client = new S3Client({
    endpoint: url,
    forcePathStyle: true,
    region: 'us-east-1',
    credentials: { accessKeyId: key, secretAccessKey: secret },
  });
  return {
    credential: { key, secret, endpoint_url: url },
    wrong: { key: 'AKIANOBODY', secret: 'of-nobody-at-all', endpoint_url: url },
    secret,
    createBucket: async (Bucket) => void (await client.send(new CreateBucketCommand({ Bucket }))),
    async deleteBucket(Bucket) {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
      for (const { Key } of Contents) await client.send(new DeleteObjectCommand({ Bucket, Key }));
      await client.send(new DeleteBucketCommand({ Bucket }));
    },
    put: async (Bucket, Key, Body) => void (await client.send(new PutObjectCommand({ Bucket, Key, Body }))),
    async get(Bucket, Key) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
      return (await Body?.transformToString()) ?? '';
    },
    async bytes(Bucket, Key) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
      return (await Body?.transformToByteArray()) ?? new Uint8Array();
    },
    async stop() {
      client.destroy();
      await moto.stop();
    },
  };
}

async function startGs(interpreter: string): Promise<ObjectServer> {
  const pair = () =>
    generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
  const { publicKey, privateKey } = pair();
  const program = join(PROJECT_ROOT, 'e2e/services/gcs.py');
  const server = await startLineServer([interpreter, '-I', program, publicKey], { endsBy: 'input' });
  const url = `http://127.0.0.1:${server.line}`;
  const keyFile = (private_key: string) => ({
    type: 'service_account',
    project_id: 'lab',
    client_email: 'lab@lab.iam.gserviceaccount.com',
    private_key,
    // With another universe domain the client signs each request itself instead of requesting a token from the vendor.
    universe_domain: 'cellar.test',
  });
  const client = new Storage({
    apiEndpoint: url,
    useAuthWithCustomEndpoint: true,
    credentials: keyFile(privateKey),
  });
  return {
    credential: { token: keyFile(privateKey), endpoint_url: url },
    wrong: { token: keyFile(pair().privateKey), endpoint_url: url },
    secret: privateKey.split('\n')[1] ?? '',
    createBucket: async (name) => void (await client.createBucket(name)),
    async deleteBucket(name) {
      await client.bucket(name).deleteFiles({ force: true });
      await client.bucket(name).delete();
    },
    put: (bucket, key, text) => client.bucket(bucket).file(key).save(text, { resumable: false }),
    get: async (bucket, key) => (await client.bucket(bucket).file(key).download())[0].toString('utf8'),
    bytes: async (bucket, key) => (await client.bucket(bucket).file(key).download())[0],
    stop: server.stop,
  };
}

/** The default account of Azurite, whose key is published in the vendor's documentation. */
const AZURITE_ACCOUNT = 'devstoreaccount1';
const AZURITE_KEY =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

async function startAz(program: string): Promise<ObjectServer> {
  const quiet = ['--silent', '--disableTelemetry'];
  // Azurite supports the client's requests, but not the newest API version, which the client names in them.
  const args = ['--blobPort', '0', '--inMemoryPersistence', '--skipApiVersionCheck', ...quiet];
  const server = await startLineServer([process.execPath, program, ...args], {
    wanted: /successfully listens on/,
    endsBy: 'SIGTERM',
  });
  const url = `${/http:\S+/.exec(server.line)?.[0]}/${AZURITE_ACCOUNT}`;
  const account = { account_name: AZURITE_ACCOUNT, endpoint_url: url };
  const client = new BlobServiceClient(url, new StorageSharedKeyCredential(AZURITE_ACCOUNT, AZURITE_KEY));
  const blob = (bucket: string, key: string) => client.getContainerClient(bucket).getBlockBlobClient(key);
  return {
    credential: { ...account, account_key: AZURITE_KEY },
    wrong: { ...account, account_key: Buffer.from('of-nobody-at-all').toString('base64') },
    secret: AZURITE_KEY,
    createBucket: async (name) => void (await client.createContainer(name)),
    deleteBucket: async (name) => void (await client.deleteContainer(name)),
    put: async (bucket, key, text) => void (await blob(bucket, key).upload(text, Buffer.byteLength(text))),
    get: async (bucket, key) => (await blob(bucket, key).downloadToBuffer()).toString('utf8'),
    bytes: (bucket, key) => blob(bucket, key).downloadToBuffer(),
    stop: server.stop,
  };
}
