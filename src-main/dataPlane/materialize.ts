/** Answers `POST /v1/materialize`: a stored version, a build in progress, or a new build. */

import { randomUUID } from 'node:crypto';
import type { ScanRequest } from '../iceberg/plan/planScan.ts';
import { checkName } from '../registry/names.ts';
import type { Registry } from '../registry/registry.ts';
import { tierOf } from './admission/scanAdmission.ts';
import type { PlaneBuild, Production } from './build.ts';
import { fetchFirstRowGroup } from './cache/firstRowGroup.ts';
import type { Executors } from './executors.ts';
import type { PassingRows } from './passRows.ts';
import type { Prefetching } from './prefetch.ts';
import type { Requester } from './requester.ts';
import {
  admitted,
  EMPTY_ANSWER,
  type Materialized,
  type MaterializeParts,
  type MaterializeRequest,
  noStore,
  pendingAnswer,
  readyAnswer,
  scanRows,
} from './requests.ts';
import { checkPlan, estimatedBytes, scanHash, scanInput, storedScan } from './scan.ts';
import { plainParams, readScanParams } from './scanParams.ts';
import type { Streams } from './streams.ts';
import { createTransform } from './transform.ts';

/** Creates the function that answers requests to materialize. */
export function createMaterialize(parts: MaterializeParts, executors: Executors) {
  const scan = createScan(parts);
  const transform = createTransform(parts);
  return async (request: MaterializeRequest, who: Requester, signal: AbortSignal): Promise<Materialized> => {
    const executor = executors.find(request.transform.executor, who);
    if (request.name !== null) checkName(request.name);
    return executor.kind === 'scan'
      ? scan(request, who, signal)
      : transform(executor, { request, who, signal });
  };
}

function createScan(parts: MaterializeParts) {
  const { config, registry: service, tables, streams, builds } = parts;

  const streamAnswer = (
    registry: Registry,
    {
      build,
      id,
      who: { party },
    }: { readonly build: PlaneBuild; readonly id: string; readonly who: Requester },
  ): Materialized => {
    const streamId = streams.add(id, party, {
      kind: 'build',
      build,
      tier: build.tier,
      onExpired: () => builds.expire(build),
    });
    const { nodeAdvertisedUrl: nodeUrl, streamStateTtlSeconds } = config;
    if (nodeUrl !== null) registry.streamOwners.set(streamId, nodeUrl, streamStateTtlSeconds);
    return {
      ...EMPTY_ANSWER,
      state: 'building',
      artifact_uri: build.uri,
      stream_id: streamId,
      stream_url: `/v1/streams/${streamId}`,
    };
  };

  /** The stored version or running build; null if a build must be started. */
  const existing = (
    registry: Registry,
    request: MaterializeRequest,
    { hash, scan, who }: { readonly hash: string; readonly scan: ScanRequest; readonly who: Requester },
  ): Materialized | null => {
    if (request.refresh) return null;
    const { hit } = storedScan(registry, { hash, request: scan, party: who.party });
    if (hit !== null) {
      if (request.name !== null) registry.names.set(request.name, hit, who.party);
      const url = `/v1/artifacts/${encodeURIComponent(hit.id)}/v/${hit.version}/data`;
      return readyAnswer(hit, request.mode === 'stream' ? url : null);
    }
    const build = builds.find(hash, who.party);
    if (build === null) return null;
    if (request.name !== null) build.alsoName(request.name, who.party);
    if (request.mode === 'stream') return streamAnswer(registry, { build, id: build.row.id, who });
    void build.run();
    return pendingAnswer(build);
  };

  return async (request: MaterializeRequest, who: Requester, signal: AbortSignal): Promise<Materialized> => {
    const uri = scanInput(request.inputs);
    const scan = readScanParams(request.transform.params);
    if (request.mode === 'artifact' && !service.isConfigured) throw noStore();
    const registry = service.isConfigured ? await service.open() : null;
    const pinned = await tables.pin(uri, scan.snapshotId, signal);
    let isHandedOn = false;
    try {
      const hash = scanHash(pinned, scan);
      const about = { hash, scan, who };
      const before = registry === null ? null : existing(registry, request, about);
      if (before !== null) return before;
      const plan = await tables.plan(pinned, scan, signal);
      checkPlan(plan, { maxTasks: config.maxTasksPerScan, maxBytes: config.maxResponseBytes });
      const { tenant } = who.party;
      const rows = async (stop: AbortSignal) => scanRows(parts, { pinned, plan, tenant, signal: stop });
      let ahead: Prefetching | null = null;
      const release = async () => {
        await ahead?.end();
        await pinned.table.close();
      };
      const fetchAhead = (): void => {
        const owner = { tenant, identity: pinned.table.uri.identity };
        const { files } = pinned.table;
        const { reading } = parts.cachePlane;
        ahead = parts.prefetch.start((stop) =>
          fetchFirstRowGroup(plan, owner, { reading, files, signal: stop }),
        );
      };
      if (registry === null) {
        isHandedOn = true;
        fetchAhead();
        const tier = tierOf(plan, config, scan.columns !== null);
        return passThrough(streams, who, { tier, rows, release });
      }
      // Another request may have been faster; there must be no await from here to `add`.
      const meanwhile = existing(registry, request, about);
      if (meanwhile !== null) return meanwhile;
      const { hit, replaces } = storedScan(registry, { hash, request: scan, party: who.party });
      const production: Omit<Production, 'onFault'> = {
        what: 'Scanning the table',
        timeoutSeconds: config.scanTimeoutSeconds,
        maxBytes: config.maxResponseBytes,
        rows,
        release,
        turn: (stop) => parts.scans.take('', stop),
      };
      const spec = {
        ...request.transform,
        inputs: request.inputs,
        params: plainParams(request.transform.params),
      };
      const build = builds.add(
        registry,
        {
          provenanceHash: hash,
          spec,
          inputVersions: { [uri]: pinned.version },
          name: request.name,
          executorUrl: null,
          id: (hit ?? replaces)?.id ?? null,
        },
        { party: who.party, production, tier: tierOf(plan, config, scan.columns !== null) },
      );
      isHandedOn = true;
      if (request.mode === 'stream') {
        fetchAhead();
        return streamAnswer(registry, { build, id: request.refresh ? randomUUID() : build.row.id, who });
      }
      const estimate = { outputBytes: estimatedBytes(plan), inputs: request.inputs.length };
      const endTurn = await admitted(parts, build, { estimate, signal });
      void build
        .run()
        .then(
          ({ byteSize }) => parts.buildAdmission.count(tenant, byteSize ?? 0),
          () => undefined, // The record of the build has the failure.
        )
        .finally(endTurn);
      return pendingAnswer(build);
    } finally {
      if (!isHandedOn) await pinned.table.close();
    }
  };
}

function passThrough(streams: Streams, { party }: Requester, passing: PassingRows): Materialized {
  const id = streams.add(randomUUID(), party, { kind: 'rows', ...passing });
  return { ...EMPTY_ANSWER, state: 'building', stream_id: id, stream_url: `/v1/streams/${id}` };
}
