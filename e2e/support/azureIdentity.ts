/**
 * A fake Azure machine for tests of blob storage: Azurite over TLS with bearer tokens, and the endpoint of a managed
 * identity that issues them.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { startLineServer } from './lineServer.ts';

/** A running blob server and the endpoint of the identity. */
export interface AzureMachine {
  /** The URL of the account's blobs. */
  readonly endpoint: string;
  readonly account: string;
  readonly key: string;
  /** Requests for a token so far. */
  tokens(): number;
  /** Runs `work` with the variables that Azure sets on a machine with an identity, and trusts the server. */
  withIdentity<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `work` like on a machine whose identity was removed. */
  withoutIdentity<T>(work: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

const ACCOUNT = 'devstoreaccount1';
/** Azurite's key, which is published in the vendor's documentation. */
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';
const SECRET = 'of-this-machine';

/** Allows only the machine's identity, so that no command-line login of a developer is tried. */
const SOURCES = { AZURE_TOKEN_CREDENTIALS: 'ManagedIdentityCredential' };

export async function startAzureMachine(azurite: string): Promise<AzureMachine> {
  const folder = await mkdtemp(join(tmpdir(), 'azure-'));
  const [certificate, keyFile] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1', '-addext', 'basicConstraints=critical,CA:FALSE'];
  execFileSync('openssl', [...request, ...names, '-keyout', keyFile, '-out', certificate], {
    stdio: 'ignore',
  });
  const blobs = await startLineServer(
    [
      ...([process.execPath, azurite] as const),
      ...['--blobPort', '0', '--inMemoryPersistence', '--skipApiVersionCheck', '--silent'],
      ...['--disableTelemetry', '--oauth', 'basic', '--cert', certificate, '--key', keyFile],
    ],
    { wanted: /successfully listens on/, endsBy: 'SIGTERM' },
  );
  let tokens = 0;
  let hasIdentity = true;
  const identity = createServer((asked, answer) => {
    if (!hasIdentity || asked.headers['x-identity-header'] !== SECRET) return answer.writeHead(401).end();
    tokens += 1;
    const seconds = Math.floor(Date.now() / 1000) + 3600;
    answer.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        access_token: tokenFor(new URL(asked.url ?? '/', 'http://x').searchParams.get('resource') ?? ''),
        expires_on: String(seconds),
        token_type: 'Bearer',
        client_id: 'of-the-machine',
      }),
    );
  });
  await new Promise<void>((resolve) => identity.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(identity.address() as AddressInfo).port}/token`;
  const variables = { ...SOURCES, IDENTITY_ENDPOINT: url, IDENTITY_HEADER: SECRET };
  const within = async <T>(work: () => Promise<T>): Promise<T> => {
    const before = getCACertificates('default');
    const changed = Object.keys(variables).map((name) => [name, process.env[name]] as const);
    setDefaultCACertificates([...before, readFileSync(certificate, 'utf8')]);
    Object.assign(process.env, variables);
    try {
      return await work();
    } finally {
      setDefaultCACertificates(before);
      for (const [name, value] of changed) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  };
  return {
    endpoint: `${/https:\S+/.exec(blobs.line)?.[0]}/${ACCOUNT}`,
    account: ACCOUNT,
    key: KEY,
    tokens: () => tokens,
    withIdentity: within,
    async withoutIdentity(work) {
      hasIdentity = false;
      try {
        return await within(work);
      } finally {
        hasIdentity = true;
      }
    },
    async stop() {
      identity.closeAllConnections();
      await new Promise((resolve) => identity.close(resolve));
      await blobs.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** An unsigned token: the blob server checks issuer, audience and time, but not the signature. */
function tokenFor(resource: string): string {
  const now = Math.floor(Date.now() / 1000);
  const tenant = 'ab1f708d-50f6-404c-a006-d71b2ac7a606';
  const claims = { iss: `https://sts.windows-ppe.net/${tenant}/`, aud: resource, tid: tenant };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return [
    part({ alg: 'RS256', typ: 'JWT' }),
    part({ ...claims, iat: now - 60, nbf: now - 60, exp: now + 3600 }),
    part({ signature: 'not checked' }),
  ].join('.');
}
