import { pipeline } from 'node:stream/promises';
import { BlobServiceClient, RestError, StorageSharedKeyCredential } from '@azure/storage-blob';
import { streamTo } from '../../lib/guardedFolder/replace.ts';
import type { StorageOptions } from '../credentials.ts';
import { type ObjectStore, problemFor, type RemoteObject, StoreProblem } from './objectStore.ts';
import { optionText, optionTrue } from './storeOptions.ts';

/** Opens a container of Azure Blob Storage as the store of a mount. This file is loaded on first use. */
export async function openAz(containerName: string, options: StorageOptions): Promise<ObjectStore> {
  const container = (await azService(containerName, options)).getContainerClient(containerName);
  const place = (name: string) => `az://${containerName}/${name}`;
  /**
   * For a deleted blob some servers answer a conditional request with "changed": an unconditional one shows
   * the real error.
   */
  const unmasked = async (error: unknown, name: string, abortSignal: AbortSignal): Promise<unknown> => {
    if (!(error instanceof RestError) || error.statusCode !== 412) return error;
    return container
      .getBlobClient(name)
      .getProperties({ abortSignal })
      .then(
        () => error,
        (error: unknown) => error,
      );
  };
  return {
    async list(prefix, abortSignal) {
      const objects: RemoteObject[] = [];
      try {
        for await (const { name, properties } of container.listBlobsFlat({ prefix, abortSignal })) {
          objects.push({
            key: name,
            size: properties.contentLength ?? 0,
            etag: properties.etag,
            modified: properties.lastModified.toISOString(),
          });
        }
      } catch (error) {
        throw azProblem(error, { place: place(prefix), doing: 'list' });
      }
      return objects;
    },
    async download({ key: name, etag }, file, abortSignal) {
      try {
        const conditions = etag === '' ? {} : { conditions: { ifMatch: etag } };
        const response = await container
          .getBlobClient(name)
          .download(0, undefined, { abortSignal, ...conditions });
        if (response.readableStreamBody === undefined)
          throw new StoreProblem(`${place(name)} came without a body.`);
        await pipeline(response.readableStreamBody, streamTo(file), {
          signal: abortSignal,
        });
      } catch (error) {
        throw azProblem(await unmasked(error, name, abortSignal), { place: place(name), doing: 'read' });
      }
    },
    async upload(file, name, abortSignal) {
      try {
        await container.getBlockBlobClient(name).uploadFile(file, { abortSignal, concurrency: 2 });
      } catch (error) {
        throw azProblem(error, { place: place(name), doing: 'write' });
      }
    },
  };
}

/**
 * The account's client. `default_credential` uses the identity of this machine where no other credential is given: a
 * client secret or workload identity in the environment, a managed identity, or a login of Azure's own tools.
 * @throws StoreProblem if no account or no credential is given
 */
export async function azService(containerName: string, options: StorageOptions): Promise<BlobServiceClient> {
  const text = (...names: string[]) => optionText(options, names);
  const account = text('account_name');
  const key = text('account_key');
  const connection = text('connection_string');
  const sas = text('sas_token');
  const endpoint =
    text('endpoint_url', 'account_url') ??
    (account === null ? null : `https://${account}.blob.core.windows.net`);
  if (connection !== null) return BlobServiceClient.fromConnectionString(connection, CLIENT);
  if (endpoint === null) {
    throw new StoreProblem(`az://${containerName} needs an account: set account_name or connection_string.`);
  }
  if (account !== null && key !== null) {
    return new BlobServiceClient(endpoint, new StorageSharedKeyCredential(account, key), CLIENT);
  }
  if (sas !== null) return new BlobServiceClient(`${endpoint}?${sas.replace(/^\?/, '')}`, undefined, CLIENT);
  if (optionTrue(options, ['anon'])) return new BlobServiceClient(endpoint, undefined, CLIENT);
  if (optionTrue(options, ['default_credential'])) {
    const { DefaultAzureCredential } = await import('@azure/identity');
    return new BlobServiceClient(endpoint, new DefaultAzureCredential(), CLIENT);
  }
  throw new StoreProblem(
    `az://${containerName} needs a credential: account_key, sas_token or connection_string, or anon = true for public data.`,
  );
}

const CLIENT = { retryOptions: { maxTries: 3, tryTimeoutInMs: 60_000 } } as const;

/** Errors of @azure/identity. Their messages name each source that was tried, and its error. */
const NO_IDENTITY = ['CredentialUnavailableError', 'AuthenticationError', 'AggregateAuthenticationError'];

/** The service's message, without the request in it. */
export function azProblem(
  error: unknown,
  about: { readonly place: string; readonly doing: 'list' | 'read' | 'write' },
): StoreProblem {
  if (error instanceof StoreProblem) return error;
  if (error instanceof Error && NO_IDENTITY.includes(error.name)) {
    const how = { list: 'listed', read: 'read', write: 'written' }[about.doing];
    return new StoreProblem(
      `${about.place} cannot be ${how}: this machine has no identity that Azure accepts. Give it one, or set a key or a SAS token.`,
    );
  }
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : null;
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no answer';
  return problemFor(typeof status === 'number' ? status : null, { ...about, detail: code });
}
