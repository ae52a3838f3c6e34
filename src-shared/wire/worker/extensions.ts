/**
 * Names and messages of extensions of our workers beyond docs/spec/worker-protocol.md, each listed as a feature of the
 * worker's health (docs/extensions.md): the live console of a run, and a run's bundle for a caller whose connection was
 * lost.
 */

import * as z from 'zod';

export const CONSOLE_FEATURE = 'console_stream';
export const REATTACH_FEATURE = 'reattach';
/** The worker runs a cell's set-up cell (`setup` in its parameters) before the cell. */
export const SETUP_FEATURE = 'setup_cell';

/** Why the worker cannot build locked Python environments; absent if it can. */
export const ENVIRONMENTS_PROBLEM = 'locked_environments_problem';
/** The version of the worker's own Python, which runs cells without a locked environment. */
export const PYTHON_VERSION = 'python_version';

/**
 * The cells that it would accept now; absent without a limit. `active_executions` includes uploads, which need no slot.
 */
export const FREE_SLOTS = 'free_slots';

/** Sent with a cell, in lower case: `1` requests that its bundle is stored until it is downloaded or discarded. */
export const REATTACH_HEADER = 'x-svc-reattach';

export const CONSOLE_CONTENT_TYPE = 'application/x-ndjson';

/** One line of GET /v1/x/builds/{build_id}/console. */
export const consoleLine = z.object({ stream: z.enum(['stdout', 'stderr']), text: z.string() });
export type ConsoleLine = z.infer<typeof consoleLine>;

export const extensionPaths = (buildId: string) => {
  const run = `/v1/x/builds/${encodeURIComponent(buildId)}`;
  return { run, console: `${run}/console`, bundle: `${run}/bundle` } as const;
};
