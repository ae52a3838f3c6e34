/** Looks up the result of a run in the team's cache, checks it, and stores it in this notebook. */

import { join } from 'node:path';
import { artifactIdOf } from '../../../src-shared/notebook/artifactIds.ts';
import { variantLabel } from '../../../src-shared/notebook/variants.ts';
import type { ProvenanceMatch, SharedRun } from '../../../src-shared/wire/routes/artifacts.ts';
import type { ArtifactRow, ArtifactStore } from '../../artifacts/artifact.ts';
import { RemoteStoreProblem } from '../../remoteStore/remoteStoreProblem.ts';
import type { RequestContext } from '../../remoteStore/rest.ts';
import { answerFromStore } from '../answerFromStore.ts';
import { CONSOLE_LABEL, displayLabel, keyOfLabel } from '../cache.ts';
import { BASIS_PARAM, mayAnswer } from '../observed/answers.ts';
import { checkPaths } from '../observed/checkPaths.ts';
import { type FileFact, OBSERVED_PARAM, type Observation, observationIn } from '../observed/observation.ts';
import type { PathStates } from '../observed/pathState.ts';
import { pathsToCheck } from '../observed/paths.ts';
import { inputVersionsOf } from '../publish.ts';
import { makeScratch, removeScratch } from '../scratchFolder.ts';
import { packagesOf, type ReadingRequest, type StepOutcome, variantOf } from '../step.ts';
import type { StepOptions, StepTools } from '../stepTools.ts';
import { areSameFacts, isPortable, machineFacts, pythonOf, runsCode, whyNotCheckable } from './shareable.ts';
import { factsOf, isShared, type NotShared, type Sharing } from './sharing.ts';
import type { TeamCache } from './teamCache.ts';
import { TEAM_PARAM, type TeamOrigin } from './teamOrigin.ts';

type Hit = Omit<Extract<StepOutcome, { kind: 'hit' }>, 'durationMs'>;
type Tools = Pick<StepTools, 'store' | 'scratchDir' | 'inBackground'>;

/** A request with the key and the rules by which its result is looked up. */
type SharedRequest = ReadingRequest & { readonly sharing: Sharing };

/** A result of the team's cache by label, complete and checked, without its bytes. */
interface Candidate {
  readonly matches: ReadonlyMap<string, ProvenanceMatch & { readonly shared_run: SharedRun }>;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * The result of the team's cache that answers this run, stored here as if the cell had run here; null if there is none
 * that may answer. A store that is slow, down or faulty counts as none. Nothing of a stopped download is stored.
 */
export async function findTeamResult(
  team: TeamCache,
  tools: Tools,
  {
    request: own,
    options,
    sharing,
  }: {
    readonly request: ReadingRequest;
    readonly options: StepOptions;
    readonly sharing: Sharing | NotShared;
  },
): Promise<Hit | null> {
  if (!own.useCache || !own.cacheable || !isShared(sharing) || !team.store.isAwake()) return null;
  const request: SharedRequest = { ...own, provenanceHash: sharing.key, sharing };
  const folder = join(tools.scratchDir, `team-${options.runId}-${variantOf(request) ?? ''}`);
  try {
    const candidate = await lookUp(team, request, options.signal);
    if (candidate === null) return null;
    makeScratch(folder);
    const files = await fetchAll(team, candidate, { folder, request, options });
    const rows = await keep(tools.store, candidate, { request, files });
    const stored: Record<string, readonly ArtifactRow[]> = { ...request.stored };
    for (const [label, row] of rows) stored[label] = [row, ...(stored[label] ?? [])];
    // The content of a database or of a model is only in the key itself.
    const by = sharing.facts === 'covered' ? 'provenance' : 'both';
    const hit = await answerFromStore(tools.store, { ...request, stored }, by);
    const first = [...candidate.matches.values()][0];
    if (hit === null || first === undefined) return null;
    const { logRun: _ofThere, ...shownHit } = hit;
    return { ...shownHit, promoted: [...rows.values(), ...hit.promoted], team: originOf(first) };
  } catch (error) {
    if (error instanceof RemoteStoreProblem) return null;
    throw error;
  } finally {
    tools.inBackground(removeScratch(folder));
  }
}

/** Looks up every part of a result, at most `lookUpMs` together, and checks it before anything is loaded. */
async function lookUp(team: TeamCache, request: SharedRequest, stop: AbortSignal): Promise<Candidate | null> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(team.lookUpMs)]);
  const context: RequestContext = { principal: request.principal, signal };
  const matches = new Map<string, ProvenanceMatch & { readonly shared_run: SharedRun }>();
  const askFor = async (labels: readonly string[]): Promise<boolean> => {
    const answers = await Promise.all(
      labels.map((label) => team.store.match(keyOf(request, label), context)),
    );
    for (const [index, match] of answers.entries()) {
      const label = labels[index];
      if (match?.shared_run == null || label === undefined) return false;
      matches.set(label, { ...match, shared_run: match.shared_run });
    }
    return true;
  };
  const isLeafLike = request.consumed.length === 0;
  if (!(await askFor(isLeafLike ? [CONSOLE_LABEL] : request.consumed))) return null;
  const [first] = matches.values();
  if (first === undefined) return null;
  const displays = Number(first.shared_run.params['display_count'] ?? 0);
  if (!Number.isSafeInteger(displays) || displays < 0 || displays > MAX_DISPLAYS) return null;
  if (!(await askFor(Array.from({ length: displays }, (_, index) => displayLabel(index))))) return null;
  const params = whyNotTaken(team, request, matches) === null ? localParams(request, first) : null;
  return params === null ? null : { matches, params };
}

/** More would take more requests than the time allows. */
const MAX_DISPLAYS = 200;

function keyOf(request: ReadingRequest, label: string): string {
  return keyOfLabel(request.provenanceHash, variantLabel(label, variantOf(request)));
}

/** Why a result may not answer here, apart from the state of the notebook's files; null if it may. */
function whyNotTaken(team: TeamCache, request: SharedRequest, matches: Candidate['matches']): string | null {
  const [first] = matches.values();
  const run = first?.shared_run;
  if (run === undefined || run.params['run'] === undefined) return 'it does not name its run';
  if (run.runtime !== request.sharing.runtime) return 'it was made by another interpreter, engine or model';
  for (const { shared_run: other, content_type } of matches.values()) {
    // One run made all parts, so they have the same facts; a part that claims others belongs to another run.
    const isSame = (['run', BASIS_PARAM, OBSERVED_PARAM] as const).every(
      (name) => other.params[name] === run.params[name],
    );
    if (!isSame || other.runtime !== run.runtime) return 'its parts are of several runs';
    if (!isPortable({ contentType: content_type, params: other.params }))
      return `${content_type} has no meaning here`;
    if (runsCode(content_type) && !team.isTrusted)
      return `reading ${content_type} runs code, and the store is not trusted`;
  }
  if (run.params[BASIS_PARAM] !== request.basis) return 'it was made from other values';
  const observation = factsOf(request.sharing, run);
  const notCheckable = whyNotCheckable(observation);
  if (observation === null || notCheckable !== null) return notCheckable;
  const machine = {
    env: team.machineEnvironment(pythonOf(request)),
    notebookDir: request.notebookDir,
  };
  if (!areSameFacts(run.machine_env, machineFacts(observation, machine)))
    return 'variables of this machine differ';
  return null;
}

/** The params of the run with its facts as facts of this machine; null if one does not hold. */
function localParams(
  request: SharedRequest,
  { shared_run: run }: { readonly shared_run: SharedRun },
): Readonly<Record<string, string>> | null {
  if (request.sharing.facts === 'covered') return run.params;
  const theirs = observationIn(run);
  if (theirs === null) return null;
  const observation = withoutTimes(theirs);
  const files = checkPaths(request.notebookDir, pathsToCheck([observation]));
  const params = { ...run.params, [OBSERVED_PARAM]: JSON.stringify(observation) };
  const { language, basis, env, otherWrites: others } = request;
  const now = { files, env, others, packages: packagesOf(request) };
  const row = { params } as unknown as ArtifactRow; // only params count
  if (!mayAnswer(row, 'provenance', { language, basis, now })) return null;
  return { ...params, [OBSERVED_PARAM]: JSON.stringify(withTimes(theirs, files)) };
}

/** The observation without file times: those of another machine prove nothing, so files are compared by their bytes. */
function withoutTimes(observation: Observation): Observation {
  return changeFiles(observation, (fact) => ({ ...fact, mtimeNs: '' }));
}

/** The observation with the file times of this machine, so that later checks need not read the files again. */
function withTimes(observation: Observation, files: PathStates): Observation {
  return changeFiles(observation, (fact) => {
    const file = files.get(fact.path);
    return { ...fact, mtimeNs: file?.kind === 'file' ? file.mtimeNs : '' };
  });
}

function changeFiles(observation: Observation, change: (fact: FileFact) => FileFact): Observation {
  return {
    ...observation,
    reads: observation.reads.map(change),
    wrote: observation.wrote.map((fact) => ('size' in fact ? change(fact) : fact)),
  };
}

/** Larger downloads report their progress. */
const SHOWN_BYTES = 4 * 1024 * 1024;
const MIB = 1024 * 1024;

/** The bytes of each part, in files below `folder`. */
async function fetchAll(
  team: TeamCache,
  { matches }: Candidate,
  {
    folder,
    request,
    options,
  }: { readonly folder: string; readonly request: ReadingRequest; readonly options: StepOptions },
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const context: RequestContext = { principal: request.principal, signal: options.signal };
  for (const [label, match] of matches) {
    const file = join(folder, `part-${files.size}`);
    const total = match.byte_size ?? 0;
    let shownAt = 0;
    const onBytes = (received: number): void => {
      if (total < SHOWN_BYTES || received - shownAt < Math.max(SHOWN_BYTES, total / 20)) return;
      shownAt = received;
      const text = `${Math.round(received / MIB)} of ${Math.round(total / MIB)} MiB from the team’s cache\n`;
      options.onConsole({ stream: 'stderr', text });
    };
    await team.store.download(match, { file, onBytes }, context);
    files.set(label, file);
  }
  return files;
}

/** Stores the parts under the ids of this notebook; all become current together. */
async function keep(
  store: ArtifactStore,
  { matches, params }: Candidate,
  { request, files }: { readonly request: SharedRequest; readonly files: ReadonlyMap<string, string> },
): Promise<ReadonlyMap<string, ArtifactRow>> {
  const labels = [...matches.keys()];
  const rows = await store.publish(
    [...matches].map(([label, match]) => {
      const { shared_run: run, content_sha256: sha256 } = match;
      const idLabel = variantLabel(label, variantOf(request));
      return {
        id: artifactIdOf(request.notebookId, request.cellId, idLabel),
        provenanceHash: keyOf(request, label),
        contentKey: request.contentKey,
        contentType: match.content_type,
        params: {
          ...run.params,
          ...(params[OBSERVED_PARAM] === undefined ? {} : { [OBSERVED_PARAM]: params[OBSERVED_PARAM] }),
          ...request.sharing.marks,
          cell_id: request.cellId,
          [TEAM_PARAM]: JSON.stringify(originOf(match)),
        },
        inputVersions: inputVersionsOf(request),
        rowCount: match.row_count,
        schemaJson: match.arrow_schema == null ? null : JSON.stringify(match.arrow_schema),
        blob: { file: files.get(label) ?? '', ...(sha256 === null ? {} : { sha256 }) },
      };
    }),
  );
  return new Map(rows.map((row, index) => [variantLabel(labels[index] ?? '', variantOf(request)), row]));
}

function originOf(match: ProvenanceMatch): TeamOrigin {
  return {
    principal: match.principal,
    created_at: match.created_at,
    build_env: match.build_env ?? '',
    saved_ms: Math.max(0, Math.round(match.build_duration_ms ?? 0)),
    promotion: match.promotion,
  };
}
