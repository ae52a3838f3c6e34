/** The wire form of the workers of a notebook or a server, and of their health. */

import * as z from 'zod';
import { workerSpec } from './notebookState.ts';

const workerHealth = z.enum(['healthy', 'unknown', 'warming', 'unavailable']);
export type WorkerHealth = z.infer<typeof workerHealth>;

/** A worker's last health report (docs/spec/worker-protocol.md, 7); omitted parts are absent. */
export const reportedWorker = z.object({
  version: z.string().optional(),
  uptime_seconds: z.number().optional(),
  active_executions: z.number().optional(),
  max_concurrent: z.number().nullable().optional(),
  /** Reported by our workers: how many cells the worker would accept now. */
  free_slots: z.number().optional(),
  gpu_slots: z.number().nullable().optional(),
  free_gpu_slots: z.number().nullable().optional(),
  languages: z.array(z.string()).optional(),
  locked_environments: z.boolean().optional(),
  locked_r_environments: z.boolean().optional(),
  /** Extension: why it cannot build Python environments. */
  locked_environments_problem: z.string().optional(),
  /** Extension: of its own Python. */
  python_version: z.string().optional(),
  hardware: z
    .object({
      cpus: z.number().optional(),
      memory_mb: z.number().optional(),
      cuda: z.string().optional(),
      accelerators: z
        .array(
          z.object({ name: z.string(), memory_mb: z.number().optional(), driver: z.string().optional() }),
        )
        .optional(),
    })
    .optional(),
});
export type ReportedWorker = z.infer<typeof reportedWorker>;

/** One worker as a notebook sees it (docs/spec/remote-execution.md, 6). Times are milliseconds since the epoch. */
export const workerEntry = z.object({
  name: z.string(),
  backend: z.enum(['local', 'executor']),
  runtime_id: z.string().nullable(),
  /** The worker's settings without the token and without null values. */
  config: z.record(z.string(), z.unknown()),
  source: z.enum(['builtin', 'notebook', 'server', 'referenced']),
  health: workerHealth,
  allowed: z.boolean(),
  enabled: z.boolean(),
  transport: z.enum(['local', 'direct', 'signed', 'embedded', 'executor']),
  health_url: z.string().nullable(),
  health_checked_at: z.number().nullable(),
  last_error: z.string().nullable(),
  /** The newest six, newest first. */
  health_history: z.array(
    z.object({
      checked_at: z.number(),
      health: workerHealth,
      error: z.string().nullable(),
      duration_ms: z.number(),
    }),
  ),
  probe_count: z.int(),
  healthy_probe_count: z.int(),
  unavailable_probe_count: z.int(),
  unknown_probe_count: z.int(),
  consecutive_failures: z.int(),
  last_healthy_at: z.number().nullable(),
  last_unavailable_at: z.number().nullable(),
  last_unknown_at: z.number().nullable(),
  last_status_change_at: z.number().nullable(),
  last_probe_duration_ms: z.number().nullable(),
  /** Extension: the worker's health report; absent before the first check, or if it did not answer. */
  reported: reportedWorker.optional(),
  /** Extension: the source of its token; `none` if it is contacted without one. */
  token_source: z.enum(['env', 'file', 'memory', 'none']).optional(),
});
export type WorkerEntry = z.infer<typeof workerEntry>;

export const workerCatalog = z.object({
  workers: z.array(workerEntry),
  definitions_editable: z.boolean(),
  health_checked_at: z.number(),
});
export type WorkerCatalog = z.infer<typeof workerCatalog>;

/** A definition as a client writes it: omitted fields have their defaults (docs/spec/notebook-file.md, 3.5). */
export const writtenWorker = z.object({
  name: workerSpec.shape.name.min(1).max(200),
  backend: workerSpec.shape.backend.default('local'),
  runtime_id: z.string().nullable().default(null),
  config: z.record(z.string(), z.unknown()).default({}),
});
