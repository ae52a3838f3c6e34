/** Contracts of the routes by which an administrator manages the workers that a server offers to every notebook. */

import * as z from 'zod';
import { workerSpec } from '../notebookState.ts';
import { workerCatalog, writtenWorker } from '../workers.ts';
import type { RouteContract } from './contract.ts';
import { flagField } from './params.ts';

const REGISTRY = '/v1/admin/notebook-workers';
const MAX_WORKERS = 1_000;

/** Valid names of workers (docs/spec/notebook-file.md, 3.5); `local` is built in. */
const NAME = /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/;

/**
 * An entry as a client writes it; omitted fields have their defaults. The transport is not validated
 * (docs/spec/remote-execution.md, 7, 8).
 */
const writtenEntry = writtenWorker.extend({
  name: z
    .string()
    .max(200)
    .regex(NAME, 'letters, digits, dots, - and _ only, starting with a letter or digit')
    .refine((name) => name !== 'local', "the worker 'local' is built in and cannot be defined"),
  enabled: z.boolean().default(true),
});

/** The complete list, the reply of all these routes. It contains the tokens that were set. */
const registry = workerCatalog.extend({
  configured_workers: z.array(workerSpec.extend({ enabled: z.boolean() })),
  /** The server's workers and the built-in one, without tokens. */
  workers: workerCatalog.shape.workers,
  definitions_editable: z.literal(false),
});
export type ServerWorkersAnswer = z.infer<typeof registry>;

const entryParams = z.object({ name: z.string().min(1).max(200) });

const common = { scope: 'admin:notebook-workers', response: registry } as const;

/** The workers a server offers to every notebook (docs/spec/remote-execution.md, 7, 8). Both modes have them. */
export const SERVER_WORKER_ROUTES = {
  listServerWorkers: {
    ...common,
    method: 'GET',
    path: REGISTRY,
    summary: 'The workers of the server with their health; `refresh` checks all of them again',
    query: z.object({ refresh: flagField.optional() }),
    errors: [403, 422],
  },
  setServerWorkers: {
    ...common,
    method: 'PUT',
    path: REGISTRY,
    summary: 'Replace the workers of the server',
    body: z.object({ workers: z.array(writtenEntry).max(MAX_WORKERS) }),
    errors: [400, 403, 422],
  },
  addServerWorker: {
    ...common,
    method: 'POST',
    path: REGISTRY,
    summary: 'Add a worker to the server',
    body: writtenEntry,
    errors: [400, 403, 409, 422],
  },
  changeServerWorker: {
    ...common,
    method: 'PUT',
    path: `${REGISTRY}/{name}`,
    summary: 'Replace a worker of the server; another name in the body renames it',
    params: entryParams,
    body: writtenEntry,
    errors: [400, 403, 404, 409, 422],
  },
  switchServerWorker: {
    ...common,
    method: 'PATCH',
    path: `${REGISTRY}/{name}`,
    summary: 'Enable or disable a worker of the server for notebooks',
    params: entryParams,
    body: z.object({ enabled: z.boolean() }),
    errors: [403, 404, 422],
  },
  removeServerWorker: {
    ...common,
    method: 'DELETE',
    path: `${REGISTRY}/{name}`,
    summary: 'Remove a worker from the server; its running cells continue',
    params: entryParams,
    errors: [403, 404, 422],
  },
  askServerWorker: {
    ...common,
    method: 'POST',
    path: `${REGISTRY}/{name}/refresh`,
    summary: 'Check the health of one worker of the server again',
    params: entryParams,
    errors: [403, 404, 422],
  },
  reloadServerWorkers: {
    ...common,
    method: 'POST',
    path: `${REGISTRY}/reload`,
    summary: 'Reload the list, which another server with the same artifact folder may have changed',
    errors: [403],
  },
} as const satisfies Record<string, RouteContract>;
