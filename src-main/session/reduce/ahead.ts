/**
 * The part of the session's reducer that lets cells of a run work before their turn (docs/extensions.md). Only their
 * processes start early: turns, frames and stored results come in the order of a sequential run.
 */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import { findStored } from '../../run/cache.ts';
import { mayAnswer } from '../../run/observed/answers.ts';
import { isPythonStep, type PythonStep } from '../../run/step.ts';
import { cachedRunOf } from '../keys/cachedRun.ts';
import { dataOf } from '../keys/data.ts';
import type { Effect } from '../state/events.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { missingProducers, stepRequest, whyNotRunnable } from './stepRequest.ts';

/** The cells to run ahead from now on; others that run ahead are ended. No effects with the setting off. */
export function aheadEffects(state: SessionState): readonly Effect[] {
  const parallelCells = state.parallelCells ?? state.options.parallelCells;
  if (parallelCells < 2) return [];
  return [{ type: 'run_ahead', requests: aheadOf(state, parallelCells - 1) }];
}

function aheadOf(state: SessionState, most: number): readonly PythonStep[] {
  const { running } = state;
  if (running === null || running.cancelling) return [];
  const requests: PythonStep[] = [];
  const unsettled = new Set<CellId>(running.waiting);
  if (running.current !== null) unsettled.add(running.current.cellId);
  for (const id of running.waiting) {
    if (requests.length === most) break;
    const cell = state.cells.get(id);
    const waitsFor = state.graph.upstream.get(id) ?? [];
    if (cell === undefined || waitsFor.some((above) => unsettled.has(above) || running.failed.has(above))) {
      continue;
    }
    const request = worksAlone(state, cell) ? keyedRequest(state, cell) : null;
    if (request !== null) requests.push(request);
  }
  return requests;
}

/**
 * Whether nothing of the cell is visible outside its process before its result is stored: loops and fan-outs
 * store as they go, external data must be checked in turn, and a stored result needs no process.
 */
function worksAlone(state: SessionState, cell: CellState): boolean {
  const { id, language, analysis } = cell;
  if (LANGUAGES[language].startsPython !== 'always' || analysis.isEmpty || state.graph.inactive.has(id))
    return false;
  if (state.graph.fanOuts.has(id) || dataOf(state, cell).length > 0) return false;
  if (whyNotRunnable(state, cell) !== null || missingProducers(state, cell).length > 0) return false;
  return state.running?.executed.has(id) !== true;
}

function keyedRequest(state: SessionState, cell: CellState): PythonStep | null {
  const fresh = cachedRunOf(state, cell.id, state.expected);
  if (fresh === null) return null;
  const expected = new Map(state.expected).set(cell.id, fresh.run);
  const request = stepRequest({ ...state, expected }, cell);
  if (request === null || !isPythonStep(request) || request.shape !== 'once') return null;
  return request.useCache && request.cacheable && isStored(state, request) ? null : request;
}

function isStored(state: SessionState, request: PythonStep): boolean {
  const { stored, consumed, provenanceHash, contentKey, unlockedKey, packages } = request;
  const now = { files: state.seenFiles, env: request.env, others: request.otherWrites, packages };
  const accepts: Parameters<typeof findStored>[0]['accepts'] = (row, by) =>
    mayAnswer(row, by, { ...request, now });
  return (
    findStored({ stored, consumed, provenanceHash, contentKey, unlockedKey, accepts, depth: 'all' }) !== null
  );
}
