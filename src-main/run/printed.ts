import * as z from 'zod';
import { jsonOf } from '../lib/jsonOf.ts';
import type { StoredVersions } from './cache.ts';

/** What a run printed, recorded with one of its rows where no console artifact holds it (docs/extensions.md). */
const PRINTED = 'printed_console';
/** Of each stream; as much as is kept of a console between sessions. */
const KEPT_CHARACTERS = 10_000;

const printed = z.object({ stdout: z.string(), stderr: z.string() });
export type Printed = z.infer<typeof printed>;

/** The parameters that keep a console: only its end, if it is long. */
export function printedParams({ stdout, stderr }: Printed): Record<string, string> {
  const kept: Printed = { stdout: stdout.slice(-KEPT_CHARACTERS), stderr: stderr.slice(-KEPT_CHARACTERS) };
  return { [PRINTED]: JSON.stringify(kept) };
}

/** What the run printed that left these rows, wherever among the cell's rows it is recorded; null: nowhere. */
export function printedBy(stored: StoredVersions, run: string | undefined): Printed | null {
  if (run === undefined) return null;
  for (const row of Object.values(stored).flat()) {
    if (row.params['run'] !== run) continue;
    const found = printed.safeParse(jsonOf(row.params[PRINTED] ?? ''));
    if (found.success) return found.data;
  }
  return null;
}
