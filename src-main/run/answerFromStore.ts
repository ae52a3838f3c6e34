/**
 * Answers a cell's run with a stored result, if a complete one matches its keys and everything its run used is
 * unchanged.
 */

import { variantLabel } from '../../src-shared/notebook/variants.ts';
import { type ArtifactRow, type ArtifactStore, StoreError } from '../artifacts/artifact.ts';
import { artifactUri, parseArtifactUri } from '../artifacts/uri.ts';
import { findStored, keyOfLabel, runOf, type StoredResult } from './cache.ts';
import { mayAnswer } from './observed/answers.ts';
import { checkPaths } from './observed/checkPaths.ts';
import { type Observation, observationIn } from './observed/observation.ts';
import type { CurrentState } from './observed/pathState.ts';
import { pathsToCheck } from './observed/paths.ts';
import { replayConsole, replayDisplays } from './replay.ts';
import {
  carryOf,
  packagesOf,
  type ReadingRequest,
  type StepOutcome,
  unlockedKeyOf,
  variantOf,
} from './step.ts';
import { storedWarnings } from './storedWarnings.ts';

/**
 * A stored result that answers the request, with its displays and console; promoted under the request's own keys if it
 * had others. Null if none is complete. Results are looked up by `provenanceHash`, and by `contentKey` if that is
 * valid for the cell: the content of a database is only in the first.
 */
export async function answerFromStore(
  store: ArtifactStore,
  request: ReadingRequest,
  lookUp: 'both' | 'provenance' = 'both',
): Promise<Omit<Extract<StepOutcome, { kind: 'hit' }>, 'durationMs'> | null> {
  const now = currentStateFor(request);
  const variant = variantOf(request);
  const result = findStored({
    stored: request.stored,
    accepts: (row, by) => mayAnswer(row, by, { ...request, now }),
    consumed: request.consumed,
    carry: carryOf(request) ?? undefined,
    variant,
    provenanceHash: request.provenanceHash,
    contentKey: lookUp === 'both' ? request.contentKey : null,
    unlockedKey: lookUp === 'both' ? unlockedKeyOf(request) : null,
    depth: 'all',
  });
  if (result === null) return null;
  const [displays, console] = await Promise.all([
    replayDisplays(store, result),
    replayConsole(store, result, request.stored),
  ]);
  if (displays === null || console === 'lost' || !(await areWhole(store, result.rows))) return null;
  const isUnderBoth =
    result.current &&
    (lookUp === 'both' ||
      Object.values(result.rows).every(({ contentKey }) => contentKey === request.contentKey));
  const promoted = isUnderBoth ? [] : promoteStored(store, request, result);
  if (promoted === null) return null;
  const newUris = new Map(promoted.map((row) => [row.id, artifactUri(row.id, row.version)]));
  const warnings = storedWarnings(Object.values(result.rows));
  const madeBy = runOf(result);
  return {
    kind: 'hit',
    promoted,
    console,
    observation: observationOfRows(result.rows),
    seen: now.files,
    ...(variant === null ? {} : { variant }),
    ...(warnings.length === 0 ? {} : { mutationWarnings: warnings }),
    ...(madeBy === undefined ? {} : { logRun: madeBy }),
    displays: displays.map((display) => {
      const uri = display.artifact_uri;
      if (uri === null) return display;
      const id = parseArtifactUri(uri)?.id;
      return { ...display, artifact_uri: (id === undefined ? undefined : newUris.get(id)) ?? uri };
    }),
  };
}

/** Larger values are verified when they are read; before that only their size is checked. */
const CHECKED_BYTES = 64 * 1024 * 1024;

/** Whether the bytes of a result are unchanged since they were stored. If not, the cell runs and repairs them. */
async function areWhole(store: ArtifactStore, rows: StoredResult['rows']): Promise<boolean> {
  for (const row of Object.values(rows)) {
    if (row.byteSize <= CHECKED_BYTES && (await store.readable(row)).kind !== 'ok') return false;
  }
  return true;
}

/** The current state of the files that stored versions name: a result must match it. */
function currentStateFor(request: ReadingRequest): CurrentState {
  const { stored, notebookDir, env, otherWrites: others } = request;
  const observations = Object.values(stored).flatMap((rows) => rows.map(observationIn));
  const files = checkPaths(notebookDir, pathsToCheck(observations));
  return { files, env, others, packages: packagesOf(request) };
}

function observationOfRows(rows: StoredResult['rows']): Observation | null {
  const [row] = Object.values(rows);
  return row === undefined ? null : observationIn(row);
}

/** The result under its new key; null if it is no longer complete on disk, so that the cell runs instead. */
function promoteStored(
  store: ArtifactStore,
  request: ReadingRequest,
  result: StoredResult,
): readonly ArtifactRow[] | null {
  const promotions = Object.entries(result.rows).map(([label, row]) => ({
    id: row.id,
    fromVersion: row.version,
    provenanceHash: keyOfLabel(request.provenanceHash, variantLabel(label, variantOf(request))),
    contentKey: request.contentKey,
  }));
  try {
    return store.promote(promotions);
  } catch (error) {
    const isGone =
      error instanceof StoreError && (error.code === 'blob_missing' || error.code === 'unknown_version');
    if (!isGone) throw error;
    return null;
  }
}
