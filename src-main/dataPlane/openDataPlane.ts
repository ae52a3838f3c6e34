/** Creates the data plane with its cache, executors and admission. Loaded on first use. */

import type { Config } from '../config/variables.ts';
import type { Warehouses } from '../iceberg/openTable.ts';
import { createSerialRunner } from '../lib/serialRunner.ts';
import type { Logger } from '../observe/log.ts';
import type { RegistryService } from '../registry/registryService.ts';
import { BuildAdmission } from './admission/buildAdmission.ts';
import { ScanAdmission } from './admission/scanAdmission.ts';
import { TurnTaking } from './admission/turnTaking.ts';
import type { OpenDataPlane } from './api.ts';
import { Builds } from './builds.ts';
import { createCachePlane } from './cache/cachePlane.ts';
import { createTableBrowser } from './catalogs/tableBrowser.ts';
import { createDirectScan } from './directScan.ts';
import { Executors } from './executors.ts';
import { createExplain } from './explain.ts';
import { fetchStream } from './fetchStream.ts';
import { createInputs } from './inputs.ts';
import { createMaterialize } from './materialize.ts';
import { PlaneRefusal } from './planeRefusal.ts';
import { Prefetch } from './prefetch.ts';
import { Streams } from './streams.ts';
import { exportTable } from './tableExport/exportTable.ts';
import { createTables } from './tableVersion.ts';

/** The maximum number of position deletes of a scan, which have no setting of their own. */
const MAX_POSITION_DELETES = 100_000_000;

/** Loads DuckDB and Apache Arrow; `createDataPlane` calls it at the first request. */
export function openDataPlane({
  config,
  registry,
  log,
  graceMs,
  warehouses,
}: {
  readonly config: Config;
  readonly registry: RegistryService;
  readonly log: Logger;
  readonly graceMs: number;
  /** The current catalogs and object stores, read for each request. */
  readonly warehouses: () => Promise<Warehouses>;
}): OpenDataPlane {
  const exportInTurn = createSerialRunner();
  const tableLimits = {
    planSeconds: config.planTimeoutSeconds,
    equalityDeleteRows: config.maxEqualityDeleteRows,
    positionDeleteRows: MAX_POSITION_DELETES,
  };
  const tables = createTables({ defaultCatalog: config.catalogName, current: warehouses }, tableLimits);
  const streams = new Streams(config.streamStateTtlSeconds);
  const builds = new Builds(log);
  const inputs = createInputs(tables, registry);
  const cachePlane = createCachePlane(config, { tables, log });
  const scanAdmission = new ScanAdmission(config);
  const buildAdmission = new BuildAdmission(config);
  const scans = new TurnTaking({ max: config.maxConcurrentScans });
  const prefetch = new Prefetch();
  const parts = {
    prefetch,
    buildAdmission,
    scans,
    cachePlane,
    config,
    registry,
    tables,
    streams,
    builds,
    inputs,
  };
  const limits = {
    scanAdmission,
    scans,
    maxResponseBytes: config.maxResponseBytes,
    scanTimeoutSeconds: config.scanTimeoutSeconds,
  };
  const closing = new AbortController();
  const executors = new Executors(config);
  const directScan = createDirectScan(parts, limits);
  return {
    materialize: createMaterialize(parts, executors),
    cachePlane,
    tableBrowser: createTableBrowser(warehouses, tableLimits),
    async currentSnapshot(uri, signal) {
      const { table, snapshot } = await tables.pin(uri, null, signal);
      await table.close();
      return typeof snapshot === 'bigint' ? { kind: 'snapshot', id: String(snapshot) } : { kind: 'empty' };
    },
    explain: createExplain(parts, executors),
    inputVersions: (uris, party, signal) => inputs.describe(uris, party, signal),
    scan: (request, who, signal) => directScan(request, who, AbortSignal.any([signal, closing.signal])),
    // Each takes as much memory as a scan.
    exportTable: (request, party, signal) =>
      exportInTurn(async () =>
        exportTable(request, {
          registry: await registry.open(),
          warehouses: await warehouses(),
          party,
          signal: AbortSignal.any([signal, closing.signal]),
        }),
      ),
    stream: (id, who) =>
      fetchStream(
        { streams, registry, limits, closing: closing.signal, nodeUrl: config.nodeAdvertisedUrl },
        id,
        who,
      ),
    async close() {
      // The server has waited for its replies: a client that still reads such rows has lost the connection.
      closing.abort(new PlaneRefusal(503, 'The server was shut down before the scan ended.'));
      scanAdmission.close();
      streams.close();
      await builds.close(graceMs);
      await prefetch.close();
      await cachePlane.close();
    },
  };
}
