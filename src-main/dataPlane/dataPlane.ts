/**
 * The data plane (scans and transforms of tables and artifacts), as routes and cells use it. Loads its engine on first
 * use.
 */

import { join } from 'node:path';
import type { Config } from '../config/variables.ts';
import type { Logger } from '../observe/log.ts';
import type { RegistryService } from '../registry/registryService.ts';
import type { DataPlane, OpenDataPlane } from './api.ts';
import { createAttachedCatalogs } from './catalogs/attachedCatalogs.ts';
import { PlaneRefusal } from './planeRefusal.ts';
import { warehousesOf } from './planeSettings.ts';

interface DataPlaneOptions {
  readonly config: Config;
  readonly registry: RegistryService;
  readonly log: Logger;
  /** The grace period of running scans when the server closes. Default: 30 s. */
  readonly graceMs?: number;
}

const GRACE_MS = 30_000;

/** The code that reads tables is loaded by the first request that needs it: most notebook servers never get one. */
export function createDataPlane({ config, registry, log, graceMs = GRACE_MS }: DataPlaneOptions): DataPlane {
  let opening: Promise<OpenDataPlane> | null = null;
  let isClosing = false;
  const refuseWhenClosing = (): void => {
    if (isClosing) throw new PlaneRefusal(503, 'Server is shutting down. Not accepting new requests.');
  };
  const attached = createAttachedCatalogs(warehousesOf(config), {
    path: config.artifactDir === null ? null : join(config.artifactDir, 'catalogs.json'),
    // As for connections: on a shared server variables of the server are not for notebooks.
    env: config.deploymentMode === 'service' ? {} : process.env,
    log,
  });
  const open = (): Promise<OpenDataPlane> => {
    if (opening === null) refuseWhenClosing();
    opening ??= import('./openDataPlane.ts').then(({ openDataPlane }) =>
      openDataPlane({ config, registry, log, graceMs, warehouses: attached.warehouses }),
    );
    return opening;
  };
  return {
    async materialize(request, who, signal) {
      refuseWhenClosing();
      const plane = await open();
      refuseWhenClosing();
      return plane.materialize(request, who, signal);
    },
    async exportTable(request, party, signal) {
      refuseWhenClosing();
      const plane = await open();
      refuseWhenClosing();
      return plane.exportTable(request, party, signal);
    },
    async moveTableTags(alias, ref, party, signal) {
      // Without a store nothing was exported, and most versions never are.
      const tables = registry.isConfigured ? (await registry.open()).exports.tablesOf(ref, party) : [];
      if (tables.length === 0) return [];
      const { moveTableTags } = await import('./tableExport/moveTableTags.ts');
      const warehouses = await attached.warehouses();
      const moved = await moveTableTags(tables, { alias, ref, party, warehouses, signal });
      for (const { table, problem } of moved) {
        if (problem !== null)
          log.warn({ table, alias }, `The tag of an exported table was not moved: ${problem}`);
      }
      return moved;
    },
    cachePlane: async () => (await open()).cachePlane,
    attached,
    tableBrowser: async () => (await open()).tableBrowser,
    catalogs: {
      async currentSnapshot(uri, signal) {
        try {
          return await (await open()).currentSnapshot(uri, signal);
        } catch (error) {
          if (!(error instanceof PlaneRefusal)) throw error;
          return { kind: 'problem', problem: error.message };
        }
      },
    },
    explain: async (request, who, signal) => (await open()).explain(request, who, signal),
    inputVersions: async (uris, party, signal) => (await open()).inputVersions(uris, party, signal),
    async scan(request, who, signal) {
      refuseWhenClosing();
      const plane = await open();
      refuseWhenClosing();
      return plane.scan(request, who, signal);
    },
    stream: async (id, who) => (await open()).stream(id, who),
    async build(buildId, { tenant, principal, isAdmin }) {
      if (!registry.isConfigured) return null;
      return (await registry.open()).builds.find(buildId, { tenant, principal, isAdmin });
    },
    async close() {
      isClosing = true;
      // The client that asked first got the error of a plane that could not be opened.
      const plane = await opening?.catch(() => null);
      await plane?.close();
    },
  };
}
