/** Decides what of a finished run is sent to the team's cache, and queues it for upload. */

import { homedir, hostname } from 'node:os';
import { variantLabel } from '../../../src-shared/notebook/variants.ts';
import type { SharedRun } from '../../../src-shared/wire/routes/artifacts.ts';
import type { ArtifactRow, ArtifactStore } from '../../artifacts/artifact.ts';
import { createRedactor } from '../../lib/redactor.ts';
import { keyOfLabel, SESSION_KEY_PARAM } from '../cache.ts';
import { BASIS_PARAM } from '../observed/answers.ts';
import { type ReadingRequest, type StepOutcome, variantOf } from '../step.ts';
import { hasSecret } from './hasSecret.ts';
import type { Upload } from './sendUploads.ts';
import { isPortable, machineFacts, pythonOf, whyNotCheckable } from './shareable.ts';
import { factsOf, isShared, type NotShared, type Sharing } from './sharing.ts';
import type { TeamCache } from './teamCache.ts';
import { TEAM_PARAM } from './teamOrigin.ts';

interface FinishedRun {
  readonly request: ReadingRequest;
  readonly sharing: Sharing | NotShared;
}

/**
 * Sends the results of a run to the team's cache, in the background, or records why they are not shared. A failure
 * loses nothing here.
 */
export async function publishToTeam(
  team: TeamCache,
  store: ArtifactStore,
  { request, outcome, sharing }: FinishedRun & { readonly outcome: StepOutcome },
): Promise<void> {
  if (outcome.kind !== 'ran') return;
  const rows = outcome.published;
  const uploads = await uploadsOf(team, store, { request, rows, sharing });
  team.notShared.set(request.cellId, typeof uploads === 'string' ? uploads : null);
  if (!team.publishes || rows.length === 0 || typeof uploads === 'string' || !team.queue.isOpen()) return;
  team.queue.add(uploads, request.principal);
}

/** What to send of a run, or why nothing of it is sent. */
async function uploadsOf(
  team: TeamCache,
  store: ArtifactStore,
  { request, rows, sharing }: FinishedRun & { readonly rows: readonly ArtifactRow[] },
): Promise<readonly Upload[] | string> {
  if (!isShared(sharing)) return sharing.why;
  const [first] = rows;
  if (first === undefined) return 'nothing was stored';
  const observation = factsOf(sharing, first);
  const notCheckable = whyNotCheckable(observation);
  if (observation === null || notCheckable !== null) return notCheckable ?? 'nothing is known of its run';
  const { runtime } = sharing;
  const machine = {
    env: team.machineEnvironment(pythonOf(request)),
    notebookDir: request.notebookDir,
  };
  const machineEnv = machineFacts(observation, machine);
  if (machineEnv === null) return 'it reads a secret of this machine';
  // A path of this machine in a result is wrong on another one.
  const places = createRedactor([request.notebookDir, homedir(), hostname()]);
  const uploads: Upload[] = [];
  for (const row of rows) {
    // If inputs changed during the run, it is stored under a key that never matches.
    const key = keyOfLabel(sharing.key, variantLabel(row.params['variable_name'] ?? '', variantOf(request)));
    if (row.provenanceHash !== key || row.params[BASIS_PARAM] !== request.basis)
      return 'its inputs changed during the run';
    if (row.contentType === 'error') return 'a display could not be made';
    if (!isPortable(row)) return `${row.contentType} has no meaning elsewhere`;
    const readable = await store.readable(row);
    if (readable.kind !== 'ok') return readable.message;
    const { [TEAM_PARAM]: _ofElsewhere, [SESSION_KEY_PARAM]: _ofSession, ...params } = row.params;
    const run: SharedRun = {
      format: 1,
      params,
      content_key: row.contentKey,
      machine_env: machineEnv,
      runtime,
    };
    const metadata = metadataOf(row, run);
    const content = { text: JSON.stringify(metadata), file: readable.path };
    if (await hasSecret(team.redactor(), content))
      return 'it contains a secret of the notebook or the server';
    if (await hasSecret(places, content)) return 'it contains a path or the name of this machine';
    uploads.push({ row, file: readable.path, metadata });
  }
  return uploads;
}

function metadataOf(row: ArtifactRow, run: SharedRun): Upload['metadata'] {
  const { params } = row;
  const duration = Number(params['build_duration_ms']);
  return {
    content_type: row.contentType,
    variable_name: params['variable_name'] ?? null,
    build_env: params['build_env'] ?? null,
    build_duration_ms: Number.isFinite(duration) ? duration : null,
    env_hash: params['env_hash'] ?? null,
    row_count: row.rowCount,
    schema_json: row.schemaJson,
    shared_run: run,
  };
}
