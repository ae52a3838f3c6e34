/** Environment jobs of imported notebooks: installs from the configured index until the user allows more. */

import { normalizedName, readRequirement } from '../../src-shared/notebook/requirement.ts';
import type { PackageSource } from '../../src-shared/wire/environment.ts';
import type { NotebookFolder } from '../notebook/folder/notebookFolder.ts';
import { type ImportRecord, readImportRecord, writeImportRecord } from '../notebook/stored/importRecord.ts';
import { changeProject } from './changeProject.ts';
import { doWork, type EnvironmentWork, type RequestedRWork } from './environmentWork.ts';
import { previewWork, type WorkPreview } from './previewWork.ts';
import { fromElsewhere, packageSources, requirementSource } from './project/packageSources.ts';
import { setRequirements } from './project/projectEdit.ts';
import { type EnvironmentFacts, readEnvironment } from './readEnvironment.ts';
import { NO_LOG, outcomeOfAttempt, type SyncOutcome } from './settleEnvironment.ts';
import type { SyncRequest } from './syncEnvironment.ts';

type Work = Exclude<EnvironmentWork, RequestedRWork>;
type Request = Omit<SyncRequest, 'lock' | 'force'>;

/** A package without a wheel is left out and the sync is repeated, at most this many times. */
const MAX_LEFT_OUT = 50;

/**
 * The packages of an import that wait until the user allows them. A lock that uv made here only names the configured
 * index, whichever that is; a lock that came with the import names sources that its sender chose.
 */
export async function unapprovedPackages(
  dir: NotebookFolder,
  { project, lock }: Pick<EnvironmentFacts, 'project' | 'lock'>,
): Promise<readonly PackageSource[]> {
  const imported = await readImportRecord(dir);
  if (imported === null || imported.builds) return [];
  const lockText = imported.kind === 'snapshot' ? (lock?.text ?? null) : null;
  return [...imported.waiting.map(waitingSource), ...fromElsewhere(packageSources(project, lockText))];
}

/** A package without an address was left out because it must be built. */
function waitingSource(requirement: string): PackageSource {
  const source = requirementSource(requirement);
  return source.kind === 'index' ? { ...source, kind: 'build' } : source;
}

/**
 * Does a job on the environment of a notebook. For an imported one, only wheels from the configured index are installed
 * and nothing is built until the user allows more with `allow`.
 */
export async function doImportedWork(work: Work, request: Request): Promise<SyncOutcome> {
  const imported = await readImportRecord(request.dir);
  if (imported === null || imported.builds) return doWork(withoutAllow(work), request);
  return work.action === 'allow' ? allowWaiting(imported, request) : syncRestricted(work, request);
}

/** A preview of such a job; it has the same limits. */
export async function previewImportedWork(
  work: EnvironmentWork,
  request: Parameters<typeof previewWork>[1],
): Promise<WorkPreview> {
  const imported = await readImportRecord(request.dir);
  if (imported === null || imported.builds) return previewWork(work, request);
  const facts = await readEnvironment(request.dir);
  const notAllowed = await stillDeclared(request.dir, facts);
  if (notAllowed.length > 0) return { kind: 'failed', error: waitingMessage(notAllowed) };
  return previewWork(work, { ...request, env: withoutBuilds(request.env) });
}

/** Why no index may be queried for this notebook yet, for users; null: it may. An import may name an unknown index. */
export async function whyNoIndexYet(dir: NotebookFolder): Promise<string | null> {
  const imported = await readImportRecord(dir);
  if (imported === null || imported.builds) return null;
  const notAllowed = await stillDeclared(dir, await readEnvironment(dir));
  return notAllowed.length === 0 ? null : waitingMessage(notAllowed);
}

/** For a notebook that was not imported, `allow` is a sync. */
function withoutAllow(work: Work): Work {
  return work.action === 'allow' ? { action: 'sync', isRequested: false } : work;
}

/** Records the permission only after everything is installed; after a failure the packages still wait. */
async function allowWaiting(imported: ImportRecord, request: Request): Promise<SyncOutcome> {
  const { project } = await readEnvironment(request.dir);
  const requirements = project?.requirements ?? [];
  const declared = new Set(requirements.map(nameOf));
  const missing = imported.waiting.filter((requirement) => !declared.has(nameOf(requirement)));
  const outcome = await (missing.length === 0
    ? doWork({ action: 'sync', isRequested: true }, request)
    : changeProject({ ...request, edit: { kind: 'replace', requirements: [...requirements, ...missing] } }));
  if (outcome.error === null)
    await writeImportRecord(request.dir, { ...imported, builds: true, waiting: [] });
  return outcome;
}

async function syncRestricted(work: Work, request: Request): Promise<SyncOutcome> {
  const { dir, onText } = request;
  const restricted: Request = { ...request, env: withoutBuilds(request.env) };
  for (let leftOut = 0; ; leftOut += 1) {
    const before = await readEnvironment(dir);
    const waiting = await unapprovedPackages(dir, before);
    const notAllowed = await stillDeclared(dir, before);
    if (notAllowed.length > 0) {
      const attempt = {
        kind: 'failed',
        error: waitingMessage(notAllowed),
        ranUv: false,
        log: NO_LOG,
      } as const;
      return outcomeOfAttempt(
        { dir, python: null, env: restricted.env ?? process.env },
        { attempt, before, durationMs: 0 },
      );
    }
    if (waiting.length > 0) onText?.('stdout', `${waitingMessage(waiting)}\n`);
    const outcome = await doWork(work, restricted);
    const name = outcome.error === null ? null : unbuilt(outcome);
    if (name === null) return outcome;
    const direct = before.project?.requirements.find((requirement) => nameOf(requirement) === name);
    // Never silently removes a package that the user just requested, or that another package needs.
    if (work.action !== 'sync' || direct === undefined || leftOut === MAX_LEFT_OUT) {
      return { ...outcome, error: buildMessage(name) };
    }
    await leaveOut(dir, { direct, before });
  }
}

/** The waiting packages that the project's files still name, so that uv would fetch them. */
async function stillDeclared(
  dir: NotebookFolder,
  facts: EnvironmentFacts,
): Promise<readonly PackageSource[]> {
  const elsewhere = fromElsewhere(packageSources(facts.project, facts.lock?.text ?? null));
  const names = new Set(elsewhere.map(({ requirement }) => requirement));
  return (await unapprovedPackages(dir, facts)).filter(({ requirement }) => names.has(requirement));
}

function withoutBuilds(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { ...env, UV_NO_BUILD: '1' };
}

/** Records the package before it removes it from the project, so that a kill in between loses nothing. */
async function leaveOut(
  dir: NotebookFolder,
  { direct, before }: { readonly direct: string; readonly before: EnvironmentFacts },
): Promise<void> {
  const imported = await readImportRecord(dir);
  if (imported === null) return;
  await writeImportRecord(dir, { ...imported, waiting: [...new Set([...imported.waiting, direct])] });
  const remaining = (before.project?.requirements ?? []).filter((requirement) => requirement !== direct);
  await setRequirements(dir, remaining);
}

/** The package that uv would have had to build; null when it failed for another reason. */
function unbuilt({ log, error }: SyncOutcome): string | null {
  const output = `${log.stderr.text}\n${error ?? ''}`;
  const name =
    /Wheels are required for `([^`]+)` because building from source is disabled/.exec(output)?.[1] ??
    /Building source distributions for `([^`]+)` is disabled/.exec(output)?.[1] ??
    /Distribution `([A-Za-z0-9._-]+)==[^`]*` can't be installed because it is marked as `--no-build`/.exec(
      output,
    )?.[1] ??
    /Because ([A-Za-z0-9._-]+)\S* has no usable wheels/.exec(output)?.[1];
  return name === undefined ? null : nameOf(name);
}

function nameOf(requirement: string): string {
  return normalizedName(readRequirement(requirement)?.name ?? requirement.replace(/==.*$/, ''));
}

function waitingMessage(waiting: readonly PackageSource[]): string {
  const names = waiting.map(({ requirement, from }) =>
    from === null ? requirement : `${requirement} (${from})`,
  );
  return `Not installed until you allow it, because this notebook was imported: ${names.join(', ')}. Allow it in the Environment panel.`;
}

function buildMessage(name: string): string {
  return `${name} has no wheel for this machine and would be built from source, which runs its code. This notebook was imported, so allow the package in the Environment panel, then try again.`;
}
