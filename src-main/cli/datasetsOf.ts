/** Resolves the artifacts that `@dataset` annotations of cells name, for every session of a server. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { parseArtifactUri } from '../artifacts/uri.ts';
import type { Config } from '../config/variables.ts';
import { moveTo } from '../lib/guardedFolder/names.ts';
import { hashFile } from '../lib/hashFile.ts';
import { makePrivateFolder } from '../lib/makePrivateFolder.ts';
import type { DatasetRegistry, DatasetVersion } from '../mount/registry.ts';
import { RegistryError } from '../registry/registryError.ts';
import type { RegistryService } from '../registry/registryService.ts';
import type { VersionRef } from '../registry/versionRow.ts';
import type { RemoteStore } from '../remoteStore/remoteStore.ts';
import { RemoteStoreProblem } from '../remoteStore/remoteStoreProblem.ts';
import { type RequestContext, readAs } from '../remoteStore/rest.ts';
import { runsCode } from '../run/team/shareable.ts';

/** A personal server reads artifacts without a tenant. */
const PARTY = { tenant: '', principal: null, isAdmin: false };
const NAMES_MS = 20_000;

/** Resolves `@dataset` names: in the shared store if there is one, else in the artifact store of this server. */
export function datasetsOf(
  config: Config,
  { registry, remoteStore }: { readonly registry: RegistryService; readonly remoteStore: RemoteStore | null },
): DatasetRegistry | null {
  const find =
    remoteStore !== null
      ? (reference: string, signal: AbortSignal) => inRemote(remoteStore, config, { reference, signal })
      : registry.isConfigured
        ? (reference: string) => inRegistry(registry, reference)
        : null;
  if (find === null) return null;
  return {
    async resolve(reference, signal) {
      try {
        return { kind: 'found', dataset: await find(reference, signal) };
      } catch (error) {
        if (!(error instanceof RegistryError || error instanceof RemoteStoreProblem)) throw error;
        return { kind: 'problem', problem: `The dataset ${reference} cannot be read: ${error.message}` };
      }
    },
  };
}

/** `name`, `name@alias` or `name@v=n`. */
function partsOf(reference: string): {
  readonly name: string;
  readonly alias: string | null;
  readonly version: number | null;
} {
  const at = reference.lastIndexOf('@');
  if (at <= 0) return { name: reference, alias: null, version: null };
  const name = reference.slice(0, at);
  const version = /^v=(\d+)$/.exec(reference.slice(at + 1))?.[1];
  if (version !== undefined) return { name, alias: null, version: Number(version) };
  return { name, alias: reference.slice(at + 1), version: null };
}

async function inRegistry(service: RegistryService, reference: string): Promise<DatasetVersion> {
  const registry = await service.open();
  const { name, alias, version } = partsOf(reference);
  const named = alias === null ? registry.names.get(name, PARTY) : registry.names.alias(name, alias, PARTY);
  const ref: VersionRef = { id: named.artifact_id, version: version ?? named.version };
  const { path, row } = registry.dataFile(ref, PARTY);
  if (row.contentSha256 !== null && (await hashFile(path)) !== row.contentSha256) {
    throw new RegistryError('conflict', 'its stored bytes are damaged. Run svc artifact verify.');
  }
  return { ...ref, contentType: row.contentType, file: path };
}

const resolvedName = z.object({ artifact_uri: z.string() });
const metadata = z.object({ provenance_hash: z.string() });

async function inRemote(
  store: RemoteStore,
  config: Config,
  { reference, signal }: { readonly reference: string; readonly signal: AbortSignal },
): Promise<DatasetVersion> {
  const { name, alias, version } = partsOf(reference);
  const quick: RequestContext = {
    principal: null,
    signal: AbortSignal.any([signal, AbortSignal.timeout(NAMES_MS)]),
  };
  const path = `/v1/names/${name.split('/').map(encodeURIComponent).join('/')}`;
  const aliasPath = alias === null ? path : `${path}/aliases/${encodeURIComponent(alias)}`;
  const { artifact_uri: uri } = readAs(
    resolvedName,
    await store.call('GET', aliasPath, null, quick),
    store.url,
  );
  const address = parseArtifactUri(uri);
  if (address === null) throw new RemoteStoreProblem(`${uri} is not the address of an artifact`, 200);
  const ref = { id: address.id, version: version ?? address.version };
  const own = `/v1/artifacts/${encodeURIComponent(ref.id)}/v/${ref.version}`;
  const { provenance_hash } = readAs(metadata, await store.call('GET', own, null, quick), store.url);
  const match = await store.match(provenance_hash, quick);
  if (match === null || match.artifact_id !== ref.id || match.version !== ref.version) {
    throw new RemoteStoreProblem(
      'that version is no longer the current one of the shared store. Name another version.',
      200,
    );
  }
  if (runsCode(match.content_type) && !config.notebookRemoteStoreTrusted) {
    throw new RemoteStoreProblem(
      `reading ${match.content_type} runs code, and the shared store is not marked as trusted (SVC_NOTEBOOK_REMOTE_STORE_TRUSTED)`,
      200,
    );
  }
  const folder = join(config.cacheDir, 'datasets');
  makePrivateFolder(folder);
  const file = join(folder, match.content_sha256 ?? '');
  // Check the file: another program may have written or changed it.
  if (match.content_sha256 === null || !existsSync(file) || (await hashFile(file)) !== match.content_sha256) {
    const part = `${file}.${process.pid}-${Date.now()}`;
    await store.download(match, { file: part }, { principal: null, signal });
    moveTo(part, file);
  }
  return { ...ref, contentType: match.content_type, file };
}
