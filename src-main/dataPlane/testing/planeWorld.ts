/** A data plane with its own store, and the Iceberg tables that it reads, for tests. */

import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Table, tableFromIPC } from 'apache-arrow';
import { expect } from 'vitest';
import { SHARED_FOLDER } from '../../../e2e/support/sharedTestFolder.ts';
import { loadConfig } from '../../config/loadConfig.ts';
import type { Config } from '../../config/variables.ts';
import { rowsOf } from '../../iceberg/testing/arrowRows.ts';
import { writtenBy } from '../../iceberg/testing/pyiceberg.ts';
import { createLogger } from '../../observe/log.ts';
import type { BuildRow } from '../../registry/buildRows.ts';
import { createRegistryService, type RegistryService } from '../../registry/registryService.ts';
import type { VersionRow } from '../../registry/versionRow.ts';
import type { DataPlane } from '../api.ts';
import { createDataPlane } from '../dataPlane.ts';
import type { Requester } from '../requester.ts';
import type { Materialized, MaterializeRequest } from '../requests.ts';

export const PERSON: Requester = {
  party: { tenant: '', principal: null, isAdmin: false },
  client: '127.0.0.1',
  hasScope: () => true,
};
const never = new AbortController().signal;

/** The tables of e2e/services/plane_tables.py. */
export interface PlaneTables {
  readonly folder: string;
  readonly uri: (table: string) => string;
  readonly snapshots: readonly string[];
  append(): Promise<readonly string[]>;
  remove(): Promise<void>;
}

/** @param parent the folder to write them in */
export async function writePlaneTables(parent = tmpdir()): Promise<PlaneTables> {
  const folder = await mkdtemp(join(parent, 'plane-tables-'));
  const write = async (...more: readonly string[]): Promise<readonly string[]> => {
    const [line] = await writtenBy('plane_tables.py', folder, ...more);
    return (line as { readonly snapshots: readonly string[] }).snapshots; // by that program
  };
  return {
    folder,
    uri: (table) => `${folder}#ns.${table}`,
    snapshots: await write(),
    append: () => write('append'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

let shared: Promise<PlaneTables> | null = null;

/**
 * Tables that the test files of one worker share, because pyiceberg takes seconds to write them: for tests that change
 * neither the files nor the snapshots. They are removed after all tests.
 */
export function sharedPlaneTables(): Promise<SharedTables> {
  shared ??= writePlaneTables(process.env[SHARED_FOLDER]);
  return shared;
}

/** Tables that are only read. */
export type SharedTables = Pick<PlaneTables, 'folder' | 'uri' | 'snapshots'>;

export interface PlaneWorld {
  readonly plane: DataPlane;
  readonly registry: RegistryService;
  readonly dir: string;
  readonly logged: readonly string[];
  materialize(
    inputs: readonly string[],
    executor: string,
    params: Readonly<Record<string, unknown>>,
    more?: Partial<MaterializeRequest> & { readonly who?: Requester },
  ): Promise<Materialized>;
  /** The rows of a stream, sorted. */
  rows(streamId: string | null, who?: Requester): Promise<readonly string[]>;
  /** The rows of a version, sorted. */
  stored(artifactUri: string | null): Promise<readonly string[]>;
  version(artifactUri: string | null): Promise<VersionRow>;
  /** Waits until a build has ended. */
  ended(buildId: string | null, who?: Requester): Promise<BuildRow>;
  close(): Promise<void>;
}

export async function openPlaneWorld(
  config: Partial<Config> = {},
  { hasStore = true, dir: given }: { readonly hasStore?: boolean; readonly dir?: string } = {},
): Promise<PlaneWorld> {
  const dir = given ?? (await mkdtemp(join(tmpdir(), 'plane-store-')));
  const logged: string[] = [];
  const log = createLogger({
    level: 'WARNING',
    format: 'json',
    destination: { write: (line) => logged.push(line) },
  });
  const registry = createRegistryService(
    hasStore ? { dir, protectedAliases: [], zombieSeconds: 3600 } : null,
    {
      intervalSeconds: null,
      limits: { maxIdleDays: null, maxBytes: null, minIdleSeconds: 0 },
      onProblem(error) {
        throw error;
      },
    },
  );
  const plane = createDataPlane({
    config: loadConfig({
      cwd: tmpdir(),
      env: {},
      overrides: {
        cacheDir: join(dir, 'cache'),
        metadataDb: join(dir, 'meta.sqlite'),
        // No limits per client and a long wait, so that only tests of admission meet a limit on a slow
        // machine.
        perClientInteractive: 0,
        perClientBulk: 0,
        buildQosPerTenantTimeout: 60,
        ...config,
      },
    }),
    registry,
    log,
    graceMs: 0,
  });
  const version = async (uri: string | null): Promise<VersionRow> => {
    const [, id = '', number = ''] = /^svc:\/\/artifact\/(.+)@v=(\d+)$/.exec(uri ?? '') ?? [];
    return (await registry.open()).get({ id, version: Number(number) }, PERSON.party);
  };
  return {
    plane,
    registry,
    dir,
    logged,
    version,
    materialize: (inputs, executor, params, { who = PERSON, ...more } = {}) =>
      plane.materialize(
        { inputs, transform: { executor, params }, mode: 'stream', refresh: false, name: null, ...more },
        who,
        never,
      ),
    async rows(streamId, who = PERSON) {
      const stream = await plane.stream(streamId ?? '', who);
      if (stream.kind === 'stored') return rowsOf(tableOf(readFileSync(stream.path)));
      const pieces: Uint8Array[] = [];
      for await (const piece of stream.pieces) pieces.push(piece);
      return rowsOf(tableOf(Buffer.concat(pieces)));
    },
    async stored(uri) {
      const { path } = (await registry.open()).dataFile(await version(uri), PERSON.party);
      return rowsOf(tableOf(readFileSync(path)));
    },
    async ended(buildId, who = PERSON) {
      let build: BuildRow | null = null;
      const state = async (): Promise<string | undefined> => {
        build = await plane.build(buildId ?? '', who.party);
        return build?.state;
      };
      await expect.poll(state, { timeout: 50_000, interval: 10 }).toMatch(/ready|failed/);
      if (build === null) throw new Error('the build is gone');
      return build;
    },
    async close() {
      await plane.close();
      await registry.close();
      // A fetch that was aborted may still remove its drafts.
      if (given === undefined) await rm(dir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

function tableOf(bytes: Uint8Array): Table {
  return tableFromIPC(bytes);
}
