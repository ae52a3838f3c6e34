/** Records the end of a run's console output with its rows, for runs that store no console artifact. */

import * as z from 'zod';
import { tryParseJson } from '../lib/tryParseJson.ts';
import type { StoredVersions } from './storedVersions.ts';

/**
 * The param with a run's output, recorded with one of its rows if there is no console artifact
 * (docs/extensions.md).
 */
const PRINTED = 'printed_console';
/** Per stream; the same length as for a console between sessions. */
const KEPT_CHARACTERS = 10_000;

const printed = z.object({ stdout: z.string(), stderr: z.string() });
export type PrintedOutput = z.infer<typeof printed>;

/** The params that record a console: only its end, if it is long. */
export function printedParams({ stdout, stderr }: PrintedOutput): Record<string, string> {
  const tail: PrintedOutput = {
    stdout: stdout.slice(-KEPT_CHARACTERS),
    stderr: stderr.slice(-KEPT_CHARACTERS),
  };
  return { [PRINTED]: JSON.stringify(tail) };
}

/**
 * The output of the run that stored these rows, from any row of the cell that records it; null: none does.
 */
export function printedBy(stored: StoredVersions, run: string | undefined): PrintedOutput | null {
  if (run === undefined) return null;
  for (const row of Object.values(stored).flat()) {
    if (row.params['run'] !== run) continue;
    const parsed = printed.safeParse(tryParseJson(row.params[PRINTED] ?? ''));
    if (parsed.success) return parsed.data;
  }
  return null;
}
