/** The wire form of a notebook's setting for automatic runs, and of the report about the runs that an edit queued. */

import * as z from 'zod';

/** Cells whose last run took longer are not run automatically, until the user sets another limit. */
const AUTO_RUN_LIMIT_SECONDS = 10;
const MAX_SECONDS = 86_400;
const MAX_CELLS = 20_000;

/** Extension: what runs in a notebook without a request for it (docs/extensions.md). */
export const autoRun = z.object({
  /**
   * `off`: nothing. `lazy`: nothing, and a run includes the stale cells above without a prompt. `live`: also
   * what an edit made stale.
   */
  mode: z.enum(['off', 'lazy', 'live']).default('off'),
  /** A cell whose last run took longer is not run automatically. */
  limit_seconds: z.number().min(0).max(MAX_SECONDS).default(AUTO_RUN_LIMIT_SECONDS),
  /** Cells that are never run automatically. */
  except: z.array(z.string()).max(MAX_CELLS).default([]),
});
export type AutoRun = Readonly<z.infer<typeof autoRun>>;
export type AutoRunMode = AutoRun['mode'];

export const AUTO_RUN_OFF: AutoRun = autoRun.parse({});

/** The answer to `auto_run`: the cells that were queued, and those that were left out, each with the reason. */
export const autoRunReport = z.object({
  queued: z.array(z.string()),
  skipped: z.array(z.object({ cell_id: z.string(), message: z.string() })),
});
export type AutoRunReport = z.infer<typeof autoRunReport>;
