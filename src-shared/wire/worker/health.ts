/** The wire form of a worker's health: what it is, what it can run, and how busy it is. */

import * as z from 'zod';

/**
 * The hardware of a worker. A field that could not be read is absent: no `accelerators` means unknown, not
 * none.
 */
export const workerHardware = z.object({
  cpus: z.int().min(1).optional(),
  memory_mb: z.int().min(0).optional(),
  accelerators: z
    .array(z.object({ name: z.string(), memory_mb: z.number().optional(), driver: z.string().optional() }))
    .optional(),
  cuda: z.string().optional(),
});
export type WorkerHardware = z.infer<typeof workerHardware>;

const features = z.looseObject({
  notebook_protocol_version: z.string(),
  output_format: z.string(),
  pull_model: z.boolean(),
  cancel: z.boolean(),
  locked_environments: z.boolean(),
  locked_r_environments: z.boolean(),
  languages: z.array(z.string()),
});

/** GET /health in the form of our workers. */
export const workerHealth = z.object({
  status: z.literal('healthy'),
  capabilities: z.object({
    protocol_versions: z.array(z.string()),
    transform_refs: z.array(z.string()),
    features,
  }),
  version: z.string(),
  uptime_seconds: z.number(),
  launch_id: z.string().nullable(),
  /** /v1/* executions admitted and not ended. */
  active_executions: z.int().min(0),
  max_concurrent: z.int().nullable(),
  gpu_slots: z.int().nullable(),
  free_gpu_slots: z.int().nullable(),
  hardware: workerHardware,
});
export type WorkerHealth = z.infer<typeof workerHealth>;

/** GET /health of any worker: older ones omit fields, and invalid fields count as omitted. */
export const anyWorkerHealth = z.looseObject({
  status: z.string(),
  capabilities: z
    .looseObject({
      protocol_versions: z.array(z.string()).optional().catch(undefined),
      transform_refs: z.array(z.string()).optional().catch(undefined),
      features: features.partial().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  version: z.string().optional().catch(undefined),
  uptime_seconds: z.number().optional().catch(undefined),
  launch_id: z.string().nullish().catch(undefined),
  active_executions: z.number().optional().catch(undefined),
  max_concurrent: z.number().nullish().catch(undefined),
  gpu_slots: z.number().nullish().catch(undefined),
  free_gpu_slots: z.number().nullish().catch(undefined),
  hardware: workerHardware.optional().catch(undefined),
});
