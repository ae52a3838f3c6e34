/** Contracts of the routes that start workers on other machines over SSH, and end them. */

import * as z from 'zod';
import { workerCatalog } from '../workers.ts';
import type { RouteContract } from './contract.ts';
import { flagField, sessionParams } from './params.ts';

const SSH = '/v1/notebooks/{sid}/workers/ssh';

/** Why a worker could not be started through ssh. */
const sshTrouble = z.enum([
  'no_ssh',
  'unreachable',
  'host_key_unknown',
  'host_key_changed',
  'auth_refused',
  'tunnel_refused',
  'local_port_taken',
  'no_node',
  'old_node',
  'not_installed',
  'disk_full',
  'port_taken',
  'worker_ended',
  'not_ours',
  'other',
]);
export type SshTrouble = z.infer<typeof sshTrouble>;

/** A worker this program started through ssh, with its tunnel (docs/spec/remote-execution.md, 9). */
export const sshTunnel = z.object({
  name: z.string(),
  ssh_target: z.string(),
  local_port: z.int(),
  remote_port: z.int(),
  remote_pid: z.int(),
  healthy: z.boolean(),
  executor_url: z.string(),
  /** Extension: `down` is being repaired; `ended` must be connected again. */
  state: z.enum(['up', 'down', 'ended']),
  /** Extension: why it is not up. */
  problem: z.string().nullable(),
});
export type SshTunnelRecord = z.infer<typeof sshTunnel>;

const port = z.int().min(0).max(65_535).nullable();

/** Workers on machines that are reachable by ssh; on a personal server only. */
export const SSH_WORKER_ROUTES = {
  connectSshWorker: {
    method: 'POST',
    path: SSH,
    summary: 'Install and start a worker on a machine over SSH, and define it in the notebook',
    scope: 'notebook:execute',
    personalOnly: true,
    params: sessionParams,
    body: z.object({
      ssh_target: z.string().min(1).max(255),
      name: z.string().max(200).nullable().optional(),
      remote_port: port.optional(),
      local_port: port.optional(),
      /** Extras of the reference implementation's package; our worker is one file and has none. */
      extras: z.string().max(200).optional(),
      pin: z.string().max(100).nullable().optional(),
      install: z.boolean().default(true),
      set_default: z.boolean().default(false),
    }),
    response: workerCatalog.extend({ worker: sshTunnel }),
    errors: [400, 403, 404, 409, 422],
  },
  listSshWorkers: {
    method: 'GET',
    path: SSH,
    summary: 'The workers started over SSH for this notebook, with the status of their connections',
    scope: 'notebook:read',
    personalOnly: true,
    params: sessionParams,
    response: z.object({ tunnels: z.array(sshTunnel) }),
    errors: [403, 404, 422],
  },
  workerLog: {
    method: 'GET',
    path: '/v1/notebooks/{sid}/x/workers/log',
    summary: 'The latest log output of a worker that was started over SSH',
    scope: 'notebook:execute',
    personalOnly: true,
    params: sessionParams,
    query: z.object({ name: z.string().max(200) }),
    response: z.object({ text: z.string() }),
    errors: [400, 403, 404, 422],
  },
  disconnectSshWorker: {
    method: 'DELETE',
    path: `${SSH}/{name}`,
    summary: 'Disconnect a worker started over SSH; `stop_remote` also stops it on its machine',
    scope: 'notebook:write',
    personalOnly: true,
    params: sessionParams.extend({ name: z.string().max(200) }),
    query: z.object({ stop_remote: flagField.optional() }),
    response: workerCatalog.extend({ torn_down: z.boolean() }),
    errors: [400, 403, 404, 409, 422],
  },
} as const satisfies Record<string, RouteContract>;
