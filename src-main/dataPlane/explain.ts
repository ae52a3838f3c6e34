/** Answers `POST /v1/artifacts/explain-materialize`: what a request to materialize would do and why. */

import { bindFilters, columnNamed } from '../iceberg/plan/filters.ts';
import { transformProvenance } from '../registry/provenance.ts';
import type { Registry } from '../registry/registry.ts';
import { RegistryError } from '../registry/registryError.ts';
import type { RegistryService } from '../registry/registryService.ts';
import { type Party, uriOf, type VersionRow } from '../registry/versionRow.ts';
import { type ChangedInput, changedInputs, ERROR_MARK, staleReason } from './changedInputs.ts';
import type { Executor, Executors } from './executors.ts';
import { errorText, type Inputs } from './inputs.ts';
import { refusalOf } from './planeRefusal.ts';
import type { Requester } from './requester.ts';
import type { MaterializeRequest } from './requests.ts';
import { scanHash, scanInput, storedScan } from './scan.ts';
import { readScanParams } from './scanParams.ts';
import type { PinnedTable, Tables } from './tableVersion.ts';
import { readParams } from './transform.ts';

export interface ExplainAnswer {
  readonly would_hit: boolean;
  readonly artifact_uri: string | null;
  readonly would_build: boolean;
  readonly is_stale: boolean;
  readonly stale_reason: string | null;
  readonly changed_inputs: readonly ChangedInput[];
  readonly resolved_input_versions: Readonly<Record<string, string>>;
}

interface Parts {
  readonly inputs: Inputs;
  readonly tables: Tables;
  readonly registry: RegistryService;
}

/** What materialize would do with a request, and how the named artifact differs from it. */
export function createExplain({ inputs, tables, registry: service }: Parts, executors: Executors) {
  const look = async (
    { inputs: uris, transform }: Pick<MaterializeRequest, 'inputs' | 'transform'>,
    { executor, party }: { readonly executor: Executor; readonly party: Party },
    signal: AbortSignal,
  ): Promise<{ readonly versions: Readonly<Record<string, string>>; readonly hit: VersionRow | null }> => {
    const registry = service.isConfigured ? await service.open() : null;
    if (executor.kind === 'scan') {
      const uri = scanInput(uris);
      const request = readScanParams(transform.params);
      let pinned: PinnedTable;
      try {
        pinned = await tables.pin(uri, request.snapshotId, signal);
      } catch (error) {
        return { versions: { [uri]: errorText(error) }, hit: null };
      }
      await pinned.table.close();
      bindFilters(request.filters, pinned.schema);
      for (const column of request.columns ?? []) columnNamed(pinned.schema, column);
      const hash = scanHash(pinned, request);
      const hit = registry === null ? null : storedScan(registry, { hash, request, party }).hit;
      return { versions: { [uri]: pinned.version }, hit };
    }
    const params = readParams(executor, transform.params);
    const versions = await inputs.describe(uris, party, signal);
    if (Object.values(versions).some((version) => version.startsWith(ERROR_MARK)))
      return { versions, hit: null };
    const hash = transformProvenance({ ...transform, params, inputs: uris }, versions);
    return { versions, hit: registry?.readyByProvenance(hash, party) ?? null };
  };
  return async (
    request: Pick<MaterializeRequest, 'inputs' | 'transform' | 'name'>,
    who: Requester,
    signal: AbortSignal,
  ): Promise<ExplainAnswer> => {
    const { party } = who;
    const executor = executors.find(request.transform.executor, who);
    const { versions, hit } = await look(request, { executor, party }, signal).catch((error: unknown) => {
      throw refusalOf(error);
    });
    const registry = service.isConfigured ? await service.open() : null;
    const named = request.name === null ? null : namedVersion(registry, request.name, party);
    const changed = named === null ? [] : changedInputs(named, versions);
    return {
      would_hit: hit !== null,
      artifact_uri: hit === null ? null : uriOf(hit),
      would_build: hit === null,
      is_stale: changed.length > 0,
      stale_reason: staleReason(changed),
      changed_inputs: changed,
      resolved_input_versions: versions,
    };
  };
}

function namedVersion(registry: Registry | null, name: string, party: Party): VersionRow | null {
  try {
    const row = registry?.names.get(name, party);
    return row === undefined || registry === null
      ? null
      : registry.get({ id: row.artifact_id, version: row.version }, party);
  } catch (error) {
    if (error instanceof RegistryError && error.code === 'not_found') return null;
    throw error;
  }
}
