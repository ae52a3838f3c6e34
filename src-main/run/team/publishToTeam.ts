import { homedir, hostname } from 'node:os';
import { variantLabel } from '../../../src-shared/notebook/variants.ts';
import type { SharedRun } from '../../../src-shared/wire/routes/artifacts.ts';
import type { ArtifactRow, ArtifactStore } from '../../artifacts/artifact.ts';
import { createRedactor } from '../../lib/redactor.ts';
import { keyOfLabel } from '../cache.ts';
import { BASIS } from '../observed/answers.ts';
import { observationIn } from '../observed/observation.ts';
import type { StepOutcome, StepRequest } from '../step.ts';
import { hasSecret } from './hasSecret.ts';
import type { Upload } from './sendUploads.ts';
import { isPortable, machineFacts, whyNotAsked, whyNotCheckable } from './shareable.ts';
import type { TeamCache } from './teamCache.ts';
import { TEAM } from './teamOrigin.ts';

/** Sends the results of a run to the team's cache, in the background. A failure loses nothing here. */
export async function publishToTeam(
  team: TeamCache,
  store: ArtifactStore,
  { request, outcome }: { readonly request: StepRequest; readonly outcome: StepOutcome },
): Promise<void> {
  if (!team.publishes || outcome.kind !== 'ran' || !team.queue.isOpen()) return;
  const rows = outcome.published;
  if (rows.length === 0 || whyNotAsked(request) !== null) return;
  const uploads = await uploadsOf(team, store, { request, rows });
  if (typeof uploads !== 'string') team.queue.add(uploads, request.principal ?? null);
}

/** What to send of a run, or why nothing of it is sent. */
export async function uploadsOf(
  team: TeamCache,
  store: ArtifactStore,
  { request, rows }: { readonly request: StepRequest; readonly rows: readonly ArtifactRow[] },
): Promise<readonly Upload[] | string> {
  const [first] = rows;
  const observation = first === undefined ? null : observationIn(first);
  const runtime = request.packages?.fixed;
  const notCheckable = whyNotCheckable(observation);
  if (observation === null || notCheckable !== null) return notCheckable ?? 'nothing was stored';
  if (runtime === undefined) return 'the installed packages differ from the lock';
  const machine = {
    env: team.machineEnvironment(request.interpreter.path),
    notebookDir: request.notebookDir,
  };
  const machineEnv = machineFacts(observation, machine);
  if (machineEnv === null) return 'it reads a secret of this machine';
  // A path of this machine in a result is wrong on another one.
  const places = createRedactor([request.notebookDir, homedir(), hostname()]);
  const uploads: Upload[] = [];
  for (const row of rows) {
    // If inputs changed during the run, it is stored under a key that never matches.
    const key = keyOfLabel(
      request.provenanceHash,
      variantLabel(row.params['variable_name'] ?? '', request.variant),
    );
    if (row.provenanceHash !== key || row.params[BASIS] !== request.basis)
      return 'its inputs changed during the run';
    if (row.contentType === 'error') return 'a display could not be made';
    if (!isPortable(row)) return `${row.contentType} has no meaning elsewhere`;
    const readable = await store.readable(row);
    if (readable.kind !== 'ok') return readable.message;
    const { [TEAM]: _ofElsewhere, ...params } = row.params;
    const run: SharedRun = {
      ...{ format: 1, params, content_key: row.contentKey, machine_env: machineEnv, runtime },
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
