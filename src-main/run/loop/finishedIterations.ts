/** Finds the iterations of an earlier run of a loop that the current run can reuse. */

import { setImmediate } from 'node:timers/promises';
import { artifactIdOf } from '../../../src-shared/notebook/artifactIds.ts';
import { iterationLabel } from '../../../src-shared/notebook/loop.ts';
import type { ArtifactRow, ArtifactStore } from '../../artifacts/artifact.ts';
import { CONSOLE_LABEL, displayLabel } from '../cache.ts';
import type { LoopRequest } from '../step.ts';
import { type IterationKey, iterationKeys } from './iterationKey.ts';

/** Iterations to look up before yielding to other work. */
const SLICE = 64;

/** Iterations that need not run again, from the first on, and the run of the loop they now belong to. */
interface ReusedIterations {
  readonly rows: readonly ArtifactRow[];
  readonly loopRun: string;
}

interface LoopStart {
  readonly request: LoopRequest;
  readonly seed: ArtifactRow;
  /** The name of the run if no earlier one is resumed. */
  readonly loopRun: string;
}

/**
 * The iterations of an earlier run that this one can reuse: a chain from the seed on, each over the bytes of
 * the previous one. The last iteration of the loop is never reused, because it stores more than its carry.
 */
export async function finishedIterations(
  store: ArtifactStore,
  loopRequest: LoopStart,
): Promise<ReusedIterations> {
  const { request } = loopRequest;
  const { loop } = request;
  const versionsOf = (iteration: number) =>
    store.versions(artifactIdOf(request.notebookId, request.cellId, iterationLabel(loop.carry, iteration)));
  const keyOf = iterationKeys(request);
  const rows: ArtifactRow[] = [];
  const keys: IterationKey[] = [];
  let carryIn = loopRequest.seed;
  while (rows.length < loop.maxIter - 1) {
    const key = keyOf(carryIn, rows.length);
    const row = versionsOf(rows.length).find(({ contentKey }) => contentKey === key.contentKey);
    if (row === undefined || row.params['until_reached'] === 'true') break;
    rows.push(row);
    keys.push(key);
    carryIn = row;
    if (rows.length % SLICE === 0) await setImmediate();
  }
  // Only the bytes that the next iteration starts with are needed now.
  for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
    if ((await store.readable(last)).kind === 'ok') break;
    rows.pop();
  }
  const earlier = rows[0]?.params['loop_run'];
  if (earlier === undefined) return { rows: [], loopRun: loopRequest.loopRun };
  const goesOn =
    rows.every((row, k) => isOf(earlier, row) && row.provenanceHash === keys[k]?.provenanceHash) &&
    !versionsOf(rows.length + 1).some((row) => row.params['loop_run'] === earlier);
  if (goesOn) return { rows, loopRun: earlier };
  return { rows: await taken(store, { asked: loopRequest, rows, keys }), loopRun: loopRequest.loopRun };
}

function isOf(loopRun: string, row: ArtifactRow): boolean {
  return row.state === 'ready' && row.params['loop_run'] === loopRun;
}

/**
 * The iterations as part of this run: new versions with the old bytes, so that readers find one complete run.
 */
async function taken(
  store: ArtifactStore,
  source: {
    readonly asked: LoopStart;
    readonly rows: readonly ArtifactRow[];
    readonly keys: readonly IterationKey[];
  },
): Promise<readonly ArtifactRow[]> {
  const { asked: query, rows, keys } = source;
  const carryRows: ArtifactRow[] = [];
  for (const [k, row] of rows.entries()) {
    const key = keys[k];
    if (key === undefined) break;
    const parts = [row, ...partsOf(store, query, { row, iteration: k })];
    const promoted = store.promote(
      parts.map((part) => ({
        id: part.id,
        fromVersion: part.version,
        ...key,
        params: { ...part.params, source_hash: query.request.sourceHash, loop_run: query.loopRun },
      })),
    );
    carryRows.push(...promoted.slice(0, 1));
    if (k % SLICE === SLICE - 1) await setImmediate();
  }
  return carryRows;
}

/** The displays and console of the same iteration. */
function partsOf(
  store: ArtifactStore,
  { request }: LoopStart,
  source: { readonly row: ArtifactRow; readonly iteration: number },
): readonly ArtifactRow[] {
  const { row, iteration } = source;
  const displays = Array.from({ length: Number(row.params['display_count'] ?? 0) }, (_, i) =>
    displayLabel(i),
  );
  const labels = row.params['printed'] === 'true' ? [...displays, CONSOLE_LABEL] : displays;
  return labels.flatMap((label) => {
    const id = artifactIdOf(request.notebookId, request.cellId, iterationLabel(label, iteration));
    return store
      .versions(id)
      .filter((part) => part.params['run'] === row.params['run'])
      .slice(0, 1);
  });
}

/** The console of a finished iteration; null if it is no longer stored. */
export function consoleRowOf(
  store: ArtifactStore,
  request: LoopRequest,
  source: { readonly row: ArtifactRow; readonly iteration: number },
): ArtifactRow | null {
  const id = artifactIdOf(
    request.notebookId,
    request.cellId,
    iterationLabel(CONSOLE_LABEL, source.iteration),
  );
  return store.versions(id).find((part) => part.params['run'] === source.row.params['run']) ?? null;
}
