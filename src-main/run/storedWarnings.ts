/** Stores a run's warnings about values changed in place with its rows, and reads them back. */

import * as z from 'zod';
import { type MutationWarning, mutationWarning } from '../../src-shared/wire/output.ts';
import type { ArtifactRow } from '../artifacts/artifact.ts';
import { tryParseJson } from '../lib/tryParseJson.ts';

const WARNINGS_PARAM = 'mutation_warnings';
const stored = z.array(mutationWarning);

/** The param of every row of a run that records its warnings, so that a result from the store still has them. */
export function warningParams(warnings: readonly MutationWarning[]): Readonly<Record<string, string>> {
  return warnings.length === 0 ? {} : { [WARNINGS_PARAM]: JSON.stringify(warnings) };
}

/** The warnings of the run that stored these rows; none for rows of older releases. */
export function storedWarnings(rows: readonly Pick<ArtifactRow, 'params'>[]): readonly MutationWarning[] {
  for (const { params } of rows) {
    const text = params[WARNINGS_PARAM];
    if (text === undefined) continue;
    const parsed = stored.safeParse(tryParseJson(text));
    if (parsed.success) return parsed.data;
  }
  return [];
}
