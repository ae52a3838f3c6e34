/**
 * Loads the displays and consoles of stored results when a notebook is opened, so that they match the stored values.
 */

import { cellId } from '../../../src-shared/notebook/ids.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { Output } from '../../../src-shared/wire/output.ts';
import type { ArtifactRow, ArtifactStore } from '../../artifacts/artifact.ts';
import { loadImportedOutputs } from '../../notebook/stored/importedOutputs.ts';
import type { CutRun } from '../../notebook/stored/runningConsoles.ts';
import { consoleDigest, type RuntimeState, UNRECORDED } from '../../notebook/stored/runtimeState.ts';
import { displayLabel, runsOf, type StoredResult } from '../../run/cache.ts';
import { lastStoredResult } from '../../run/lastStored.ts';
import type { PrintedOutput } from '../../run/printedOutput.ts';
import { replayConsole } from '../../run/replay.ts';
import { createVariantConsole } from '../../run/variantConsole.ts';
import { storedResultsOf, walkStatuses } from '../keys/statuses.ts';
import { NO_CONSOLE, shownDisplay } from '../keys/storedCell.ts';
import type { CellState, ExpectedRun, RunRecord, SessionState } from '../state/state.ts';

/** The data of the last session other than its cells. */
interface LastSession {
  readonly runtime: RuntimeState;
  readonly cuts: ReadonlyMap<string, CutRun>;
}

/**
 * A notebook that was just opened, with displays, consoles and errors of the same runs as its rows. Rows are
 * stored before `.svc/runtime.json` is written, so after a crash that file and the consoles may be missing or
 * belong to an older run: then the display comes from the rows.
 */
export async function withShownResults(
  state: SessionState,
  store: ArtifactStore,
  last: LastSession,
): Promise<SessionState> {
  const cells = new Map(state.cells);
  const imported = await loadImportedOutputs(state.path);
  for (const [id, outputs] of imported) {
    const cell = cells.get(cellId(id));
    if (cell !== undefined) cells.set(cell.id, { ...cell, imported: outputs });
  }
  for (const [id, cell] of cells) {
    const expected = state.expected.get(id);
    if (expected === undefined || !LANGUAGES[cell.language].runs) continue;
    const view = await shownOf({ state, store, last, expected }, cell);
    if (view !== cell) cells.set(id, view);
  }
  return walkStatuses({ ...state, cells });
}

interface Opening {
  readonly state: SessionState;
  readonly store: ArtifactStore;
  readonly last: LastSession;
  readonly expected: ExpectedRun;
}

async function shownOf(opening: Opening, cell: CellState): Promise<CellState> {
  const { state, store, last, expected } = opening;
  const current = storedResultsOf(state, cell, { depth: 'current', expected });
  const newest = lastStoredResult(cell.artifacts);
  const results = current ?? (newest === null ? null : [newest]);
  const cut = last.cuts.get(cell.id);
  if (results === null || results.every(({ rows }) => Object.keys(rows).length === 0)) {
    const isTheirs = cut !== undefined || cell.status !== 'ready' || isRecorded(opening, cell);
    return isTheirs ? cell : { ...cell, console: NO_CONSOLE, logRun: null };
  }
  const isAhead = !isOfRuns(store, cell, results) && (current !== null || isNewer(results, cell));
  const displays = isAhead ? await displaysOf(store, results) : cell.displays;
  const printed = await consoleOf(opening, cell, results);
  const hasFailed = cell.lastError !== null;
  const isErrorOver =
    current !== null &&
    (isAhead || !isOfKey(cell.lastError?.provenanceHash ?? null, expected.provenanceHash));
  const view: CellState = {
    ...cell,
    displays,
    ...(isAhead ? recordOf(results, { current, expected }) : {}),
    // An older version or an import recorded no run, but its displays are those of these rows.
    ...(!isAhead && current !== null ? { shownRuns: runsOf(current) } : {}),
    ...(isErrorOver ? { lastError: null } : {}),
  };
  // A run that was cut short printed last, and is marked as cut, unless it had completed after all.
  const isCut = cut !== undefined && !runsOf(results).split(' ').includes(cut.run);
  if (isCut) return { ...view, resultConsole: printed };
  const isPrinted = !isAhead && isRecorded(opening, cell);
  if (!isPrinted || (isErrorOver && hasFailed)) return { ...view, console: printed ?? NO_CONSOLE };
  return hasFailed ? { ...view, resultConsole: printed } : view;
}

/** Whether the record of the cell belongs to the run that stored these rows. */
function isOfRuns(store: ArtifactStore, cell: CellState, results: readonly StoredResult[]): boolean {
  const runs = runsOf(results);
  if (cell.shownRuns !== UNRECORDED) return cell.shownRuns === runs;
  // Older versions did not record this: their displays name their rows.
  const rows = cell.displays.flatMap(({ artifact_uri: uri }) => (uri === null ? [] : [store.rowByUri(uri)]));
  const runIds = new Set(runs.split(' '));
  const expected = results.reduce((sum, { displayCount }) => sum + displayCount, 0);
  return rows.length === expected && rows.every((row) => row !== null && runIds.has(row.params['run'] ?? ''));
}

/** Rows that do not make the cell ready count if they were stored after the recorded run had ended. */
function isNewer(results: readonly StoredResult[], { lastRun }: CellState): boolean {
  const rows = results.flatMap((result) => Object.values(result.rows));
  return rows.every(({ createdAt }) => createdAt > (lastRun?.atMs ?? 0));
}

/** Whether the loaded console is the one that was saved with the record. */
function isRecorded({ last }: Opening, cell: CellState): boolean {
  const runtime = last.runtime.cells[cell.id];
  if (runtime === undefined) return false;
  return runtime.shownRuns === UNRECORDED || runtime.consoleDigest === consoleDigest(cell.console);
}

function isOfKey(failed: string | null, expected: string): boolean {
  return failed === null || failed === expected;
}

async function displaysOf(
  store: ArtifactStore,
  results: readonly StoredResult[],
): Promise<readonly Output[]> {
  const displays: Output[] = [];
  for (const { rows, displayCount } of results) {
    for (let i = 0; i < displayCount; i++) {
      const row = rows[displayLabel(i)];
      if (row !== undefined) displays.push(await shownDisplay(store, row));
    }
  }
  return displays;
}

/** The console of the runs of these results; null if none is recorded. */
async function consoleOf(
  { store, expected }: Opening,
  cell: CellState,
  results: readonly StoredResult[],
): Promise<PrintedOutput | null> {
  const printed = await Promise.all(
    results.map(async (result) => {
      const output = await replayConsole(store, result, cell.artifacts);
      return output === 'lost' ? null : output;
    }),
  );
  const { variantKeys } = expected;
  if (variantKeys === null) return printed[0] ?? null;
  const together = createVariantConsole(() => undefined);
  for (const [at, { variant }] of variantKeys.entries()) together.whole(variant, printed[at] ?? NO_CONSOLE);
  return printed.every((one) => one === null) ? null : together.printed();
}

/** The record of a run as its rows show it. */
function recordOf(
  results: readonly StoredResult[],
  { current, expected }: { readonly current: readonly StoredResult[] | null; readonly expected: ExpectedRun },
): Pick<CellState, 'record' | 'lastRun' | 'logRun' | 'shownRuns' | 'stoppedMs' | 'cacheHit' | 'method'> {
  const row = Object.values(results[0]?.rows ?? {})[0];
  const run = row?.params['run'] ?? null;
  return {
    record: current?.every((result) => result.current) === true ? recordUnder(expected) : null,
    lastRun: row === undefined ? null : lastRunOf(row),
    logRun: results.length === 1 ? run : null,
    shownRuns: runsOf(results),
    stoppedMs: null,
    cacheHit: false,
    method: null,
  };
}

function recordUnder({ provenanceHash, sourceHash, envHash, inputs }: ExpectedRun): RunRecord {
  return { provenanceHash, sourceHash, envHash, inputs, facts: null, reopenIdentity: null };
}

function lastRunOf({ createdAt, params }: ArtifactRow): CellState['lastRun'] {
  const durationMs = Number(params['build_duration_ms']);
  return { atMs: createdAt, durationMs: Number.isFinite(durationMs) ? durationMs : 0, cacheHit: false };
}
