/** Signs requests to AWS services, for the Glue catalog and for REST catalogs on AWS. */

import { createHash, createHmac } from 'node:crypto';
import { IcebergError } from '../icebergError.ts';

type Properties = Readonly<Record<string, unknown>>;

/** Signs requests to one AWS service (Signature Version 4). */
export interface AwsSigner {
  /** @returns the headers to send. @throws IcebergError without credentials */
  sign(request: SignedRequest): Promise<Readonly<Record<string, string>>>;
}

export interface SignedRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface AwsIdentity {
  readonly region: string;
  readonly service: string;
  /** Null: the machine's credentials (environment, profile, instance). */
  readonly keys: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  } | null;
}

/**
 * The region and keys in the properties of a catalog, as pyiceberg names them: with the prefix of the service, else
 * `client`, else `s3`.
 */
export function awsIdentity(
  properties: Properties,
  { prefix, service }: { readonly prefix: string; readonly service: string },
): AwsIdentity {
  const text = (key: string): string | null => {
    for (const start of [prefix, 'client', 's3']) {
      const value = properties[`${start}.${key}`];
      if (typeof value === 'string' && value !== '') return value;
    }
    return null;
  };
  const region = text('region') ?? process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'] ?? null;
  if (region === null) {
    throw new IcebergError(
      'invalid_request',
      `The catalog needs the region of its AWS service. Set ${prefix}.region among its properties.`,
    );
  }
  const [accessKeyId, secretAccessKey] = [text('access-key-id'), text('secret-access-key')];
  const sessionToken = text('session-token');
  const keys =
    accessKeyId === null || secretAccessKey === null
      ? null
      : { accessKeyId, secretAccessKey, ...(sessionToken === null ? {} : { sessionToken }) };
  return { region, service, keys };
}

/** Loads the signature of the AWS SDK at the first request. */
export function createAwsSigner({ region, service, keys }: AwsIdentity): AwsSigner {
  let signing: Promise<Pick<import('@smithy/signature-v4').SignatureV4, 'sign'>> | null = null;
  const open = async () => {
    const { SignatureV4 } = await import('@smithy/signature-v4');
    const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
    return new SignatureV4({ region, service, credentials: keys ?? defaultProvider(), sha256: Sha256 });
  };
  return {
    async sign({ method, url, headers, body }) {
      signing ??= open();
      const { protocol, hostname, port, host, pathname, searchParams } = new URL(url);
      const request = {
        method,
        protocol,
        hostname,
        body,
        ...(port === '' ? {} : { port: Number(port) }),
        path: pathname,
        query: Object.fromEntries(searchParams),
        headers: { ...headers, host },
      };
      try {
        const { headers: signed } = await (await signing).sign(request);
        // fetch sets the host header from the URL.
        const { host: _, ...sent } = signed;
        return sent;
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new IcebergError(
          'unavailable',
          `The request to AWS cannot be signed: ${why}. Set ${service}.access-key-id and ${service}.secret-access-key among the properties of the catalog, or the AWS credentials of the server.`,
          { cause: error },
        );
      }
    },
  };
}

/** Node's SHA-256, with the interface that the signer requires. */
class Sha256 {
  readonly #secret: Uint8Array | string | null;
  #hash: ReturnType<typeof createHash> | ReturnType<typeof createHmac>;

  constructor(secret?: unknown) {
    this.#secret = secret === undefined ? null : bytesOf(secret);
    this.#hash = this.#fresh();
  }

  update(data: unknown): void {
    this.#hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    this.#hash = this.#fresh();
  }

  #fresh() {
    return this.#secret === null ? createHash('sha256') : createHmac('sha256', this.#secret);
  }
}

function bytesOf(data: unknown): Uint8Array | string {
  if (typeof data === 'string') return data;
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  throw new TypeError('the signature hashes something else than bytes');
}
