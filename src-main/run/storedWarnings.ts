import * as z from 'zod';
import { type MutationWarning, mutationWarning } from '../../src-shared/wire/output.ts';
import type { ArtifactRow } from '../artifacts/artifact.ts';
import { jsonOf } from '../lib/jsonOf.ts';

const PARAM = 'mutation_warnings';
const stored = z.array(mutationWarning);

/** Recorded with every row of a run, so that a result answered from the store still says what it does not hold. */
export function warningParams(warnings: readonly MutationWarning[]): Readonly<Record<string, string>> {
  return warnings.length === 0 ? {} : { [PARAM]: JSON.stringify(warnings) };
}

/** The warnings of the run that left these rows; none where an older release left them. */
export function storedWarnings(rows: readonly Pick<ArtifactRow, 'params'>[]): readonly MutationWarning[] {
  for (const { params } of rows) {
    const text = params[PARAM];
    if (text === undefined) continue;
    const parsed = stored.safeParse(jsonOf(text));
    if (parsed.success) return parsed.data;
  }
  return [];
}
