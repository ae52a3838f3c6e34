/** Contracts of the routes about the workers of a notebook, which run its cells on other machines. */

import * as z from 'zod';
import { cell } from '../cell.ts';
import { workerSpec } from '../notebookState.ts';
import { reportedWorker, workerCatalog, writtenWorker } from '../workers.ts';
import type { RouteContract } from './contract.ts';
import { flagField, sessionParams } from './params.ts';

const SESSION = '/v1/notebooks/{sid}';
const MAX_WORKERS = 200;
const MAX_TOKEN = 4096;

/** Why a tested worker cannot be used; each kind has its own message and remedy. */
const workerTrouble = z.enum([
  ...(['unreachable', 'unauthorized', 'wrong_version', 'full', 'not_a_worker'] as const),
  ...(['bad_address', 'cell_failed'] as const),
]);
export type WorkerTrouble = z.infer<typeof workerTrouble>;

/** One step of the test of a worker. */
const workerCheck = z.object({
  check: z.enum(['address', 'answer', 'version', 'token', 'slot', 'cell']),
  ok: z.boolean(),
});
export type WorkerCheck = z.infer<typeof workerCheck>;

/** Where the cells of a notebook may run (docs/spec/remote-execution.md, 6, 7, 8). */
export const WORKER_ROUTES = {
  listWorkers: {
    method: 'GET',
    path: `${SESSION}/workers`,
    summary: 'The workers of a notebook with their health; `refresh` checks all of them again',
    scope: 'notebook:read',
    params: sessionParams,
    query: z.object({ refresh: flagField.optional() }),
    response: workerCatalog,
    errors: [404, 422],
  },
  setWorkers: {
    method: 'PUT',
    path: `${SESSION}/workers`,
    summary: 'Replace the workers the notebook defines; the built-in `local` cannot be defined',
    scope: 'notebook:write',
    params: sessionParams,
    body: z.object({ workers: z.array(writtenWorker).max(MAX_WORKERS).default([]) }),
    response: workerCatalog.extend({ configured_workers: z.array(workerSpec) }),
    errors: [400, 403, 404, 409, 422],
  },
  setWorker: {
    method: 'PUT',
    path: `${SESSION}/worker`,
    summary: 'Choose the default worker of cells',
    scope: 'notebook:write',
    params: sessionParams,
    body: z.object({ worker: z.string().max(200).nullable() }),
    response: workerCatalog.extend({ worker: z.string(), cells: z.array(cell) }),
    errors: [400, 403, 404, 409, 422],
  },
  testWorker: {
    method: 'POST',
    path: `${SESSION}/x/workers/test`,
    summary:
      'Test a worker: address, health, protocol version, token, free slot, and a cell that does nothing',
    scope: 'notebook:execute',
    personalOnly: true,
    params: sessionParams,
    body: z.object({
      url: z.string().max(4096),
      /** Absent: the token of the notebook's worker of this name. */
      token: z.string().max(MAX_TOKEN).nullable().optional(),
      name: z.string().max(200).optional(),
      /** Absent: that of the notebook's worker of this name, else direct. */
      transport: z.enum(['direct', 'signed']).optional(),
      /** The URL at which a worker that fetches its cells reaches this server. */
      svc_url: z.string().max(4096).nullable().optional(),
    }),
    response: z.object({
      ok: z.boolean(),
      /** In order; the last one is the failure, if any. */
      checks: z.array(workerCheck),
      trouble: workerTrouble.nullable(),
      problem: z.string().nullable(),
      duration_ms: z.number(),
      reported: reportedWorker.nullable(),
    }),
    errors: [400, 403, 404, 422],
  },
  setWorkerToken: {
    method: 'PUT',
    path: `${SESSION}/x/workers/token`,
    summary: 'Store a worker’s token in memory until the program ends; null removes it',
    scope: 'notebook:write',
    personalOnly: true,
    params: sessionParams,
    body: z.object({ name: z.string().max(200), token: z.string().max(MAX_TOKEN).nullable() }),
    response: z.object({ name: z.string(), kept: z.boolean() }),
    errors: [400, 403, 404, 422],
  },
} as const satisfies Record<string, RouteContract>;
