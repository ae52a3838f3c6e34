/**
 * A proxy that checks signed form uploads and signed reads like S3 and Google Cloud Storage, before a fake object
 * store.
 */

import { createHash, createHmac, createPublicKey, createVerify } from 'node:crypto';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ObjectServer } from './objectServers.ts';

/** How a kind of store signs requests. */
interface Signer {
  readonly names: { readonly query: string; readonly form: string };
  hostOf(request: IncomingMessage): string;
  isSigned(text: string, credential: string, signature: string): boolean;
}

export interface FormPolicyServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts a proxy of a fake object store. The proxy accepts forms like S3 and Google, checking signature, expiry, every
 * field and the length range of the policy, and checks signed queries of reads, which the fake store does not check.
 * All other requests are forwarded.
 */
export async function startFormPolicy(kind: 's3' | 'gs', behind: ObjectServer): Promise<FormPolicyServer> {
  const signer = kind === 's3' ? s3Signer(behind) : gsSigner(behind);
  const target = new URL(String(behind.credential['endpoint_url']));
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', target);
    const isForm = (request.headers['content-type'] ?? '').startsWith('multipart/form-data');
    const work =
      request.method === 'POST' && isForm
        ? takeForm(request, response, { signer, behind, bucket: url.pathname.split('/')[1] ?? '' })
        : url.searchParams.has(`X-${signer.names.query}-Signature`)
          ? read(request, response, { signer, url, behind })
          : forward(request, response, target);
    work.catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

async function forward(request: IncomingMessage, response: ServerResponse, target: URL): Promise<void> {
  const { method, url, headers } = request;
  const outgoing = httpRequest({ host: target.hostname, port: target.port, method, path: url, headers });
  outgoing.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
  });
  // The store may answer before it has read everything, and close the connection.
  outgoing.on('error', () => void (response.headersSent || response.destroy()));
  request.pipe(outgoing);
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

async function takeForm(
  request: IncomingMessage,
  response: ServerResponse,
  { signer, behind, bucket }: { signer: Signer; behind: ObjectServer; bucket: string },
): Promise<void> {
  const refuse = (status: number, code: string): void => void response.writeHead(status).end(code);
  const type = request.headers['content-type'] ?? '';
  const form = await new Response(new Uint8Array(await bytesOf(request)), {
    headers: { 'content-type': type },
  }).formData();
  const file = form.get('file');
  if (!(file instanceof Blob) || [...form.keys()].at(-1) !== 'file')
    return refuse(400, 'POST requires a file, last');
  const fields = new Map(
    [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
  );
  const policy = fields.get('policy') ?? '';
  const field = (name: string): string => fields.get(`${signer.names.form}-${name}`) ?? '';
  if (!signer.isSigned(policy, field('credential'), field('signature')))
    return refuse(403, 'SignatureDoesNotMatch');
  const { expiration, conditions } = JSON.parse(Buffer.from(policy, 'base64').toString()) as {
    expiration: string;
    conditions: (Record<string, string> | [string, number, number])[];
  };
  if (!(Date.parse(expiration) > Date.now())) return refuse(403, 'AccessDenied: Policy expired');
  const covered = new Set(['policy', `${signer.names.form}-signature`]);
  for (const condition of conditions) {
    if (Array.isArray(condition)) {
      const [, least, most] = condition;
      if (file.size < least || file.size > most) return refuse(400, 'EntityTooLarge');
      continue;
    }
    for (const [name, wanted] of Object.entries(condition)) {
      covered.add(name);
      if ((name === 'bucket' ? bucket : fields.get(name)) !== wanted)
        return refuse(403, `AccessDenied: ${name}`);
    }
  }
  const extra = [...fields.keys()].find((name) => !covered.has(name));
  if (extra !== undefined) return refuse(403, `AccessDenied: Extra input fields: ${extra}`);
  try {
    await behind.put(bucket, fields.get('key') ?? '', Buffer.from(await file.arrayBuffer()));
  } catch {
    return refuse(404, 'NoSuchBucket');
  }
  response.writeHead(204).end();
}

async function read(
  request: IncomingMessage,
  response: ServerResponse,
  { signer, url, behind }: { signer: Signer; url: URL; behind: ObjectServer },
): Promise<void> {
  if (!isGoodRead(request, url, signer)) return void response.writeHead(403).end('AccessDenied');
  const [, bucket = '', ...key] = decodeURIComponent(url.pathname).split('/');
  try {
    response.end(await behind.bytes(bucket, key.join('/')));
  } catch {
    response.writeHead(404).end('NoSuchKey');
  }
}

/** Checks a signed query, version 4 of both vendors: nothing in the request but its body may differ. */
function isGoodRead(request: IncomingMessage, url: URL, { names, hostOf, isSigned }: Signer): boolean {
  const param = (name: string): string => url.searchParams.get(`X-${names.query}-${name}`) ?? '';
  const date = param('Date');
  const begun = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (begun + Number(param('Expires')) * 1000 < Date.now()) return false;
  const query = url.search.slice(1).split('&');
  const canonical = [
    request.method,
    url.pathname,
    query
      .filter((one) => !one.startsWith(`X-${names.query}-Signature=`))
      .sort()
      .join('&'),
    `host:${hostOf(request)}\n`,
    param('SignedHeaders'),
    'UNSIGNED-PAYLOAD',
  ].join('\n');
  const credential = param('Credential');
  const digest = createHash('sha256').update(canonical).digest('hex');
  const text = [param('Algorithm'), date, credential.split('/').slice(1).join('/'), digest].join('\n');
  return param('SignedHeaders') === 'host' && isSigned(text, credential, param('Signature'));
}

function s3Signer({ credential }: ObjectServer): Signer {
  return {
    names: { query: 'Amz', form: 'x-amz' },
    hostOf: ({ headers }) => headers.host ?? '',
    isSigned(text, who, signature) {
      const key = who
        .split('/')
        .slice(1)
        .reduce<string | Buffer>(
          (under, part) => createHmac('sha256', under).update(part).digest(),
          `AWS4${String(credential['secret'])}`,
        );
      return createHmac('sha256', key).update(text).digest('hex') === signature;
    },
  };
}

function gsSigner({ credential }: ObjectServer): Signer {
  const { private_key } = credential['token'] as { private_key: string };
  const publicKey = createPublicKey(private_key);
  return {
    names: { query: 'Goog', form: 'x-goog' },
    // The vendor's client signs the host without a port, because the service uses the default port.
    hostOf: ({ headers }) => (headers.host ?? '').replace(/:\d+$/, ''),
    isSigned: (text, _who, signature) =>
      createVerify('RSA-SHA256').update(text).verify(publicKey, Buffer.from(signature, 'hex')),
  };
}
