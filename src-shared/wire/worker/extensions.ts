import * as z from 'zod';

/**
 * What a worker of ours offers beyond document 1, each named by a feature of its health (docs/extensions.md): the
 * console of a run while it runs, and a run's bundle to a caller whose connection was lost.
 */
export const CONSOLE_FEATURE = 'console_stream';
export const REATTACH_FEATURE = 'reattach';
/** It runs the set-up cell that a cell comes with (`setup` of its parameters) in front of it. */
export const SETUP_FEATURE = 'setup_cell';

/** Why it cannot build locked Python environments, in words; absent where it can. */
export const ENVIRONMENTS_PROBLEM = 'locked_environments_problem';
/** The version of its own Python: what cells without a locked environment run on. */
export const PYTHON_VERSION = 'python_version';

/** Cells it would take now; absent without a limit. `active_executions` counts uploads too, which take no slot. */
export const FREE_SLOTS = 'free_slots';

/** Sent with a cell, lower case: `1` asks that its bundle be kept until it is fetched or forgotten. */
export const REATTACH_HEADER = 'x-svc-reattach';

export const CONSOLE_CONTENT_TYPE = 'application/x-ndjson';

/** One line of GET /v1/x/builds/{build_id}/console. */
export const consoleLine = z.object({ stream: z.enum(['stdout', 'stderr']), text: z.string() });
export type ConsoleLine = z.infer<typeof consoleLine>;

export const extensionPaths = (buildId: string) => {
  const run = `/v1/x/builds/${encodeURIComponent(buildId)}`;
  return { run, console: `${run}/console`, bundle: `${run}/bundle` } as const;
};
