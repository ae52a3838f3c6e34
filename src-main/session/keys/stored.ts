/**
 * Determines which variables a cell's run stores, under which labels and artifact URIs, and which are missing or
 * unread.
 */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import { loopOf } from '../../../src-shared/notebook/loop.ts';
import { variantLabel } from '../../../src-shared/notebook/variants.ts';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import { artifactUri } from '../../artifacts/uri.ts';
import { CONSOLE_LABEL, displayLabel } from '../../run/cache.ts';
import { ownSourceHash } from '../../run/setupHash.ts';
import { versionsOf } from '../../run/storedVersions.ts';
import type { CellState, SessionState } from '../state/state.ts';

/** The variables that later cells read. */
export function consumedOf(state: SessionState, id: CellId): readonly string[] {
  return state.graph.consumed.get(id) ?? [];
}

/**
 * What a run of the cell must store: the variables later cells read, and a loop's carry
 * (docs/spec/analysis-and-graph.md, 3.5).
 */
export function storedOf(state: SessionState, id: CellId): readonly string[] {
  const consumed = consumedOf(state, id);
  const cell = state.cells.get(id);
  const carry = cell === undefined ? undefined : loopOf(cell.analysis)?.carry;
  return carry === undefined || consumed.includes(carry) ? consumed : [...consumed, carry];
}

/**
 * The labels under which a run stores those variables: a fan-out has one per variable and variant
 * (docs/spec/analysis-and-graph.md, 3.4).
 */
export function storedLabels(state: SessionState, id: CellId): readonly string[] {
  const fanOut = state.graph.fanOuts.get(id);
  if (fanOut === undefined) return storedOf(state, id);
  return consumedOf(state, id).flatMap((name) =>
    fanOut.variants.map((variant) => variantLabel(name, variant)),
  );
}

/** Stored, too, but not shown as values: imports, and code for other cells. */
const CODE: ReadonlySet<string> = new Set(['module/import', 'module/cell']);

/**
 * Variables without readers that the run behind the cell's result stored nevertheless (PV-32): the cheap ones
 * of a leaf, the reply to a SQL or prompt cell.
 */
export function unreadOf(state: SessionState, cell: CellState): ReadonlyMap<string, ArtifactRow> {
  const unread = new Map<string, ArtifactRow>();
  const labels = storedLabels(state, cell.id);
  const firstLabel = [...labels, CONSOLE_LABEL, displayLabel(0)].find(
    (label) => versionsOf(cell.artifacts, label).length > 0,
  );
  const run = firstLabel === undefined ? undefined : versionsOf(cell.artifacts, firstLabel)[0]?.params['run'];
  if (run === undefined || !isOfShownRun(cell, run)) return unread;
  for (const name of cell.analysis.defines) {
    if (labels.includes(name)) continue;
    const row = versionsOf(cell.artifacts, name).find(({ params }) => params['run'] === run);
    if (row !== undefined && !CODE.has(row.contentType)) unread.set(name, row);
  }
  return unread;
}

/**
 * The artifact URIs of a cell's variables: of those that others read, and always of a SQL cell's result, so that its
 * table can be paged (docs/spec/rest-notebooks.md).
 */
export function artifactUrisOf(state: SessionState, cell: CellState): Record<string, string> {
  const entries = storedLabels(state, cell.id).flatMap((label) => {
    const row = versionsOf(cell.artifacts, label)[0];
    return row === undefined ? [] : [[label, row] as const];
  });
  const unread = LANGUAGES[cell.language].storesTable ? unreadOf(state, cell) : [];
  return Object.fromEntries(
    [...entries, ...unread].map(([label, row]) => [label, artifactUri(row.id, row.version)]),
  );
}

/**
 * Whether a run produced what the cell shows: a run that stores nothing, as of a `@nocache` cell, leaves
 * older rows.
 */
function isOfShownRun({ shownRuns, logRun }: CellState, run: string): boolean {
  if (shownRuns !== null) return shownRuns.split(' ').includes(run);
  return logRun === null || run.startsWith(logRun);
}

/**
 * The names that a run of the cell now always stores, for its record: without the cheap ones of a leaf. SQL
 * and prompt cells always store their reply.
 */
export function alwaysStoredNamesOf(state: SessionState, cell: CellState): string[] {
  const stored = storedOf(state, cell.id);
  const { storesReply, runs } = LANGUAGES[cell.language];
  const keepsAll = storesReply || !runs || (state.options.leaves === 'all' && stored.length === 0);
  return [...(keepsAll ? cell.analysis.defines : stored)];
}

/**
 * Variables that later cells read now and that the last run of the same code did not store, because nothing
 * read them then. Empty if the record does not list the stored names.
 */
export function unstoredReadNames(
  { graph }: Pick<SessionState, 'graph'>,
  cell: CellState,
): readonly string[] {
  const { record, status, causality, analysis } = cell;
  const names = record?.facts?.kept;
  if (names === undefined || status !== 'idle' || causality !== null) return [];
  if (ownSourceHash(record?.sourceHash ?? '') !== analysis.sourceHash) return [];
  return (graph.consumed.get(cell.id) ?? []).filter((name) => !names.includes(name));
}
