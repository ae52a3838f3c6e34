/** Looks up the stored reply that answers a prompt cell, so that no request to the model is needed. */

import { type ArtifactRow, type ArtifactStore, StoreError } from '../../artifacts/artifact.ts';
import { artifactUri, parseArtifactUri } from '../../artifacts/uri.ts';
import { findStored, keyOfLabel, runOf, SESSION_KEY_PARAM, type StoredResult } from '../cache.ts';
import { mayAnswer } from '../observed/answers.ts';
import { replayConsole, replayDisplays } from '../replay.ts';
import type { PromptStep, StepOutcome } from '../step.ts';

type Hit = Extract<StepOutcome, { kind: 'hit' }>;

/**
 * The stored reply to a prompt, or null. Without a key it is looked up by the inputs that the session knows
 * before rendering: the same cell over the same values. With one, by the request that would be sent: a
 * comment or an unused part of a value makes no new request (docs/spec/prompts-and-ai.md, 2).
 */
export async function answerPrompt(
  store: ArtifactStore,
  request: PromptStep,
  key: string | null,
): Promise<Omit<Hit, 'durationMs'> | null> {
  if (!request.useCache || !request.cacheable) return null;
  const now = { files: new Map(), env: request.env, others: [] };
  const result = findStored({
    stored: request.stored,
    accepts: (row, by) => mayAnswer(row, by, { ...request, now }),
    consumed: request.consumed,
    provenanceHash: key ?? request.provenanceHash,
    contentKey: key === null ? request.contentKey : null,
    depth: 'all',
  });
  if (result === null) return null;
  const [displays, console] = await Promise.all([
    replayDisplays(store, result),
    replayConsole(store, result, request.stored),
  ]);
  if (displays === null || console === 'lost') return null;
  const promoted = isCurrent(result, request) ? [] : promote(store, result, request);
  if (promoted === null) return null;
  const uris = new Map(promoted.map((row) => [row.id, artifactUri(row.id, row.version)]));
  const madeBy = runOf(result);
  return {
    kind: 'hit',
    promoted,
    console,
    ...(madeBy === undefined ? {} : { logRun: madeBy }),
    displays: displays.map((display) => {
      const id = display.artifact_uri === null ? null : parseArtifactUri(display.artifact_uri)?.id;
      return { ...display, artifact_uri: uris.get(id ?? '') ?? display.artifact_uri };
    }),
  };
}

/** Whether the newest versions already record that they answer this request. */
function isCurrent({ rows }: StoredResult, request: PromptStep): boolean {
  return Object.entries(rows).every(
    ([label, row]) =>
      request.stored[label]?.[0] === row &&
      row.params[SESSION_KEY_PARAM] === request.provenanceHash &&
      row.contentKey === request.contentKey,
  );
}

/**
 * Makes the reply the newest version, under its own key, now also for this request. Null if its bytes are
 * missing.
 */
function promote(
  store: ArtifactStore,
  { rows }: StoredResult,
  request: PromptStep,
): readonly ArtifactRow[] | null {
  const { provenanceHash, contentKey } = request;
  try {
    return store.promote(
      Object.entries(rows).map(([label, row]) => ({
        id: row.id,
        fromVersion: row.version,
        provenanceHash:
          row.params['prompt_key'] === undefined
            ? row.provenanceHash
            : keyOfLabel(row.params['prompt_key'], label),
        contentKey,
        params: { ...row.params, [SESSION_KEY_PARAM]: provenanceHash },
      })),
    );
  } catch (error) {
    const isGone =
      error instanceof StoreError && (error.code === 'blob_missing' || error.code === 'unknown_version');
    if (!isGone) throw error;
    return null;
  }
}
